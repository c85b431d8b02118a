import type { TestService } from '../../harness/service.js';

export const DAY_MS = 86_400_000;

export const fulfilled = { eventType: 'CONTRACT_FULFILLED', isVerified: true };
export const breached = { eventType: 'CONTRACT_BREACHED', isVerified: true };

/** Reports events of one subject in one batch and waits until its score follows; their ids. */
export async function reportOf(
  service: TestService,
  userId: string,
  events: readonly object[],
  key = service.liveKey,
): Promise<string[]> {
  const body = { events: events.map((event) => ({ userId, ...event })) };
  const answer = await service.request('POST', '/events/batch', { body, key });
  if (answer.body.createdCount !== events.length) throw new Error(`not all were taken: ${answer.text}`);
  await service.settle();
  return answer.body.results.map((result: { eventId: string }) => result.eventId);
}

/** Joins the subjects of an external id on several platforms into one record, as links will. */
export async function linkAll(service: TestService, externalId: string): Promise<void> {
  const members = '(select subject_id from subject where external_id = $1 and livemode)';
  await service.db.execute(
    `update subject set record_id = (select min(subject_id::text)::uuid from subject where external_id = $1)
     where subject_id in ${members}`,
    [externalId],
  );
  await service.db.execute(
    `insert into recompute_queue (record_id, enqueued_at)
     select distinct record_id, now() from subject where subject_id in ${members}`,
    [externalId],
  );
  await service.db.notify('recompute');
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
