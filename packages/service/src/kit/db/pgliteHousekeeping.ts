import type { PooledDatabase } from './pooledDatabase.js';
import type { DatabaseLog } from './types.js';

/**
 * The embedded engine is a server without its background processes: nothing vacuums, gathers statistics or writes checkpoints
 * (its log would grow until the next clean stop, and a start after a crash would replay all of it). So this does, once
 * a minute and only where there is something to do.
 */
export function startHousekeeping(database: PooledDatabase, log: DatabaseLog): { stop(): void } {
  let timer = setTimeout(round, INTERVAL_MS).unref();
  let isStopped = false;
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };

  async function round(): Promise<void> {
    try {
      await keepHouse(database);
    } catch (err) {
      if (!isStopped)
        log.warn({ err }, 'housekeeping of the embedded database failed and will be tried again');
    }
    if (!isStopped) timer = setTimeout(round, INTERVAL_MS).unref();
  }
}

/** One round: the tables that have changed much, one statement each; then a checkpoint when the log has grown. */
export async function keepHouse(database: PooledDatabase): Promise<void> {
  for (const { task } of await database.query<{ task: string }>(TABLE_TASKS))
    await database.maintenance(task);
  const [log] = await database.query<{ bytes: number }>(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) as bytes from pg_control_checkpoint()',
  );
  if (log && log.bytes > CHECKPOINT_EVERY_BYTES) await database.maintenance('checkpoint');
}

const INTERVAL_MS = 60_000;
const CHECKPOINT_EVERY_BYTES = 64 * 1024 * 1024;

// The thresholds are PostgreSQL's own (autovacuum_vacuum_*, autovacuum_analyze_*), with a higher floor for small tables.
const TABLE_TASKS = `
  select case when n_dead_tup > 500 + 0.2 * n_live_tup
              then format('vacuum (analyze) %I.%I', schemaname, relname)
              else format('analyze %I.%I', schemaname, relname) end as task
  from pg_stat_user_tables
  where n_dead_tup > 500 + 0.2 * n_live_tup or n_mod_since_analyze > 500 + 0.1 * n_live_tup
  order by n_dead_tup desc`;
