import pg from 'pg';
import { onServer } from '../../../packages/service/test/harness/postgresCluster.js';
import type { PostgresHome } from './bench.js';
import { type Server, startService } from './server.js';

/** A seeded ledger whose service runs. */
export interface Ledger {
  readonly home: PostgresHome;
  readonly server: Server;
  readonly events: number;
  /** The external ids of subjects that are spread over the whole book. */
  readonly active: readonly string[];
  /** The ids of the same, in the same order. */
  readonly activeIds: readonly string[];
}

/** Subjects that are reported about and read, as many as in other loads. */
const ACTIVE = 10_000;

export async function openLedger(home: PostgresHome): Promise<Ledger> {
  const found = await onServer(home.databaseUrl, async (client) => {
    const { rows } = await client.query<{ events: string; subjects: string }>(
      `select (select sum(event_count) from subject) as events, (select count(*) from score) as subjects`,
    );
    const [row] = rows;
    const percent = (100 * ACTIVE) / Number(row?.subjects);
    const { rows: active } = await client.query<{ external_id: string; subject_id: string }>(
      `select external_id, subject_id from score tablesample bernoulli (${Math.min(100, percent * 1.2)}) repeatable (1)
       where platform_id = (select platform_id from platform order by created_at limit 1)
       order by hashtext(external_id) limit $1`,
      [ACTIVE],
    );
    return {
      events: Number(row?.events),
      active: active.map(({ external_id }) => external_id),
      activeIds: active.map(({ subject_id }) => subject_id),
    };
  });
  return { home, server: await startService(home), ...found };
}

/**
 * Keeps the sequencer from logging every seeded event in the background. Returns what lets it go on.
 */
export async function holdLog({ databaseUrl }: PostgresHome): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`select pg_advisory_lock(hashtextextended('transparency log', 0))`);
  return () => client.end();
}
