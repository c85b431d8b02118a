import { setTimeout as pause } from 'node:timers/promises';
import type { PooledDatabase } from '../../kit/db/pooledDatabase.js';
import type { DatabaseLog } from '../../kit/db/types.js';

/**
 * The embedded engine has no background processes: nothing vacuums, collects statistics or writes
 * checkpoints. Its log would grow until the next clean stop, and a start after a crash would replay
 * all of it. This does these tasks once a minute, if there is something to do, and more often after
 * a start: the connection keeps plans that were made while tables were empty, until they are analyzed.
 */
export function startHousekeeping(database: PooledDatabase, log: DatabaseLog): { stop(): void } {
  let delayMs = FIRST_RUN_MS;
  let timer = setTimeout(run, delayMs).unref();
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
      if (!isStopped) log.warn({ err }, 'housekeeping of the embedded database failed; it is retried');
    }
    delayMs = Math.min(INTERVAL_MS, 2 * delayMs);
    if (!isStopped) timer = setTimeout(run, delayMs).unref();
  }
}

/**
 * One run: vacuums and analyzes tables that have changed much, then writes a checkpoint if the log
 * has grown. The engine has one connection, so after each task others have it for as long.
 */
export async function runHousekeeping(database: PooledDatabase): Promise<void> {
  for (const { task } of await database.query<{ task: string }>(TABLE_TASKS)) {
    const startedMs = performance.now();
    await database.maintenance(task);
    await pause(performance.now() - startedMs, undefined, { ref: false });
  }
  const [log] = await database.query<{ bytes: number }>(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) as bytes from pg_control_checkpoint()',
  );
  if (log && log.bytes > CHECKPOINT_EVERY_BYTES) await database.maintenance('checkpoint');
}

const FIRST_RUN_MS = 4_000;
const INTERVAL_MS = 60_000;
const CHECKPOINT_EVERY_BYTES = 64 * 1024 * 1024;

// PostgreSQL's own thresholds (autovacuum_vacuum_*, autovacuum_analyze_*), with a higher minimum
// for small tables.
const TABLE_TASKS = `
  select format('%s %I.%I', task, schemaname, relname) as task
  from pg_stat_user_tables, lateral (values
    ('vacuum', n_dead_tup > 500 + 0.2 * n_live_tup),
    ('analyze', n_mod_since_analyze > 500 + 0.1 * n_live_tup)) as due (task, is_due)
  where is_due
  order by n_dead_tup desc, task desc`;
