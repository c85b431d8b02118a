import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client, PoolClient, QueryResult } from 'pg';
import { traceStep } from '../tracing.js';
import { asThrown, DatabaseBusyError, DatabaseUnavailableError, isDatabaseUnavailable } from './errors.js';
import { type StatementNames, statementSummary } from './results.js';
import type { Ledgers, Queryable, QueryOptions, Tx } from './types.js';

export interface LedgerPath {
  ledger: number;
  path: string | null;
}

/** The other ledgers. */
export interface OtherLedgers {
  readonly numbers: readonly number[];
  find(ledger: number): LedgerPath | Queryable;
  /** Runs `work` in a transaction on another server, which ends as this one does. */
  writeIn<T>(ledger: number, work: (tx: Tx) => Promise<T>): Promise<T>;
}

export interface TransactionScope extends LedgerPath {
  names: StatementNames;
  others: OtherLedgers;
}

/** `view`: read-only, and all statements see the moment of the first one. */
export type TransactionMode = 'write' | 'read' | 'view';

export function beginIn(mode: TransactionMode): string {
  if (mode === 'view') return 'begin isolation level repeatable read, read only';
  return mode === 'read'
    ? 'begin isolation level read committed, read only'
    : 'begin isolation level read committed';
}

export class Transaction implements Queryable {
  readonly #client: PoolClient;
  readonly #scope: TransactionScope;
  #state: 'open' | 'over' = 'open';
  /** The connection broke or its state is unknown: do not reuse it. */
  isLost = false;
  #ending: Promise<QueryResult> | null = null;
  #opening: Promise<QueryResult> | null = null;
  #givenUp: Error | null = null;
  #limit: NodeJS.Timeout | undefined;
  #statementLimitMs: number | undefined;

  constructor(client: PoolClient, scope: TransactionScope) {
    this.#client = client;
    this.#scope = scope;
  }

  get shared(): Queryable {
    return this.#ledger(0);
  }

  get ledgers(): Ledgers {
    const { ledger, others } = this.#scope;
    return { own: ledger, all: others.numbers, of: (other) => this.#ledger(other) };
  }

  #ledger(ledger: number): Queryable {
    if (ledger === this.#scope.ledger) return this;
    const found = this.#scope.others.find(ledger);
    return 'query' in found ? found : this.#readsOf(found);
  }

  inShared<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.inLedger(0, work);
  }

  async inLedger<T>(ledger: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (ledger === this.#scope.ledger) return work(this.tx);
    const found = this.#scope.others.find(ledger);
    return 'query' in found ? this.#scope.others.writeIn(ledger, work) : this.#onPath(found, work);
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

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

  /** For migrations: from here on this process does not limit the time of the transaction. */
  async script(text: string): Promise<void> {
    this.endLimit();
    this.#statementLimitMs = NO_TIME_LIMIT_MS;
    const signal = givingUp.getStore();
    const disconnect = () => this.#disconnect();
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

  /** The error that others follow from: the end of its time, or that of what opened it; else `error` itself. */
  async reasonFor(error: unknown): Promise<unknown> {
    if (this.#givenUp && isDatabaseUnavailable(error)) return this.#givenUp;
    return (await this.#opening?.then(() => error, asThrown)) ?? error;
  }

  /** Throws if the server rolled back instead: the code ignored the error of a statement. */
  async commit(): Promise<void> {
    await this.#opening;
    this.#ending ??= this.#guard(() => sendScript(this.#client, 'commit'));
    const { command } = await this.#ending;
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

  async prepare(name: string): Promise<void> {
    await this.#guard(() => sendScript(this.#client, `prepare transaction '${name}'`));
    this.#state = 'over';
  }

  /**
   * Runs a statement that cannot be in a transaction, after `prepare`: on the same connection, because all others
   * may be taken by transactions that wait for the locks of the prepared one.
   */
  async maintenance(text: string, limitMs?: number): Promise<void> {
    if (this.isOpen) throw new Error('the transaction is not over yet');
    try {
      await sendScript(this.#client, text, limitMs);
    } catch (error) {
      if (isDatabaseUnavailable(error)) this.isLost = true;
      throw error;
    }
  }

  /** Its locks delay others. An embedded engine cannot be interrupted: the next statement fails. */
  limitTo(limitMs: number, isEmbedded = false): void {
    this.endLimit();
    const reason = new DatabaseBusyError(`a transaction took longer than ${limitMs / 1000} s and was ended`);
    this.#limit = setTimeout(() => this.giveUp(reason, isEmbedded), limitMs);
  }

  endLimit(): void {
    clearTimeout(this.#limit);
  }

  /** Closes the connection, so that the server rolls back. Nothing happens after `prepare`. */
  giveUp(reason: Error, isEmbedded = false): void {
    if (this.#state === 'over' && this.#ending === null) return;
    // Nobody knows how a commit ends.
    this.#givenUp = this.#ending ? new DatabaseUnavailableError(reason.message) : reason;
    if (isEmbedded) return;
    this.isLost = true;
    this.#disconnect();
  }

  #disconnect(): void {
    (this.#client as PoolClient & Client).connection.stream.destroy();
  }

  async #onPath<T>(visited: LedgerPath, work: (tx: Tx) => Promise<T>): Promise<T> {
    await this.#guard(() => sendScript(this.#client, setPathOf(visited.path)));
    const result = await work(new Transaction(this.#client, { ...this.#scope, ...visited }).tx);
    await this.#guard(() => sendScript(this.#client, setPathOf(this.#scope.path)));
    return result;
  }

  /** Never throws: if it fails, the connection is marked as lost. */
  async rollback(): Promise<void> {
    // The server rolls back instead of committing, since a statement has failed.
    await this.#ending?.catch(() => {});
    if (this.#state === 'over') return;
    this.#state = 'over';
    if (this.isLost) return;
    await sendScript(this.#client, 'rollback', ROLLBACK_LIMIT_MS).catch(() => {
      this.isLost = true;
    });
  }

  /** The statement is sent between two changes of the path, so that none of the own ledger comes in between. */
  #readsOf(visited: LedgerPath): Queryable {
    const of = (ledger: number) =>
      ledger === visited.ledger ? this.#readsOf(visited) : this.#ledger(ledger);
    return {
      get shared() {
        return of(0);
      },
      ledgers: { own: visited.ledger, all: this.#scope.others.numbers, of },
      query: async <R extends object>(...[text, values = [], options]: Parameters<Queryable['query']>) => {
        const sent = [
          sendScript(this.#client, setPathOf(visited.path)),
          sendStatement(this.#client, this.#scope.names, text, values, options),
          sendScript(this.#client, setPathOf(this.#scope.path)),
        ] as const;
        for (const each of await Promise.allSettled(sent)) if (each.status === 'rejected') throw each.reason;
        return (await sent[1]).rows as R[];
      },
      execute: () => Promise.reject(new Error('reads of another ledger cannot write')),
    };
  }

  #send(text: string, values: readonly unknown[], options?: QueryOptions): Promise<QueryResult> {
    const limited = this.#statementLimitMs ? { ...options, limitMs: this.#statementLimitMs } : options;
    return this.#guard(() => sendStatement(this.#client, this.#scope.names, text, values, limited));
  }

  async #guard(send: () => Promise<QueryResult>): Promise<QueryResult> {
    if (this.#givenUp) throw this.#givenUp;
    if (this.#state === 'over') throw new Error('a tx was used after its transaction had ended');
    try {
      return await send();
    } catch (error) {
      if (isDatabaseUnavailable(error)) this.isLost = true;
      throw error;
    }
  }
}

function setPathOf(path: string | null): string {
  return `set local search_path to ${path ?? 'default'}`;
}

const givingUp = new AsyncLocalStorage<AbortSignal>();

/** On `signal` the connection of a script is closed: DatabaseUnavailableError, and a rollback. */
export function untilGivenUp<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  // Enabled, it would cost a hook on every promise of the process from here on.
  return givingUp.run(signal, work).finally(() => givingUp.disable());
}

/** Runs several statements in one text inside a transaction: see Transaction.script. */
export async function runScript(tx: Tx, text: string): Promise<void> {
  if (!(tx instanceof Transaction)) throw new TypeError('runScript needs the tx of an open transaction');
  await tx.script(text);
}

/**
 * Sends the commit behind the last statements of a transaction without waiting for their answers: one round
 * trip less. They must have been sent, and nothing may follow them. If one fails, the server rolls back.
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
  { isUncached = false, limitMs }: QueryOptions & { limitMs?: number } = {},
): Promise<QueryResult> {
  const named = isUncached ? { text: names.rewrite(text) } : names.of(text);
  try {
    return await traceStep(
      () => ({ name: statementSummary(text), attributes: { 'db.system.name': 'postgresql' } }),
      () =>
        client.query({
          values: values as unknown[],
          ...named,
          ...(limitMs !== undefined && { query_timeout: limitMs }),
        }),
    );
  } catch (error) {
    throw asThrown(error);
  }
}

/** Sends a text with the simple protocol: any number of statements, no parameters. */
export async function sendScript(client: PoolClient, text: string, limitMs?: number): Promise<QueryResult> {
  const query = limitMs === undefined ? { text } : { text, query_timeout: limitMs };
  try {
    return await client.query(query);
  } catch (error) {
    throw asThrown(error);
  }
}

/** The longest timer: pg reads 0 as "not set" and uses the limit of the pool. */
export const NO_TIME_LIMIT_MS = 2 ** 31 - 1;

const ROLLBACK_LIMIT_MS = 5_000;
