import type { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { endsInTime } from '../inTime.js';
import type { ServerAddress } from './databaseUrl.js';
import {
  asThrown,
  DatabaseBusyError,
  DatabaseUnavailableError,
  isConflict,
  isDatabaseUnavailable,
  isStalePlan,
} from './errors.js';
import { channelOfGroup, openedGroup } from './groups.js';
import { type OpenTransaction, type Participant, Participants } from './participants.js';
import { nameColumnsInCamelCase, StatementNames } from './results.js';
import {
  beginIn,
  type LedgerPath,
  NO_TIME_LIMIT_MS,
  type OtherLedgers,
  sendScript,
  sendStatement,
  Transaction,
  type TransactionMode,
} from './transaction.js';
import type { Database, DatabaseLog, Ledgers, Queryable, QueryOptions, Tx } from './types.js';

export interface DatabaseHome {
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
  refusal?(): Error | null;
  /** Another handle, with connections of its own. The same for the same group and server. */
  open?(scope: Scope): PooledDatabase;
}

/** A ledger on a server: its handle has connections of its own, which find its tables. */
export interface Scope {
  ledger: number;
  path: string;
  poolSize: number;
  server?: ServerAddress;
  statements?: StatementRules;
}

/** In milliseconds. */
export interface Limits {
  /** Of a transaction; null: as long as it takes. */
  transaction: number | null;
  /** Of the locks that a transaction holds on several servers. */
  severalServers: number;
}

/** How statements find the tables of a ledger where its search path is not enough. */
export interface StatementRules {
  begin(mode: TransactionMode): string;
  beginFor(text: string): string;
  rewrite(text: string): string;
}

export interface PooledOptions {
  isEmbedded?: boolean;
  pool: Pool;
  home: DatabaseHome;
  log: DatabaseLog;
  /** Where the handles refuse statements, because a transaction is open; null: nowhere. */
  inside: AsyncLocalStorage<Transaction> | null;
  limits: Limits;
  handles: Map<number, Database>;
  /** Default: the first ledger. */
  scope?: Scope | null;
}

/** A Database on a pool of connections; the embedded engine has one. */
export class PooledDatabase implements Database, Participant {
  readonly hasOneConnection: boolean;
  readonly ledgers: Ledgers;
  readonly handles: Map<number, Database>;
  readonly scope: Scope | null;
  readonly #options: PooledOptions;
  readonly #pool: Pool;
  readonly #names: StatementNames;
  readonly #statements: StatementRules | null;
  /** Open connections. A set: the pool can report the removal of a lost one twice. */
  readonly #connected = new Set<PoolClient>();
  #closing: Promise<void> | undefined;

  constructor(options: PooledOptions) {
    const { isEmbedded = false, pool, handles, scope = null } = options;
    this.hasOneConnection = isEmbedded;
    const own = scope?.ledger ?? 0;
    this.ledgers = {
      own,
      get all() {
        return [...handles.keys()].sort((left, right) => left - right);
      },
      of: (ledger) => (ledger === own ? this : openedGroup(handles, ledger)),
    };
    this.handles = handles;
    this.scope = scope;
    this.#options = options;
    this.#pool = pool;
    this.#statements = scope?.statements ?? null;
    this.#names = new StatementNames(undefined, this.#statements?.rewrite);
    if (!scope) handles.set(0, this);
    pool.on('connect', (client) => {
      this.#connected.add(client);
      nameColumnsInCamelCase(client);
    });
    pool.on('remove', (client) => this.#connected.delete(client));
  }

  get poolSize(): number {
    return this.#pool.options.max;
  }

  get shared(): Queryable {
    return this.ledgers.of(0);
  }

  open(scope: Scope): PooledDatabase {
    const { home } = this.#options;
    if (!home.open) throw new Error('the embedded database has one ledger');
    return home.open(scope);
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

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#run('write', work);
  }

  view<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#run('view', work);
  }

  async #run<T>(mode: TransactionMode, work: (tx: Tx) => Promise<T>): Promise<T> {
    this.#refuseInside();
    for (let retriesLeft = CONFLICT_RETRIES; ; retriesLeft -= 1) {
      try {
        return await this.#attempt(mode, work);
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
    return this.#options.home.listen(channelOfGroup(this.ledgers.own, channel), onNotify);
  }

  async notify(channel: string, sender = ''): Promise<void> {
    await this.#statement('select pg_notify($1, $2)', [channelOfGroup(this.ledgers.own, channel), sender]);
  }

  async ping(): Promise<void> {
    if (await endsInTime(this.#statement('select 1', []), PING_LIMIT_MS)) return;
    const refusal = this.#options.home.refusal?.();
    const reason = refusal ?? `no answer within ${PING_LIMIT_MS} ms`;
    throw !refusal && this.#isFull() ? new DatabaseBusyError(reason) : new DatabaseUnavailableError(reason);
  }

  /** The handle of the first ledger closes the connections of all. */
  async close(): Promise<void> {
    if (this.scope) return;
    this.#closing ??= this.drain().then(() => this.#options.home.close());
    await this.#closing;
  }

  async drain(): Promise<void> {
    if (await endsInTime(this.#pool.end(), CLOSE_LIMIT_MS)) return;
    this.#options.log.warn({ limitMs: CLOSE_LIMIT_MS }, 'closing the database while statements still run');
  }

  /** Runs a statement without a time limit that cannot be prepared: `vacuum`, `checkpoint`, `listen`. */
  async maintenance(text: string): Promise<void> {
    this.#refuseInside();
    await this.#withClient((client) => sendScript(client, text, NO_TIME_LIMIT_MS));
  }

  async #statement(text: string, values: readonly unknown[], options?: QueryOptions): Promise<QueryResult> {
    this.#refuseInside();
    const begin = this.#statements?.beginFor(text);
    const send = () =>
      this.#withClient((client) => {
        const statement = () => sendStatement(client, this.#names, text, values, options);
        return begin === undefined ? statement() : this.#sendBetween(client, begin, statement);
      });
    try {
      return await send();
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      this.#names.forget(); // safe: the server refused the plan before it ran anything
      return send();
    }
  }

  /** A transaction of one statement, in one round trip. Where it does not open, nothing runs. */
  async #sendBetween(client: PoolClient, begin: string, send: () => Promise<QueryResult>) {
    const sent = [sendScript(client, begin), send(), sendScript(client, 'commit')] as const;
    for (const each of await Promise.allSettled(sent)) if (each.status === 'rejected') throw each.reason;
    return sent[1];
  }

  async #withClient(send: (client: PoolClient) => Promise<QueryResult>): Promise<QueryResult> {
    const client = await this.#checkOut();
    let isLost = false;
    try {
      return await send(client);
    } catch (error) {
      isLost = isDatabaseUnavailable(error);
      throw error;
    } finally {
      client.release(isLost);
    }
  }

  /** A transaction that its caller ends, and then releases. @param others default: of its own. */
  async openTransaction(
    others: OtherLedgers = this.#participants(),
    mode: TransactionMode = 'write',
  ): Promise<OpenTransaction> {
    const client = await this.#checkOut();
    const limitMs = this.#options.limits.transaction;
    const own = { ledger: this.ledgers.own, path: this.scope?.path ?? null };
    const transaction = new Transaction(client, { ...own, names: this.#names, others });
    const begin = this.#statements?.begin(mode) ?? beginIn(mode);
    if (limitMs !== null) transaction.limitTo(limitMs, this.hasOneConnection);
    const release = () => {
      transaction.endLimit();
      client.release(transaction.isLost);
    };
    try {
      if (this.hasOneConnection) transaction.open(begin);
      else await transaction.begin(begin);
    } catch (error) {
      await transaction.rollback();
      release();
      throw error;
    }
    return { transaction, release };
  }

  #participants(): Participants {
    const { handles, limits } = this.#options;
    return new Participants(this, handles, limits.severalServers);
  }

  pathTo(other: Queryable): LedgerPath | null {
    if (!(other instanceof PooledDatabase)) return null;
    const hasPath = this.#options.handles === other.handles && !this.#statements && !other.#statements;
    return hasPath ? { ledger: other.ledgers.own, path: other.scope?.path ?? null } : null;
  }

  async #attempt<T>(mode: TransactionMode, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { inside } = this.#options;
    const participants = this.#participants();
    const transaction = await participants.begin(this.openTransaction(participants, mode));
    const run = () => work(transaction.tx);
    try {
      const result = await (inside ? inside.run(transaction, run) : run());
      await participants.commit();
      return result;
    } catch (error) {
      await participants.rollback();
      throw await transaction.reasonFor(error);
    } finally {
      await participants.release();
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

  #isFull(): boolean {
    return this.#pool.idleCount === 0 && this.#connected.size >= this.#pool.options.max;
  }

  // The embedded engine would wait for its only connection forever; on a server the statement would
  // run outside of the transaction.
  #refuseInside(): void {
    if (!this.#options.inside?.getStore()?.isOpen) return;
    throw new Error(
      'the database handle was used inside an open transaction: use its tx, or wait for the commit',
    );
  }
}

const CONFLICT_RETRIES = 3;
const RETRY_JITTER_MS = 50;
const PING_LIMIT_MS = 2_000;
/** The message of pg-pool 3. */
const WAITED_FOR_A_CONNECTION = 'timeout exceeded when trying to connect';
const CLOSE_LIMIT_MS = 10_000;
