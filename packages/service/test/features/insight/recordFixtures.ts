import type { TestService } from '#harness/service.js';

export const DAY_MS = 86_400_000;

export const fulfilled = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
export const breached = { eventType: 'CONTRACT_BREACHED', isVerified: true };

/** Reports events of one subject in one batch and waits until its score follows; their ids. */
export async function reportAll(
  service: TestService,
  userId: string,
  events: readonly object[],
  key = service.liveKey,
): Promise<string[]> {
  const body = { events: events.map((event) => ({ userId, ...event })) };
  const { body: answer, text } = await service.request('POST', '/events/batch', { body, key });
  if (answer.createdCount !== events.length) throw new Error(`not all were taken: ${text}`);
  await service.settle();
  return answer.results.map((result: { eventId: string }) => result.eventId);
}

/** Links the subjects of one id on two platforms. */
export async function linkAll(
  service: TestService,
  userId: string,
  joining: string,
  host = service.liveKey,
): Promise<void> {
  const path = `/users/${encodeURIComponent(userId)}`;
  const { body } = await service.request('POST', `${path}/link-token`, { key: host });
  const linked = await service.request('POST', `${path}/links`, { key: joining, body });
  if (linked.status !== 201) throw new Error(`not linked: ${linked.text}`);
}

/**
 * Every row that anything could write, in one text: equal before and after means that nothing was
 * written.
 */
export async function fingerprint(service: TestService): Promise<string> {
  const tables = ['subject', 'event', 'tally', 'score', 'score_snapshot', 'recompute_queue', 'idempotency'];
  const counts = tables.map(
    (table) => `(select coalesce(string_agg(t::text, '|' order by t::text), '') from ${table} t)`,
  );
  const [row] = await service.db.query<{ allRows: string }>(
    `select md5(${counts.join(" || '/' || ")}) as all_rows`,
  );
  return row?.allRows ?? '';
}
