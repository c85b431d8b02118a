import { firstGroupOf } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { everyPage } from '#harness/everyPage.js';
import type { RequestOptions, TestAnswer, TestService } from '#harness/service.js';

/** POST /screenings. */
export function screen(
  service: TestService,
  userIds: readonly string[],
  { label, ...options }: RequestOptions & { label?: string } = {},
): Promise<TestAnswer> {
  return service.request('POST', '/screenings', { ...options, body: { userIds, label } });
}

/** Every result of a screening, page by page. */
export function resultsOf(
  service: TestService,
  id: string,
  options: { key?: string; limit?: number } = {},
): Promise<{ userId: string; found: boolean; frozen: boolean | null }[]> {
  return everyPage(service, `/screenings/${id}/results`, 'results', options);
}

/** Waits until a screening has ended; the record. */
export async function ended(service: TestService, id: string, key?: string): Promise<TestAnswer['body']> {
  let body: TestAnswer['body'];
  await eventually(async () => {
    body = (await service.request('GET', `/screenings/${id}`, { key })).body;
    return body.completedAt !== null;
  });
  return body;
}

/** What was told of a screening. */
export async function emittedOf(service: TestService, id: string) {
  const rows = await service.db.query<{ body: string }>(
    `select body from envelope where type = 'screening.completed' and body like '%' || $1::text || '%'`,
    [id],
  );
  return rows.map(({ body }) => JSON.parse(body));
}

/** So many ids that nobody has. */
export function nobodies(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `nobody-${index}`);
}

export async function putHeartbeat(service: TestService, at: Date): Promise<void> {
  await firstGroupOf(service.db).execute(
    'insert into worker_heartbeat (worker_id, beat_at) values (gen_random_uuid(), $1)',
    [at],
  );
}
