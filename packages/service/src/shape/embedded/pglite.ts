import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import pg, { type ClientBase, type PoolConfig } from 'pg';
import { TRANSACTION_LIMIT_MS } from '#kit/db/connecting.js';
import { isDatabaseUnavailable } from '#kit/db/errors.js';
import { PooledDatabase } from '#kit/db/pooledDatabase.js';
import type { PostgresOptions } from '#kit/db/postgres.js';
import { Channels } from '#kit/db/postgresListener.js';
import { columnTypes } from '#kit/db/results.js';
import type { Database, DatabaseLog } from '#kit/db/types.js';
import { lockDataDir } from './dataDirLock.js';
import { PgliteStream } from './pgliteStream.js';
import { PgliteHost } from './pgliteThread.js';

/**
 * The embedded database: PostgreSQL compiled to WebAssembly, in a worker thread of this process,
 * behind the same driver and pool as a server. It survives the death of the process but does not
 * sync to disk: a power cut can lose data.
 * Locks the folder and starts the engine, and does not wait for it. Throws DataDirLockedError if
 * another process uses the folder.
 */
export async function startPglite(
  options: Pick<PostgresOptions, 'transactionLimitMs' | 'isGuarded' | 'log'> & {
    dataDir?: string | undefined;
  },
): Promise<{ db: Database; opened: Promise<void> }> {
  const { dataDir, log, isGuarded = false, transactionLimitMs = TRANSACTION_LIMIT_MS } = options;
  const lock = dataDir === undefined ? undefined : await lockDataDir(dataDir, log);
  const host = new PgliteHost({ dataDir, log });
  const channels = new Channels(log);
  let sessions = 0;
  const pool = new pg.Pool({
    ...poolConfig,
    stream: () => new PgliteStream(() => host.thread()),
    // All notifications use the only session, so a new session must listen again.
    onConnect: async (client: ClientBase) => {
      client.on('notification', ({ channel, payload }) => channels.dispatch(channel, payload ?? ''));
      for (const channel of channels.names) await client.query(`listen "${channel}"`);
      sessions += 1;
      if (sessions > 1) channels.wakeAll();
    },
  });
  // The running statement fails with the error; without a listener it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', (err) => log.error({ err }, 'the embedded database stopped; reopening it'));

  const database: PooledDatabase = new PooledDatabase({
    isEmbedded: true,
    pool,
    home: { listen, close },
    log,
    inside: isGuarded ? new AsyncLocalStorage() : null,
    limits: { transaction: transactionLimitMs, severalServers: 0 },
    handles: new Map(),
  });
  const stopHousekeeping = startHousekeeping(database, log);
  return { db: database, opened: host.opened };

  async function listen(channel: string, onNotify: (payload: string) => void) {
    const remove = channels.add(channel, onNotify);
    await unlessAway(database.maintenance(`listen "${channel}"`));
    return async () => {
      if (remove()) await unlessAway(database.maintenance(`unlisten "${channel}"`));
    };
  }

  async function close() {
    stopHousekeeping();
    await host.close();
    await lock?.release();
  }
}

const poolConfig: PoolConfig = {
  max: 1,
  idleTimeoutMillis: 0,
  // How long a caller waits for the session. A deadlock of callers ends with an error instead of
  // silence.
  connectionTimeoutMillis: 30_000,
  // The engine ignores statement_timeout; after this time its thread is restarted.
  query_timeout: 60_000,
  pipeline: true,
  types: columnTypes,
  // Environment variables (PGSSLMODE, PGUSER and others) must not affect the embedded engine.
  ssl: false,
  user: 'postgres',
  database: 'postgres',
  host: 'embedded',
  port: 5432,
};

// If the database is away, its next session listens by itself.
async function unlessAway(work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error;
  });
}

/**
 * The embedded engine has no background processes: nothing vacuums, collects statistics or writes
 * checkpoints. Its log would grow until the next clean stop, and a start after a crash would replay
 * all of it. This does these tasks once a minute, if there is something to do, and more often after
 * a start: the connection keeps plans that were made while tables were empty, until they are analyzed.
 */
function startHousekeeping(database: PooledDatabase, log: DatabaseLog): () => void {
  let delayMs = FIRST_RUN_MS;
  let timer = setTimeout(run, delayMs).unref();
  let isStopped = false;
  return () => {
    isStopped = true;
    clearTimeout(timer);
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
// for small tables. After inserts, too: until a vacuum has seen a page, scans of an index look up its rows.
const TABLE_TASKS = `
  select format('%s %I.%I', task, schemaname, relname) as task
  from pg_stat_user_tables, lateral (values
    ('vacuum', n_dead_tup > 500 + 0.2 * n_live_tup or n_ins_since_vacuum > 1000 + 0.2 * n_live_tup),
    ('analyze', n_mod_since_analyze > 500 + 0.1 * n_live_tup)) as due (task, is_due)
  where is_due
  order by n_dead_tup desc, task desc`;
