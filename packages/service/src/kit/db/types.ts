declare const txBrand: unique symbol;

/**
 * Anything a statement can be sent to. A statement's text is planned once per connection and reused (StatementNames),
 * so texts are constants and everything that varies is a parameter.
 *
 * Columns come back in camelCase, so `select created_at` gives `{ createdAt }`. Keys inside of json stay as they are.
 *
 * Values come back as: int2, int4, int8, numeric, float -> number (int8 past 2^53 - 1 throws), timestamptz -> Date,
 * date -> 'YYYY-MM-DD', json and jsonb -> parsed, uuid and text -> string, bytea -> Buffer, arrays -> arrays of those.
 * Parameters: an array goes as a SQL array, a plain object as json; a json ARRAY must be given as JSON.stringify(it).
 */
export interface Queryable {
  /** The rows. Throws DatabaseUnavailableError, or the server's error with `code` ('23505'), `constraint`, `detail`. */
  query<R extends object = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<R[]>;
  /** The count of rows the statement touched. Throws as `query` does. */
  execute(text: string, values?: readonly unknown[]): Promise<number>;
}

export interface QueryOptions {
  /**
   * Plans the statement for these values and does not cache it: for composed statements, which have too many texts to cache and
   * whose best plan depends on the filters. Planning takes some tenths of a millisecond each time.
   */
  isUncached?: boolean;
}

/**
 * An open transaction. Write functions take one first, so that nothing is written outside of it by mistake.
 * Statements started together (Promise.all) travel together, in their order: one round trip instead of many.
 */
export type Tx = Queryable & { readonly [txBrand]: true };

export type Engine = 'pglite' | 'postgresql';

/** One database, embedded or a server: the same SQL, the same answers, the same errors. */
export interface Database extends Queryable {
  readonly engine: Engine;
  /**
   * Runs `work` in a READ COMMITTED transaction and commits when it returns. Conflicts (40001, 40P01) run `work` again, up to
   * three times: it must not keep effects outside of the transaction. Inside `work` only `tx` may be used: the outer
   * handle throws there, and so does a nested transaction.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Calls `onNotify` for each NOTIFY on the channel (lower case letters, digits, `_`), from this process or another, and
   * once with '' after a reconnect, since notifications sent meanwhile are lost: use it to wake up, never to carry data.
   * Resolves to the function that stops it. A server that is away does not fail it.
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  /** Wakes the listeners. Inside a transaction use `select pg_notify(channel, '')`, which is sent at the commit. */
  notify(channel: string): Promise<void>;
  /** Resolves when the database answers within two seconds, else throws DatabaseUnavailableError. */
  ping(): Promise<void>;
  /** Waits for open work (at most 10 s), then releases connections, worker and folder. */
  close(): Promise<void>;
}

/** The part of a logger that the storage kit uses: pino's shape. */
export interface DatabaseLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface DatabaseOptions {
  /** postgres://… of a server, version 15 or newer. Without it the database is embedded. */
  databaseUrl?: string | undefined;
  /** The folder of the embedded database, made when absent. With neither: in memory, gone with the process (for tests). */
  dataDir?: string | undefined;
  /** Connections to the server. Default: 10. The embedded database has one. */
  poolSize?: number | undefined;
  /**
   * Refuse the outer handle inside an open transaction; on by default. It costs every promise of the process a hook, a tenth
   * of a write's time, so a server in production goes without: its code is the one that the tests run guarded, and
   * on the embedded database, where the mistake would hang, the guard is always on.
   */
  isGuarded?: boolean | undefined;
  log: DatabaseLog;
}
