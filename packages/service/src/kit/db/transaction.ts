import type { PoolClient, QueryResult } from 'pg';
import { asThrown, isDatabaseUnavailable } from './errors.js';
import { beginOn } from './searchPath.js';
import type { StatementNames } from './statementNames.js';
import type { Queryable, QueryOptions, Tx } from './types.js';

/** One open transaction on one connection; callers see it as Tx. */
export class Transaction implements Queryable {
  readonly group: number;
  readonly #client: PoolClient;
  readonly #names: StatementNames;
  #state: 'open' | 'over' = 'open';
  #isLost = false;

  constructor(client: PoolClient, names: StatementNames, group: number) {
    this.group = group;
    this.#client = client;
    this.#names = names;
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
    await this.#guard(() => sendScript(this.#client, text, NO_TIME_LIMIT_MS));
  }

  /** @param path where names are looked up; null: where the connection does by itself. */
  async begin(path: string | null): Promise<void> {
    await this.#guard(() => sendScript(this.#client, beginOn(this.#client, path)));
  }

  /** Throws if the server rolled back instead: the code ignored the error of a statement. */
  async commit(): Promise<void> {
    const { command } = await this.#guard(() => sendScript(this.#client, 'commit'));
    this.#state = 'over';
    if (command !== 'COMMIT')
      throw new Error('the transaction was rolled back, because one of its statements had failed');
  }

  /** Never throws: if it fails, the connection is marked as lost. */
  async rollback(): Promise<void> {
    if (this.#state === 'over') return;
    this.#state = 'over';
    if (this.#isLost) return;
    await sendScript(this.#client, 'rollback', ROLLBACK_LIMIT_MS).catch(() => {
      this.#isLost = true;
    });
  }

  #send(text: string, values: readonly unknown[], options?: QueryOptions): Promise<QueryResult> {
    return this.#guard(() => sendStatement(this.#client, this.#names, text, values, options));
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

/** Runs several statements in one text inside a transaction: see Transaction.script. */
export async function runScript(tx: Tx, text: string): Promise<void> {
  if (!(tx instanceof Transaction)) throw new TypeError('runScript needs the tx of an open transaction');
  await tx.script(text);
}

/** Sends one statement, prepared if StatementNames has a name for it. Throws as Queryable does. */
export async function sendStatement(
  client: PoolClient,
  names: StatementNames,
  text: string,
  values: readonly unknown[],
  { isUncached = false }: QueryOptions = {},
): Promise<QueryResult> {
  const name = isUncached ? undefined : names.nameOf(text);
  try {
    return await client.query({ name, text, values: values as unknown[] });
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
