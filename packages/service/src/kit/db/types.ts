import type { StateFolder } from './seenTimelines.js';

declare const txBrand: unique symbol;

/**
 * Accepts statements. Each text is planned once per connection and reused (StatementNames), so
 * texts are constants and everything that varies is a parameter.
 *
 * Columns are returned in camelCase: `select created_at` gives `{ createdAt }`. Keys inside JSON
 * values stay as they are.
 *
 * Values are returned as: int2, int4, int8, numeric, float -> number (int8 above 2^53 - 1 throws),
 * timestamptz -> Date, date -> 'YYYY-MM-DD', json and jsonb -> parsed, uuid and text -> string,
 * bytea -> Buffer, arrays -> arrays of those.
 * Parameters: an array is sent as a SQL array, a plain object as json. Send a json array as
 * JSON.stringify(array).
 */
export interface Queryable {
  /** The ledger group whose tables the statements find (groups.ts). 0: the first, and often the only one. */
  readonly group: number;
  /** The ledger groups that this process has opened, in order. */
  readonly groupNumbers: readonly number[];
  /**
   * Reads the tables of another group: in the transaction of a `Tx` if they are on the same server,
   * else beside it.
   */
  ofGroup(group: number): Queryable;
  /**
   * Returns the rows. Throws DatabaseUnavailableError, or the error of the server with `code`
   * ('23505'), `constraint`, `column` (errors.ts).
   */
  query<R extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<R[]>;
  /** Returns the number of affected rows. Throws as `query` does. */
  execute(text: string, values?: readonly unknown[]): Promise<number>;
}

export interface QueryOptions {
  /**
   * Plans the statement for these values and does not cache it: for composed statements, which have
   * too many texts to cache and whose best plan depends on the filters. Planning takes some tenths
   * of a millisecond.
   */
  isUncached?: boolean;
}

/**
 * An open transaction. Write functions take one as their first argument, so that nothing is written
 * outside of it by mistake. Statements started together (Promise.all) share one round trip and run
 * in their order.
 */
export type Tx = Queryable & { readonly [txBrand]: true };

export type Engine = 'pglite' | 'postgresql';

/** A database, embedded or a server: the same SQL, results and errors. */
export interface Database extends Queryable {
  readonly engine: Engine;
  /**
   * Runs `work` in a READ COMMITTED transaction and commits when it returns. After a conflict
   * (40001, 40P01) it runs `work` again, up to three times, so `work` must have no effects outside
   * of the transaction. Inside `work` use only `tx`: the database handle throws there, and so does
   * a nested transaction. After `transactionLimitMs` it is ended and throws DatabaseBusyError.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same in a read-only transaction whose statements all see the moment of the first one. */
  view<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * The same over several ledger groups: what `work` writes to them commits together or not at all.
   * If groups are on different servers, these need `max_prepared_transactions`: without it, throws
   * PreparedTransactionsError.
   */
  transactionOver<T>(work: (over: GroupsTx) => Promise<T>): Promise<T>;
  /**
   * Calls `onNotify` for each NOTIFY on the channel (lower case letters, digits, `_`), from this
   * process or another, and once with '' after a reconnect, because notifications may have been
   * lost. Use it only to wake up, not to carry data. Resolves to a function that stops it. Does not
   * fail if the server is unavailable.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  /**
   * Wakes the listeners. Inside a transaction use `select pg_notify(channel, '')`, which is sent
   * with the commit.
   * @param sender who sends it, so that the sender can ignore it
   */
  notify(channel: string, sender?: string): Promise<void>;
  /** Resolves if the database answers within two seconds, else throws DatabaseUnavailableError. */
  ping(): Promise<void>;
  /** Waits for running work (at most 10 s), then releases connections, worker and folder. */
  close(): Promise<void>;
}

/** A database whose engine may still be starting. Statements wait for it. */
export interface StartedDatabase {
  readonly db: Database;
  /** Resolves when the embedded engine is ready. Rejects if it cannot open the folder: close `db` then. */
  readonly opened: Promise<void>;
}

/** An open transaction on the tables of several ledger groups. Use one group at a time. */
export interface GroupsTx {
  /** The tables of the group whose handle began it. */
  readonly tx: Tx;
  /** Writes to the tables of a group: all groups commit or none. */
  in<T>(group: number, work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** The methods of a pino logger that kit/db uses. */
export interface DatabaseLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface DatabaseOptions {
  /** postgres://… of a server, version 15 or newer. Without it the database is embedded. */
  databaseUrl?: string | undefined;
  /**
   * The folder of the embedded database, created if needed. Without both settings the database is
   * in memory (for tests).
   */
  dataDir?: string | undefined;
  /** Connections to the server. Default: 10. The embedded database has one. */
  poolSize?: number | undefined;
  /** How long work waits for a connection before it fails as overload. Default: 2 s. */
  connectWithinMs?: number | undefined;
  /**
   * How long a transaction, or a statement outside of one, may take. Default: 10 s. Null: a
   * transaction takes as long as it takes, for commands.
   */
  transactionLimitMs?: number | null | undefined;
  /** How long a transaction may hold locks on several servers. Default: 1 s. */
  severalServersLimitMs?: number | undefined;
  /**
   * Refuses the database handle inside an open transaction. Default: true. The guard costs a hook
   * on every promise, a tenth of the time of a write, so servers in production run without it. The
   * tests run the same code with it, and on the embedded database, where the mistake would hang, it
   * is always on.
   */
  isGuarded?: boolean | undefined;
  /** Remembers over restarts which server was written to. */
  stateFolder?: StateFolder | undefined;
  log: DatabaseLog;
}
