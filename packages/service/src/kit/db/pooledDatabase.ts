import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { nameColumnsInCamelCase } from './camelCase.js';
import {
  asThrown,
  DatabaseBusyError,
  DatabaseUnavailableError,
  isConflict,
  isDatabaseUnavailable,
  isStalePlan,
} from './errors.js';
import { channelOfGroup, searchPathOf, statementPrefix } from './groups.js';
import { enterPath } from './searchPath.js';
import { StatementNames } from './statementNames.js';
import { NO_TIME_LIMIT_MS, sendScript, sendStatement, Transaction } from './transaction.js';
import type { Database, DatabaseLog, Engine, QueryOptions, Tx } from './types.js';

/** The differences between the two engines, besides connecting. */
export interface DatabaseHome {
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** What a handle of a group shares with the first one. */
interface GroupScope {
  first: PooledDatabase;
  group: number;
  path: string;
}

/** A Database on a pool of connections; the embedded engine has one. */
export class PooledDatabase implements Database {
  readonly engine: Engine;
  readonly group: number;
  /** The search path of the group; null: that of the connection. */
  readonly #path: string | null;
  readonly #pool: Pool;
  readonly #home: DatabaseHome;
  readonly #log: DatabaseLog;
  readonly #names: StatementNames;
  readonly #groups = new Map<number, PooledDatabase>();
  readonly #inside: AsyncLocalStorage<Transaction> | null;
  /** Open connections, idle or not. A set: the pool can report the removal of a lost one twice. */
  readonly #connected: Set<PoolClient>;
  #closing: Promise<void> | undefined;

  constructor(
    engine: Engine,
    pool: Pool,
    home: DatabaseHome,
    log: DatabaseLog,
    isGuarded = true,
    scope: GroupScope | null = null,
  ) {
    this.engine = engine;
    this.group = scope?.group ?? 0;
    this.#path = scope?.path ?? null;
    this.#names = new StatementNames(undefined, statementPrefix(this.group));
    this.#inside = scope ? scope.first.#inside : isGuarded ? new AsyncLocalStorage() : null;
    this.#connected = scope ? scope.first.#connected : followConnections(pool);
    this.#pool = pool;
    this.#home = home;
    this.#log = log;
  }

  inGroup(group: number, shared: string): Database {
    return this.#handleOf(group, searchPathOf(group, shared));
  }

  inGroupOf(other: Database): Database {
    const path = other instanceof PooledDatabase ? other.#path : null;
    return path === null ? this : this.#handleOf(other.group, path);
  }

  // One handle for each group: two would give their statements the same names.
  #handleOf(group: number, path: string): Database {
    const known = this.#groups.get(group);
    if (known) return known;
    const scope = { first: this, group, path };
    const made = new PooledDatabase(this.engine, this.#pool, this.#home, this.#log, undefined, scope);
    this.#groups.set(group, made);
    return made;
  }

  async query<R extends object = Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
    options: QueryOptions = {},
  ) {
    const result = await this.#statement(text, values, options);
    return result.rows as R[];
  }

  async execute(text: string, values: readonly unknown[] = []): Promise<number> {
    const result = await this.#statement(text, values);
    return result.rowCount ?? 0;
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.#refuseInside();
    for (let retriesLeft = CONFLICT_RETRIES; ; retriesLeft -= 1) {
      try {
        return await this.#attempt(work);
      } catch (error) {
        if (isStalePlan(error)) this.#names.forget();
        else if (!isConflict(error)) throw error;
        if (retriesLeft === 0) throw error;
        await pause(Math.random() * RETRY_JITTER_MS);
      }
    }
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    this.#refuseInside();
    return this.#home.listen(channelOfGroup(this.group, channel), onNotify);
  }

  async notify(channel: string): Promise<void> {
    await this.#statement("select pg_notify($1, '')", [channelOfGroup(this.group, channel)]);
  }

  async ping(): Promise<void> {
    const answer = this.#statement('select 1', []);
    const isInTime = await within(PING_LIMIT_MS, answer);
    if (isInTime) return;
    const reason = `no answer within ${PING_LIMIT_MS} ms`;
    throw this.#isFull() ? new DatabaseBusyError(reason) : new DatabaseUnavailableError(reason);
  }

  close(): Promise<void> {
    if (this.group !== 0) return Promise.resolve();
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /**
   * Runs a statement without a time limit that cannot be prepared: `vacuum`, `checkpoint`,
   * `listen`.
   */
  async maintenance(text: string): Promise<void> {
    this.#refuseInside();
    await this.#withClient((client) => sendScript(client, text, NO_TIME_LIMIT_MS));
  }

  async #statement(text: string, values: readonly unknown[], options?: QueryOptions): Promise<QueryResult> {
    this.#refuseInside();
    const send = () =>
      this.#withClient((client) => sendStatement(client, this.#names, text, values, options));
    try {
      return await send();
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      this.#names.forget(); // safe: the server refused the plan before it ran anything
      return send();
    }
  }

  #within<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
    return this.#inside ? this.#inside.run(transaction, work) : work();
  }

  async #withClient(send: (client: PoolClient) => Promise<QueryResult>): Promise<QueryResult> {
    const client = await this.#checkOut();
    let isLost = false;
    try {
      const entering = enterPath(client, this.#path);
      if (entering) await entering;
      return await send(client);
    } catch (error) {
      isLost = isDatabaseUnavailable(error);
      throw error;
    } finally {
      client.release(isLost);
    }
  }

  async #attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.#checkOut();
    const transaction = new Transaction(client, this.#names, this.group);
    try {
      await transaction.begin(this.#path);
      const result = await this.#within(transaction, () => work(transaction.tx));
      await transaction.commit();
      return result;
    } catch (error) {
      await transaction.rollback();
      throw error;
    } finally {
      client.release(transaction.isLost);
    }
  }

  // Any failure to connect (full pool, wrong password) means that the database is unavailable to
  // the caller.
  async #checkOut(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      const thrown = asThrown(error);
      if (error instanceof Error && error.message === WAITED_FOR_A_CONNECTION && this.#isFull()) {
        throw new DatabaseBusyError('all connections of this process are in use');
      }
      throw isDatabaseUnavailable(thrown) ? thrown : new DatabaseUnavailableError(error);
    }
  }

  /** Whether callers wait for other work, not for a server that refuses connections. */
  #isFull(): boolean {
    return this.#pool.idleCount === 0 && this.#connected.size >= this.#pool.options.max;
  }

  // The embedded engine would wait for its only connection forever; on a server the statement would
  // run outside of the transaction.
  #refuseInside(): void {
    if (!this.#inside?.getStore()?.isOpen) return;
    throw new Error(
      'the database handle was used inside an open transaction: use its tx, or wait for the commit',
    );
  }

  async #close(): Promise<void> {
    const isDrained = await within(CLOSE_LIMIT_MS, this.#pool.end());
    if (!isDrained)
      this.#log.warn({ limitMs: CLOSE_LIMIT_MS }, 'closing the database while statements still run');
    await this.#home.close();
  }
}

function followConnections(pool: Pool): Set<PoolClient> {
  const connected = new Set<PoolClient>();
  pool.on('connect', (client) => {
    connected.add(client);
    nameColumnsInCamelCase(client);
  });
  pool.on('remove', (client) => {
    connected.delete(client);
  });
  return connected;
}

const CONFLICT_RETRIES = 3;
const RETRY_JITTER_MS = 50;
const PING_LIMIT_MS = 2_000;
/** The message of pg-pool 3. */
const WAITED_FOR_A_CONNECTION = 'timeout exceeded when trying to connect';
const CLOSE_LIMIT_MS = 10_000;

/** True if the work ends in time. Its error is thrown; a late one is ignored. */
async function within(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  try {
    return await Promise.race([work.then(() => true), limit]);
  } finally {
    clearTimeout(timer);
  }
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
