import type { PooledDatabase } from './pooledDatabase.js';
import type { DatabaseLog } from './types.js';

/**
 * The embedded engine has no background processes: nothing vacuums, collects statistics or writes
 * checkpoints. Its log would grow until the next clean stop, and a start after a crash would replay
 * all of it. This does these tasks once a minute, if there is something to do.
 */
export function startHousekeeping(database: PooledDatabase, log: DatabaseLog): { stop(): void } {
  let timer = setTimeout(run, INTERVAL_MS).unref();
  let isStopped = false;
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };

  async function run(): Promise<void> {
    try {
      await runHousekeeping(database);
    } catch (err) {
      if (!isStopped)
        log.warn({ err }, 'housekeeping of the embedded database failed; it is retried in a minute');
    }
    if (!isStopped) timer = setTimeout(run, INTERVAL_MS).unref();
  }
}

/**
 * One run: vacuums or analyzes tables that have changed much, then writes a checkpoint if the log
 * has grown.
 */
export async function runHousekeeping(database: PooledDatabase): Promise<void> {
  for (const { task } of await database.query<{ task: string }>(TABLE_TASKS))
    await database.maintenance(task);
  const [log] = await database.query<{ bytes: number }>(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) as bytes from pg_control_checkpoint()',
  );
  if (log && log.bytes > CHECKPOINT_EVERY_BYTES) await database.maintenance('checkpoint');
}

const INTERVAL_MS = 60_000;
const CHECKPOINT_EVERY_BYTES = 64 * 1024 * 1024;

// PostgreSQL's own thresholds (autovacuum_vacuum_*, autovacuum_analyze_*), with a higher minimum
// for small tables.
const TABLE_TASKS = `
  select case when n_dead_tup > 500 + 0.2 * n_live_tup
              then format('vacuum (analyze) %I.%I', schemaname, relname)
              else format('analyze %I.%I', schemaname, relname) end as task
  from pg_stat_user_tables
  where n_dead_tup > 500 + 0.2 * n_live_tup or n_mod_since_analyze > 500 + 0.1 * n_live_tup
  order by n_dead_tup desc`;
