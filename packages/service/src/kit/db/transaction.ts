import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client, PoolClient, QueryResult } from 'pg';
import { traceStep } from '../tracing.js';
import { asThrown, isDatabaseUnavailable } from './errors.js';
import type { StatementNames } from './statementNames.js';
import { statementSummary } from './statementSummary.js';
import type { Queryable, QueryOptions, Tx } from './types.js';

/** The group whose tables a transaction finds. */
export interface TransactionScope {
  group: number;
  names: StatementNames;
  path: string | null;
  handles: ReadonlyMap<number, unknown>;
  /** Another group: on the same connection, or its handle. */
  besides(group: number): TransactionScope | Queryable;
}

/** One open transaction on one connection; callers see it as Tx. */
export class Transaction implements Queryable {
  readonly group: number;
  readonly #client: PoolClient;
  readonly #scope: TransactionScope;
  #state: 'open' | 'over' = 'open';
  #isLost = false;
  /** The commit that `endWith` has sent. */
  #ending: Promise<QueryResult> | null = null;
  /** What opens the transaction, if `open` has sent it. */
  #opening: Promise<QueryResult> | null = null;

  constructor(client: PoolClient, scope: TransactionScope) {
    this.group = scope.group;
    this.#client = client;
    this.#scope = scope;
  }

  get groupNumbers(): readonly number[] {
    return [...this.#scope.handles.keys()].sort((left, right) => left - right);
  }

  ofGroup(group: number): Queryable {
    if (group === this.group) return this;
    const found = this.#scope.besides(group);
    return 'query' in found ? found : new VisitedGroup(this, this.#client, this.#scope, found);
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** The connection broke or its state is unknown: do not reuse it. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** This object in the type that write functions take. */
  get tx(): Tx {
    return this as unknown as Tx;
  }

  async query<R extends object = Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
    options: QueryOptions = {},
  ) {
    const result = await this.#send(text, values, options);
    return result.rows as R[];
  }

  async execute(text: string, values: readonly unknown[] = []): Promise<number> {
    const result = await this.#send(text, values);
    return result.rowCount ?? 0;
  }

  /**
   * Runs any number of statements in one text, without parameters and time limit: for migrations.
   */
  async script(text: string): Promise<void> {
    const signal = givingUp.getStore();
    const disconnect = () => (this.#client as PoolClient & Client).connection.stream.destroy();
    signal?.addEventListener('abort', disconnect);
    try {
      await this.#guard(() => sendScript(this.#client, text, NO_TIME_LIMIT_MS));
    } finally {
      signal?.removeEventListener('abort', disconnect);
    }
  }

  /** @param text opens the transaction and says where names are looked up. */
  async begin(text: string): Promise<void> {
    await this.#guard(() => sendScript(this.#client, text));
  }

  /**
   * The same without waiting: it travels with the first statements. Only for the embedded engine, where it
   * fails only if the engine does: on a server a cancelled `begin` would leave them without a transaction.
   */
  open(text: string): void {
    this.#opening = this.#guard(() => sendScript(this.#client, text));
    this.#opening.catch(() => {}); // awaited by commit or reasonFor
  }

  /** The error of what opened the transaction, which later errors follow from; else `error` itself. */
  async reasonFor(error: unknown): Promise<unknown> {
    return (await this.#opening?.then(() => error, asThrown)) ?? error;
  }

  /** Throws if the server rolled back instead: the code ignored the error of a statement. */
  async commit(): Promise<void> {
    await this.#opening;
    const { command } = await (this.#ending ?? this.#guard(() => sendScript(this.#client, 'commit')));
    this.#state = 'over';
    if (command !== 'COMMIT')
      throw new Error('the transaction was rolled back, because one of its statements had failed');
  }

  /** Sends the commit behind statements that are under way: see endWith. */
  end(): void {
    this.#ending = this.#guard(() => sendScript(this.#client, 'commit'));
    this.#ending.catch(() => {}); // awaited by commit or rollback
    this.#state = 'over';
  }

  /** Ends the first phase of a commit on several servers (preparedTransactions.ts). */
  async prepare(name: string): Promise<void> {
    await this.#guard(() => sendScript(this.#client, `prepare transaction '${name}'`));
    this.#state = 'over';
  }

  /**
   * Runs a statement that cannot be in a transaction, after `prepare`: on the same connection, because all others
   * may be taken by transactions that wait for the locks of the prepared one.
   */
  async maintenance(text: string): Promise<void> {
    if (this.isOpen) throw new Error('the transaction is not over yet');
    try {
      await sendScript(this.#client, text);
    } catch (error) {
      if (isDatabaseUnavailable(error)) this.#isLost = true;
      throw error;
    }
  }

  /** The same transaction with the statements of another group, on its path. */
  inGroup(scope: TransactionScope): Transaction {
    return new Transaction(this.#client, scope);
  }

  /** Where names are looked up from now on, in this transaction. */
  async setPath(path: string | null): Promise<void> {
    await this.#guard(() => sendScript(this.#client, setPathOf(path)));
  }

  /** Never throws: if it fails, the connection is marked as lost. */
  async rollback(): Promise<void> {
    // The server rolls back instead of committing, since a statement has failed.
    await this.#ending?.catch(() => {});
    if (this.#state === 'over') return;
    this.#state = 'over';
    if (this.#isLost) return;
    await sendScript(this.#client, 'rollback', ROLLBACK_LIMIT_MS).catch(() => {
      this.#isLost = true;
    });
  }

  #send(text: string, values: readonly unknown[], options?: QueryOptions): Promise<QueryResult> {
    return this.#guard(() => sendStatement(this.#client, this.#scope.names, text, values, options));
  }

  async #guard(send: () => Promise<QueryResult>): Promise<QueryResult> {
    if (this.#state === 'over') throw new Error('a tx was used after its transaction had ended');
    try {
      return await send();
    } catch (error) {
      if (isDatabaseUnavailable(error)) this.#isLost = true;
      throw error;
    }
  }
}

/**
 * Reads of another group in an open transaction. The switch there, the statement and the switch back
 * are sent at once, so that no statement of the transaction's own group comes in between.
 */
class VisitedGroup implements Queryable {
  readonly group: number;
  readonly #from: Transaction;
  readonly #client: PoolClient;
  readonly #home: TransactionScope;
  readonly #visited: TransactionScope;

  constructor(from: Transaction, client: PoolClient, home: TransactionScope, visited: TransactionScope) {
    this.group = visited.group;
    this.#from = from;
    this.#client = client;
    this.#home = home;
    this.#visited = visited;
  }

  get groupNumbers(): readonly number[] {
    return this.#from.groupNumbers;
  }

  ofGroup(group: number): Queryable {
    return group === this.group ? this : this.#from.ofGroup(group);
  }

  async query<R extends object = Record<string, unknown>>(
    text: string,
    values: readonly unknown[] = [],
    options: QueryOptions = {},
  ) {
    const sent = [
      sendScript(this.#client, setPathOf(this.#visited.path)),
      sendStatement(this.#client, this.#visited.names, text, values, options),
      sendScript(this.#client, setPathOf(this.#home.path)),
    ] as const;
    const results = await Promise.allSettled(sent);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return (await sent[1]).rows as R[];
  }

  execute(): Promise<number> {
    throw new Error('reads of another ledger group cannot write');
  }
}

function setPathOf(path: string | null): string {
  return `set local search_path to ${path ?? 'default'}`;
}

const givingUp = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs `work`, whose scripts have no time limit. On `signal` the connection of a script is closed: it throws
 * DatabaseUnavailableError, and the server rolls back as soon as it notices.
 */
export function untilGivenUp<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return givingUp.run(signal, work);
}

/** Runs several statements in one text inside a transaction: see Transaction.script. */
export async function runScript(tx: Tx, text: string): Promise<void> {
  if (!(tx instanceof Transaction)) throw new TypeError('runScript needs the tx of an open transaction');
  await tx.script(text);
}

/**
 * Sends the commit behind the last statements of a transaction without waiting for their answers: one
 * round trip less. They must have been sent, and nothing may follow them. If one fails, the server
 * rolls back.
 */
export function endWith<T>(tx: Tx, last: Promise<T>): Promise<T> {
  if (!(tx instanceof Transaction)) throw new TypeError('endWith needs the tx of an open transaction');
  tx.end();
  return last;
}

/** Sends one statement, prepared if StatementNames has a name for it. Throws as Queryable does. */
export async function sendStatement(
  client: PoolClient,
  names: StatementNames,
  text: string,
  values: readonly unknown[],
  { isUncached = false }: QueryOptions = {},
): Promise<QueryResult> {
  const named = isUncached ? { text: names.rewrite(text) } : names.of(text);
  try {
    return await traceStep(
      () => ({ name: statementSummary(text), attributes: { 'db.system.name': 'postgresql' } }),
      () => client.query({ ...named, values: values as unknown[] }),
    );
  } catch (error) {
    throw asThrown(error);
  }
}

/** Sends a text with the simple protocol: any number of statements, no parameters. */
export async function sendScript(client: PoolClient, text: string, limitMs?: number): Promise<QueryResult> {
  const query: TimedQuery = limitMs === undefined ? { text } : { text, query_timeout: limitMs };
  try {
    return await client.query(query);
  } catch (error) {
    throw asThrown(error);
  }
}

/** The longest timer: pg reads 0 as "not set" and uses the limit of the pool. */
export const NO_TIME_LIMIT_MS = 2 ** 31 - 1;

const ROLLBACK_LIMIT_MS = 5_000;

interface TimedQuery {
  text: string;
  query_timeout?: number;
}
