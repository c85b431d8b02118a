import { AsyncLocalStorage } from 'node:async_hooks';
import pg, { type ClientBase, type PoolConfig } from 'pg';
import {
  CONNECT_WITHIN_MS,
  type Connecting,
  connectionTo,
  STATEMENT_LIMIT_MS,
  TRANSACTION_LIMIT_MS,
} from './connecting.js';
import { type ServerAddress, urlOfNode } from './databaseUrl.js';
import { DatabaseUnavailableError } from './errors.js';
import { type Limits, PooledDatabase, type Scope } from './pooledDatabase.js';
import { Channels, PostgresListener } from './postgresListener.js';
import { ServerHistory, type StateFolder, seenTimelinesIn } from './serverHistory.js';
import type { Transaction } from './transaction.js';
import type { Database, DatabaseLog } from './types.js';

export interface PostgresOptions {
  /** postgres://… of a server, version 15 or newer. */
  databaseUrl: string;
  poolSize?: number | undefined;
  /** How long work waits for a connection before it fails as overload. Default: 2 s. */
  connectWithinMs?: number | undefined;
  /** Of a transaction, or a statement outside of one. Default: 10 s. Null, for commands: no limit. */
  transactionLimitMs?: number | null | undefined;
  /** How long a transaction may hold locks on several servers. Default: 1 s. */
  severalServersLimitMs?: number | undefined;
  /**
   * Refuses the database handle inside an open transaction, for the tests, which run the same code with it. The
   * guard costs a hook on every promise, a tenth of the time of a write.
   */
  isGuarded?: boolean | undefined;
  /** Remembers over restarts which server was written to. */
  stateFolder?: StateFolder | undefined;
  log: DatabaseLog;
}

/** Does not connect yet. Each ledger has a pool of its own (`open`). */
export function openPostgres(options: PostgresOptions): PooledDatabase {
  const { databaseUrl, log, isGuarded = false, connectWithinMs = CONNECT_WITHIN_MS } = options;
  const { poolSize = DEFAULT_POOL_SIZE, transactionLimitMs = TRANSACTION_LIMIT_MS } = options;
  const limits: Limits = {
    transaction: transactionLimitMs,
    severalServers: options.severalServersLimitMs ?? SEVERAL_SERVERS_LIMIT_MS,
  };
  const channels = new Channels(log);
  const listeners: PostgresListener[] = [];
  const servers = new Map<string, Connecting>();
  const opened = new Map<string, PooledDatabase>();
  const handles = new Map<number, Database>();
  const inside = isGuarded ? new AsyncLocalStorage<Transaction>() : null;
  const file = options.stateFolder ? seenTimelinesIn(options.stateFolder) : null;
  const history = new ServerHistory(file, log);
  return handleOf(null);

  function handleOf(scope: Scope | null): PooledDatabase {
    const { config, Client } = serverOf(scope?.server);
    const path = scope && !scope.statements ? scope.path : null;
    const pool = new pg.Pool({
      ...config,
      ...poolConfig,
      ...(scope && { idleTimeoutMillis: GROUP_IDLE_MS }),
      onConnect: (client) => setUpSession(client, path, connectWithinMs, limits.transaction),
      Client,
      max: scope?.poolSize ?? poolSize,
    });
    pool.on('connect', (client) => client.on('error', ignoreHere));
    pool.on('error', (err) => log.warn({ err }, 'an idle database connection was lost'));
    const home = { listen, close, open, refusal: () => (scope?.server ? null : history.refusal) };
    return new PooledDatabase({ pool, home, log, inside, limits, handles, scope });
  }

  function open(scope: Scope): PooledDatabase {
    const { ledger, server, statements } = scope;
    const key = `${ledger} ${server?.host}:${server?.port} ${statements !== undefined}`;
    const known = opened.get(key) ?? handleOf(scope);
    opened.set(key, known);
    return known;
  }

  // Nodes of a Citus cluster may be copies of one another, so each has a history of its own.
  function serverOf(address: ServerAddress | undefined): Connecting {
    const key = address ? `${address.host}:${address.port}` : '';
    const known = servers.get(key);
    if (known) return known;
    const url = address ? urlOfNode(databaseUrl, address) : databaseUrl;
    const server = connectionTo(url, log, connectWithinMs, address ? undefined : history);
    if (limits.transaction !== null) server.config.query_timeout = limits.transaction;
    servers.set(key, server);
    listeners.push(new PostgresListener(server, channels, log));
    return server;
  }

  // With Citus, a transaction notifies on the node that it runs on.
  async function listen(channel: string, onNotify: (payload: string) => void) {
    const remove = channels.add(channel, onNotify);
    await Promise.all(listeners.map((listener) => listener.follow()));
    return async () => {
      if (remove()) await Promise.all(listeners.map((listener) => listener.unfollow(channel)));
    };
  }

  async function close() {
    await Promise.all([...opened.values()].map((handle) => handle.drain()));
    await Promise.all(listeners.map((listener) => listener.close()));
  }
}

/** A group that rests needs no connections. */
const GROUP_IDLE_MS = 10_000;
const SEVERAL_SERVERS_LIMIT_MS = 1_000;
/** The server ends a statement this much before the process gives up its connection. */
const SERVER_FIRST_MS = 500;
const SERVER_LAST_MS = 1_000;

export const DEFAULT_POOL_SIZE = 10;

const poolConfig: PoolConfig = {
  pipeline: true, // statements started together in a transaction share a round trip
  idleTimeoutMillis: 300_000, // a new connection has to plan every statement again
};

// With a statement, because PgBouncer refuses startup parameters. UTC, so that both engines cut
// days at the same time. No JIT and no parallel workers: requests are short and many run at once,
// so compiling a plan or starting a worker takes longer than the work (a page of the book: 60 ms to
// start the worker, 1 ms to read the page).
async function setUpSession(
  client: ClientBase,
  path: string | null,
  connectWithinMs: number,
  limitMs: number | null,
): Promise<void> {
  const statementMs = limitMs === null ? STATEMENT_LIMIT_MS : limitMs - SERVER_FIRST_MS;
  const settings = {
    TimeZone: 'UTC',
    DateStyle: 'ISO, MDY',
    statement_timeout: `${statementMs}ms`,
    lock_timeout: '10s',
    // For a process that stops in the middle: its locks delay others. Any other ends its transaction itself.
    idle_in_transaction_session_timeout: `${limitMs === null ? 60_000 : limitMs + SERVER_LAST_MS}ms`,
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    // Of Citus: how long a server waits for another one. Without Citus the name means nothing.
    'citus.node_connection_timeout': '5s',
    ...(path !== null && { search_path: path }),
  };
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', '${value.replaceAll("'", "''")}', false)`,
  );
  const query = { text: `select ${calls.join(', ')}`, query_timeout: connectWithinMs };
  await client.query(query);
}

// If a connection breaks while checked out, its running statement fails; without a listener the
// error would end the process.
function ignoreHere(): void {}

/** Finds a pooler that assigns the last-used session, and one that assigns the next. */
const TURNS = [0, 1, 1, 0, 0, 1] as const;

const ignore = () => undefined;
/** The service itself says which server it does not use. */
const SILENT = { info: ignore, warn: ignore, error: ignore };

/**
 * Whether connections share sessions, as with PgBouncer and transaction pooling. Session state (LISTEN,
 * settings, prepared statements) is then lost or visible to others. A session is identified by its process id
 * and start time. Throws DatabaseUnavailableError.
 */
export async function sharesSessions(databaseUrl: string): Promise<boolean> {
  const { config, Client } = connectionTo(databaseUrl, SILENT);
  const clients = [new Client(config), new Client(config)] as const;
  try {
    for (const client of clients) {
      client.on('error', () => undefined); // the running statement fails with it
      await client.connect();
    }
    const seen = [new Set<string>(), new Set<string>()] as const;
    for (const turn of TURNS) seen[turn].add(await sessionOf(clients[turn]));
    const [own, others] = seen;
    return own.size > 1 || others.size > 1 || [...own].some((session) => others.has(session));
  } catch (error) {
    throw new DatabaseUnavailableError(error);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

async function sessionOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ session: string }>(
    `select pg_backend_pid() || ' ' || backend_start as session from pg_stat_activity where pid = pg_backend_pid()`,
  );
  return rows[0]?.session ?? '';
}
