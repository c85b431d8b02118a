import type { ClientBase, PoolConfig } from 'pg';
import pg from 'pg';
import { CONNECT_WITHIN_MS, connectionTo, STATEMENT_LIMIT_MS } from './connecting.js';
import { type ServerAddress, urlOfNode } from './databaseUrl.js';
import { NodeListeners } from './nodeListeners.js';
import { PooledDatabase } from './pooledDatabase.js';
import { PostgresListener } from './postgresListener.js';
import { type StateFolder, seenTimelinesIn } from './seenTimelines.js';
import { ServerHistory } from './serverHistory.js';
import type { Database, DatabaseLog } from './types.js';

/**
 * A PostgreSQL server. Does not connect yet; each call that needs the server reports when it is
 * unavailable.
 */
export function openPostgres(options: {
  databaseUrl: string;
  poolSize?: number | undefined;
  connectWithinMs?: number | undefined;
  isGuarded?: boolean | undefined;
  stateFolder?: StateFolder | undefined;
  log: DatabaseLog;
}): Database {
  const { databaseUrl, isGuarded, log, connectWithinMs = CONNECT_WITHIN_MS } = options;
  const listeners = new NodeListeners();
  const nodes = new Map<string, PooledDatabase>();
  const file = options.stateFolder ? seenTimelinesIn(options.stateFolder) : null;
  const history = new ServerHistory(file, log);
  const home = { listen, close, nodeAt, refusal: () => history.refusal };
  return new PooledDatabase('postgresql', openPool(databaseUrl, history), home, log, isGuarded);

  // Nodes of a Citus cluster may be copies of one another, so each has a history of its own.
  function openPool(url: string, history?: ServerHistory): pg.Pool {
    const { config, Client } = connectionTo(url, log, connectWithinMs, history);
    const pool = new pg.Pool({
      ...config,
      ...poolConfig,
      onConnect: (client) => setUpSession(client, connectWithinMs),
      Client,
      max: options.poolSize ?? DEFAULT_POOL_SIZE,
    });
    pool.on('connect', (client) => client.on('error', ignoreHere));
    pool.on('error', (err) => log.warn({ err }, 'an idle database connection was lost'));
    listeners.add(new PostgresListener({ config, Client }, log));
    return pool;
  }

  function listen(channel: string, onNotify: (payload: string) => void) {
    return listeners.listen(channel, onNotify);
  }

  async function close() {
    await Promise.all([...nodes.values()].map((node) => node.close()));
    await listeners.close();
  }

  // Its listener is closed with the others.
  function nodeAt(address: ServerAddress): PooledDatabase {
    const key = `${address.host}:${address.port}`;
    const known = nodes.get(key);
    if (known) return known;
    const home = { listen, nodeAt, close: async () => {} };
    const pool = openPool(urlOfNode(databaseUrl, address));
    const opened = new PooledDatabase('postgresql', pool, home, log, isGuarded);
    nodes.set(key, opened);
    return opened;
  }
}

export const DEFAULT_POOL_SIZE = 10;

const poolConfig: PoolConfig = {
  pipeline: true, // statements started together in a transaction share a round trip
  idleTimeoutMillis: 300_000, // a new connection has to plan every statement again
};

// With a statement, because PgBouncer refuses startup parameters. UTC, so that both engines cut
// days at the same time. No JIT and no parallel workers: requests are short and many run at once,
// so compiling a plan or starting a worker takes longer than the work (a page of the book: 60 ms to
// start the worker, 1 ms to read the page).
async function setUpSession(client: ClientBase, withinMs: number): Promise<void> {
  const settings = {
    TimeZone: 'UTC',
    DateStyle: 'ISO, MDY',
    statement_timeout: `${STATEMENT_LIMIT_MS}ms`,
    lock_timeout: '10s',
    idle_in_transaction_session_timeout: '60s',
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    // Of Citus: how long a server waits for another one. Without Citus the name means nothing.
    'citus.node_connection_timeout': '5s',
  };
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  const query: { text: string; query_timeout: number } = {
    text: `select ${calls.join(', ')}`,
    query_timeout: withinMs,
  };
  await client.query(query);
}

// If a connection breaks while checked out, its running statement fails; without a listener the
// error would end the process.
function ignoreHere(): void {}
