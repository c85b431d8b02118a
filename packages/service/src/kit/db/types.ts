declare const txBrand: unique symbol;

/**
 * Accepts statements. Each text is planned once per connection and reused (StatementNames), so texts are
 * constants and everything that varies is a parameter.
 *
 * Columns are returned in camelCase: `select created_at` gives `{ createdAt }`. Keys inside JSON values stay
 * as they are.
 *
 * Values are returned as: int2, int4, int8, numeric, float -> number (int8 above 2^53 - 1 throws),
 * timestamptz -> Date, date -> 'YYYY-MM-DD', json and jsonb -> parsed, uuid and text -> string, bytea ->
 * Buffer, arrays -> arrays of those. Parameters: an array is sent as a SQL array, a plain object as json.
 * Send a json array as JSON.stringify(array).
 */
export interface Queryable {
  /** In the transaction of a `Tx` if they are on its server, else on a connection of their own. */
  readonly shared: Queryable;
  readonly ledgers: Ledgers;
  /** Throws DatabaseUnavailableError, or the error of the server with `code`, `constraint`, `column`. */
  query<R extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<R[]>;
  /** Returns the number of affected rows. Throws as `query` does. */
  execute(text: string, values?: readonly unknown[]): Promise<number>;
}

/** The rows of a platform are in one ledger (ledger group); only links reach several. */
export interface Ledgers {
  /** The ledger that the statements of the handle find. 0: the first, and often the only one. */
  readonly own: number;
  /** Those that this process has opened, in order. */
  readonly all: readonly number[];
  /** Reads of one of them, as `shared` does. */
  of(ledger: number): Queryable;
}

export interface QueryOptions {
  /**
   * Plans the statement for these values and does not cache it (some tenths of a millisecond): for
   * composed statements, which have too many texts and whose best plan depends on the filters.
   */
  isUncached?: boolean;
}

/**
 * An open transaction. Write functions take one as their first argument, so that nothing is written outside
 * of it by mistake. Statements started together (Promise.all) share one round trip and run in their order.
 */
export interface Tx extends Queryable {
  readonly [txBrand]: true;
  /**
   * Writes to the tables that all platforms share: with the transaction all of it commits or nothing.
   * Ledgers on other servers need `max_prepared_transactions` there: without it, the commit throws
   * PreparedTransactionsError.
   */
  inShared<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same for the tables of a ledger. Use one at a time. */
  inLedger<T>(ledger: number, work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** A database, embedded or a server: the same SQL, results and errors. */
export interface Database extends Queryable {
  /** The embedded database: work at once waits, and no other process can use it. */
  readonly hasOneConnection: boolean;
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
   * Calls `onNotify` for each NOTIFY on the channel (lower case letters, digits, `_`), from this
   * process or another, and once with '' after a reconnect, because notifications may have been
   * lost. Use it only to wake up, not to carry data. Resolves to a function that stops it. Does not
   * fail if the server is unavailable.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  /** Inside a transaction use `select pg_notify(channel, '')`, which is sent with the commit. */
  notify(channel: string, sender?: string): Promise<void>;
  /** Resolves if the database answers within two seconds, else throws DatabaseUnavailableError. */
  ping(): Promise<void>;
  /** Waits for running work (at most 10 s), then releases connections, worker and folder. */
  close(): Promise<void>;
}

/** Reads that may be some moments old: of a replica if there is one, else of the primary. */
export interface Reads {
  /**
   * Runs `work` on the replica, or on the primary if the replica is away or too old. If it fails on
   * the replica, it runs again on the primary. All statements of one `work` read from one server.
   * @param primary used in place of the handle, such as the tx of an open transaction.
   */
  from<T>(work: (db: Queryable) => Promise<T>, primary?: Queryable): Promise<T>;
}

export function readsOfPrimary(db: Queryable): Reads {
  return { from: (work, primary = db) => work(primary) };
}

export interface DatabaseLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
