import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClientBase, PoolConfig } from 'pg';
import pg from 'pg';
import { Channels } from '../../kit/db/channels.js';
import { columnTypes } from '../../kit/db/columnTypes.js';
import { TRANSACTION_LIMIT_MS } from '../../kit/db/connecting.js';
import { isDatabaseUnavailable } from '../../kit/db/errors.js';
import { PooledDatabase } from '../../kit/db/pooledDatabase.js';
import type { PostgresOptions } from '../../kit/db/postgres.js';
import type { Database, DatabaseLog } from '../../kit/db/types.js';
import { lockDataDir } from './dataDirLock.js';
import { PgliteHost } from './pgliteHost.js';
import { startHousekeeping } from './pgliteHousekeeping.js';
import { PgliteStream } from './pgliteStream.js';

/**
 * The embedded database: PostgreSQL compiled to WebAssembly, in a worker thread of this process,
 * behind the same driver and pool as a server. It survives the death of the process but does not
 * sync to disk: a power cut can lose data.
 * Locks the folder and starts the engine, and does not wait for it. Throws DataDirLockedError if
 * another process uses the folder.
 */
export async function startPglite(
  options: Pick<PostgresOptions, 'transactionLimitMs' | 'log'> & { dataDir?: string | undefined },
): Promise<{ db: Database; opened: Promise<void> }> {
  const { dataDir, log, transactionLimitMs = TRANSACTION_LIMIT_MS } = options;
  const lock = dataDir === undefined ? undefined : await lockDataDir(dataDir, log);
  const host = new PgliteHost({ dataDir, log });
  const db = pooled(host, log, transactionLimitMs, async () => {
    await host.close();
    await lock?.release();
  });
  return { db, opened: host.opened };
}

function pooled(
  host: PgliteHost,
  log: DatabaseLog,
  transactionLimitMs: number | null,
  release: () => Promise<void>,
): Database {
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
  pool.on('connect', (client) => client.on('error', ignoreHere));
  pool.on('error', (err) => log.error({ err }, 'the embedded database stopped; reopening it'));

  const database: PooledDatabase = new PooledDatabase({
    isEmbedded: true,
    pool,
    home: { listen, close },
    log,
    inside: new AsyncLocalStorage(),
    limits: { transaction: transactionLimitMs, severalServers: 0 },
    handles: new Map(),
  });
  const housekeeping = startHousekeeping(database, log);
  return database;

  async function listen(channel: string, onNotify: (payload: string) => void) {
    const remove = channels.add(channel, onNotify);
    await unlessAway(database.maintenance(`listen "${channel}"`));
    return async () => {
      if (remove()) await unlessAway(database.maintenance(`unlisten "${channel}"`));
    };
  }

  async function close() {
    housekeeping.stop();
    await release();
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

// The running statement fails with the error; without a listener it would end the process.
function ignoreHere(): void {}
