import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { endsInTime } from '../inTime.js';
import { DistributedGroup } from './citus/distributedGroup.js';
import { findPlacement, guardedBegin, isRead, type Placement } from './citus/placement.js';
import { nameShards } from './citus/shardNames.js';
import type { ServerAddress } from './databaseUrl.js';
import {
  asThrown,
  DatabaseBusyError,
  DatabaseUnavailableError,
  isConflict,
  isDatabaseUnavailable,
  isStalePlan,
} from './errors.js';
import { channelOfGroup, openedGroup, searchPathOf, statementPrefix } from './groups.js';
import { createPoolAffinity, followConnections, type PoolAffinity } from './poolAffinity.js';
import { beginOn, enterPath, type TransactionMode } from './searchPath.js';
import { StatementNames } from './statementNames.js';
import {
  NO_TIME_LIMIT_MS,
  sendScript,
  sendStatement,
  Transaction,
  type TransactionScope,
} from './transaction.js';
import { attemptOver, type Joinable, type OpenTransaction } from './transactionOver.js';
import type { Database, DatabaseLog, Engine, GroupsTx, Queryable, QueryOptions, Tx } from './types.js';

/** The differences between the two engines, besides connecting. */
export interface DatabaseHome {
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
  /** Why the server that answers is not used; null: it is. */
  refusal?(): Error | null;
  /** Connections to another node of a Citus cluster. */
  nodeAt?(address: ServerAddress): PooledDatabase;
}

/** The text that opens a transaction where the group's tables are. */
type Guard = (mode: TransactionMode) => string;

/** What a handle of a group shares with the first one. */
interface GroupScope {
  first: PooledDatabase;
  group: number;
  path: string;
  /** Where the group's tables are in a Citus cluster; null: in the schema itself. */
  placement: (Placement & { begin: Guard }) | null;
}

/** A Database on a pool of connections; the embedded engine has one. */
export class PooledDatabase implements Database, Joinable {
  readonly engine: Engine;
  readonly group: number;
  /** The search path of the group; null: that of the connection. */
  readonly #path: string | null;
  readonly #pool: Pool;
  readonly #home: DatabaseHome;
  readonly #log: DatabaseLog;
  readonly #names: StatementNames;
  readonly #groups = new Map<number, PooledDatabase>();
  readonly #distributed = new Map<number, DistributedGroup>();
  /** Of all groups, by number. A group on another server adds its handle here. */
  #handles: Map<number, Database>;
  /** Opens each transaction on the group's node; null: nothing needs to be checked. */
  readonly #guard: Guard | null;
  readonly #inside: AsyncLocalStorage<Transaction> | null;
  /** Open connections, idle or not. A set: the pool can report the removal of a lost one twice. */
  readonly #connected: Set<PoolClient>;
  /** Made for the second group: one has nothing to prefer. */
  readonly #affinity: { of: PoolAffinity | null };
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
    const placement = scope?.placement ?? null;
    this.#guard = placement?.begin ?? null;
    const rewrite = placement
      ? (text: string) => nameShards(text, placement.own, placement.shared)
      : undefined;
    this.#names = new StatementNames(undefined, statementPrefix(this.group), rewrite);
    this.#inside = scope ? scope.first.#inside : isGuarded ? new AsyncLocalStorage() : null;
    this.#connected = scope ? scope.first.#connected : followConnections(pool);
    this.#affinity = scope ? scope.first.#affinity : { of: null };
    this.#pool = pool;
    this.#home = home;
    this.#log = log;
    this.#handles = scope?.first.handles ?? new Map();
    if (!this.#handles.has(this.group)) this.#handles.set(this.group, this);
  }

  get handles(): Map<number, Database> {
    return this.#handles;
  }

  get groupNumbers(): readonly number[] {
    return [...this.handles.keys()].sort((left, right) => left - right);
  }

  ofGroup(group: number): Queryable {
    return group === this.group ? this : openedGroup(this.handles, group);
  }

  inGroup(group: number): Database {
    return this.#handleOf(group, searchPathOf(group));
  }

  inGroupOf(other: Database): Database {
    if (!(other instanceof PooledDatabase)) return other;
    return other.#path === null ? this : this.#handleOf(other.group, other.#path);
  }

  inDistributedGroup(group: number, shared: string, arrive: (db: Database) => Promise<unknown>): Database {
    const known = this.#distributed.get(group);
    if (known) return known;
    const coordinator = this.inGroup(group);
    const findOwner = () => this.#ownerOf(group, shared);
    const made = new DistributedGroup({ group, coordinator, findOwner, arrive });
    this.#distributed.set(group, made);
    this.#handles.set(group, made);
    return made;
  }

  async #ownerOf(group: number, shared: string): Promise<PooledDatabase> {
    const placement = await findPlacement(this, group);
    const node = this.#home.nodeAt?.(placement.node);
    if (!node) throw new Error('the embedded database has no other nodes');
    node.#handles = this.#handles;
    const path = searchPathOf(group);
    return node.#handleOf(group, path, { ...placement, begin: guardedBegin(path, shared, placement) });
  }

  // One handle for each group: two would give their statements the same names.
  #handleOf(group: number, path: string, placement: GroupScope['placement'] = null): PooledDatabase {
    const known = this.#groups.get(group);
    if (known) return known;
    if (this.engine === 'postgresql') this.#affinity.of ??= createPoolAffinity(this.#pool, this.#connected);
    const scope = { first: this, group, path, placement };
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

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#repeated(() => this.#attempt('write', work));
  }

  view<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#repeated(() => this.#attempt('view', work));
  }

  transactionOver<T>(work: (over: GroupsTx) => Promise<T>): Promise<T> {
    return this.#repeated(() =>
      attemptOver(this, this.handles, work, ({ transaction }, run) => this.#within(transaction, run)),
    );
  }

  async #repeated<T>(attempt: () => Promise<T>): Promise<T> {
    this.#refuseInside();
    for (let retriesLeft = CONFLICT_RETRIES; ; retriesLeft -= 1) {
      try {
        return await attempt();
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

  async notify(channel: string, sender = ''): Promise<void> {
    await this.#statement('select pg_notify($1, $2)', [channelOfGroup(this.group, channel), sender]);
  }

  async ping(): Promise<void> {
    const answer = this.#statement('select 1', []);
    const isInTime = await endsInTime(answer, PING_LIMIT_MS);
    if (isInTime) return;
    const refusal = this.#home.refusal?.();
    const reason = refusal ?? `no answer within ${PING_LIMIT_MS} ms`;
    throw !refusal && this.#isFull() ? new DatabaseBusyError(reason) : new DatabaseUnavailableError(reason);
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
      this.#withClient((client) =>
        this.#guard === null
          ? sendStatement(client, this.#names, text, values, options)
          : this.#sendGuarded(client, this.#guard(isRead(text) ? 'read' : 'write'), text, values, options),
      );
    try {
      return await send();
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      this.#names.forget(); // safe: the server refused the plan before it ran anything
      return send();
    }
  }

  /** A transaction of one statement, in one round trip. Where it does not open, nothing runs. */
  async #sendGuarded(
    client: PoolClient,
    begin: string,
    text: string,
    values: readonly unknown[],
    options?: QueryOptions,
  ): Promise<QueryResult> {
    const sent = [
      sendScript(client, begin),
      sendStatement(client, this.#names, text, values, options),
      sendScript(client, 'commit'),
    ] as const;
    const [opened, done, ended] = await Promise.allSettled(sent);
    for (const each of [opened, done, ended]) if (each.status === 'rejected') throw each.reason;
    return sent[1];
  }

  #within<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
    return this.#inside ? this.#inside.run(transaction, work) : work();
  }

  async #withClient(send: (client: PoolClient) => Promise<QueryResult>): Promise<QueryResult> {
    const client = await this.#checkOut();
    let isLost = false;
    try {
      const entering = this.#guard === null ? enterPath(client, this.#path) : undefined;
      if (entering) await entering;
      return await send(client);
    } catch (error) {
      isLost = isDatabaseUnavailable(error);
      throw error;
    } finally {
      client.release(isLost);
    }
  }

  /** A transaction that its caller ends, and then releases. */
  async openTransaction(mode: TransactionMode = 'write'): Promise<OpenTransaction> {
    const client = await this.#checkOut();
    const transaction = new Transaction(client, this.#scope());
    const release = () => client.release(transaction.isLost);
    try {
      await transaction.begin(this.#guard ? this.#guard(mode) : beginOn(client, this.#path, mode));
    } catch (error) {
      await transaction.rollback();
      release();
      throw error;
    }
    return { transaction, path: this.#path, pool: this.#pool, release };
  }

  #scope(): TransactionScope {
    return {
      group: this.group,
      names: this.#names,
      path: this.#path,
      handles: this.handles,
      besides: (group) => {
        const handle = openedGroup(this.handles, group);
        if (handle instanceof DistributedGroup) return handle.beside();
        return handle instanceof PooledDatabase && handle.#pool === this.#pool ? handle.#scope() : handle;
      },
    };
  }

  /** Whether a transaction reaches the tables of this group. */
  shares({ pool }: OpenTransaction): boolean {
    return pool === this.#pool;
  }

  /** Runs `work` in the transaction of another group, on the tables of this one. */
  async enter<T>({ transaction, path }: OpenTransaction, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.group === transaction.group) return work(transaction.tx);
    await transaction.setPath(this.#path);
    const result = await work(transaction.inGroup(this.#scope()).tx);
    await transaction.setPath(path);
    return result;
  }

  async #attempt<T>(mode: TransactionMode, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { transaction, release } = await this.#opened(mode);
    try {
      const result = await this.#within(transaction, () => work(transaction.tx));
      await transaction.commit();
      return result;
    } catch (error) {
      await transaction.rollback();
      throw await transaction.reasonFor(error);
    } finally {
      release();
    }
  }

  async #opened(mode: TransactionMode): Promise<Pick<OpenTransaction, 'transaction' | 'release'>> {
    if (this.engine === 'postgresql') return this.openTransaction(mode);
    const client = await this.#checkOut();
    const transaction = new Transaction(client, this.#scope());
    transaction.open(beginOn(client, this.#path, mode));
    return { transaction, release: () => client.release(transaction.isLost) };
  }

  // Any failure to connect (full pool, wrong password) means that the database is unavailable to
  // the caller.
  async #checkOut(): Promise<PoolClient> {
    try {
      return await (this.#affinity.of?.connect(this.group) ?? this.#pool.connect());
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
    const isDrained = await endsInTime(this.#pool.end(), CLOSE_LIMIT_MS);
    if (!isDrained)
      this.#log.warn({ limitMs: CLOSE_LIMIT_MS }, 'closing the database while statements still run');
    await this.#home.close();
  }
}

const CONFLICT_RETRIES = 3;
const RETRY_JITTER_MS = 50;
const PING_LIMIT_MS = 2_000;
/** The message of pg-pool 3. */
const WAITED_FOR_A_CONNECTION = 'timeout exceeded when trying to connect';
const CLOSE_LIMIT_MS = 10_000;
