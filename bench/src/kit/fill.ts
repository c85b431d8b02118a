import { onServer } from '../../../packages/service/test/harness/postgresCluster.js';
import type { PostgresHome } from './bench.js';
import { type EventBody, eventBodies, SUBJECTS, subjectName } from './load.js';
import { pause } from './scratch.js';
import { LIVE_KEY } from './server.js';

/** Score addresses of all subjects, in a scattered order. */
export function scorePaths(): string[] {
  return Array.from(
    { length: SUBJECTS },
    (_, index) => `/api/v1/users/${subjectName((index * 7919) % SUBJECTS)}/score`,
  );
}

/** Writes one event for each subject of the load and waits for the scores. */
export async function giveEverybodyAScore(url: string): Promise<void> {
  const bodies = eventBodies(SUBJECTS).map((body, index) => ({ ...body, userId: subjectName(index) }));
  await postEvents(url, bodies);
  await settled(url);
}

/** Writes the events in batches of 100, a few batches at a time. */
export async function postEvents(url: string, events: readonly EventBody[]): Promise<void> {
  let next = 0;
  const loop = async () => {
    while (next < events.length) {
      const batch = events.slice(next, next + 100);
      next += batch.length;
      const answer = await fetch(`${url}/api/v1/events/batch`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${LIVE_KEY}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ events: batch }),
      });
      const body = (await answer.json()) as { createdCount?: number };
      if (body.createdCount !== batch.length)
        throw new Error(`a batch was refused: ${JSON.stringify(body).slice(0, 500)}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, loop));
}

/** Waits until every score is up to date. Returns how long that took, in milliseconds. */
export async function settled(url: string): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < SETTLE_LIMIT_MS) {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    if (/^recompute_queue_depth 0$/m.test(metrics)) return performance.now() - startedAt;
    await pause(10);
  }
  throw new Error(`scores are not up to date after ${SETTLE_LIMIT_MS} ms`);
}

const SETTLE_LIMIT_MS = 300_000;

/**
 * Waits until every event is scored, and every fact a signed leaf, in all groups of the server or cluster. It asks the database: a
 * read of /metrics has six statements for each group, which would be measured, too.
 */
export async function caughtUp({ databaseUrl }: PostgresHome): Promise<void> {
  await onServer(databaseUrl, async (client) => {
    const found = await client.query<{ schema: string }>(
      `select quote_ident(schemaname) as schema from pg_tables where tablename = 'log_state'`,
    );
    const startedAt = performance.now();
    for (const { schema } of found.rows) {
      const look = { name: `look at ${schema}`, text: `select ${isBusyIn(schema)} as is_busy` };
      while ((await client.query<{ is_busy: boolean }>(look)).rows[0]?.is_busy) {
        if (performance.now() - startedAt > SETTLE_LIMIT_MS)
          throw new Error(`scores and log have not caught up after ${SETTLE_LIMIT_MS} ms`);
        await pause(100);
      }
    }
  });
}

function isBusyIn(schema: string): string {
  return `(exists (select 1 from ${schema}.recompute_queue) or exists (select 1 from ${schema}.log_queue)
    or exists (select 1 from ${schema}.log_state where tree_size > (select coalesce(max(tree_size), 0) from ${schema}.log_checkpoint)))`;
}

/** A figure of `/metrics` without labels. NaN: it is not there. */
export function metricOf(metrics: string, name: string): number {
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length));
}
