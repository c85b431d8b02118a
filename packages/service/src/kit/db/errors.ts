/**
 * The database is unavailable, too busy, or the connection was lost during a call: try again later. If it was
 * lost during a commit, the work may have been committed. `cause` is the error of the driver.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name: 'DatabaseUnavailableError' | 'DatabaseBusyError' = 'DatabaseUnavailableError';

  constructor(cause: unknown, state = 'unavailable') {
    super(`the database is ${state}: ${reasonOf(cause)}`, { cause });
  }
}

/** The database has no connection, lock or time left for this call. Nothing was committed. */
export class DatabaseBusyError extends DatabaseUnavailableError {
  override readonly name = 'DatabaseBusyError';

  constructor(cause: unknown) {
    super(cause, 'busy');
  }
}

/** A server that accepts writes but must not be used: an old primary, or another cluster. */
export class WrongServerError extends Error {
  override readonly name = 'WrongServerError';
}

/** The database is unavailable because the server that answers is not used. */
export function isWrongServer(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && error.cause instanceof WrongServerError;
}

export function isDatabaseBusy(error: unknown): error is DatabaseBusyError {
  return error instanceof DatabaseBusyError;
}

export function isDatabaseUnavailable(error: unknown): error is DatabaseUnavailableError {
  return error instanceof DatabaseUnavailableError;
}

/** A transaction over several servers was rolled back: a server has no prepared transactions. */
export class PreparedTransactionsError extends Error {
  override readonly name = 'PreparedTransactionsError';

  constructor() {
    super(
      'a server of a ledger group has prepared transactions disabled; set max_prepared_transactions on it (100, for example) and restart it',
    );
  }
}

export function asThrown(error: unknown): unknown {
  if (BUSY_CODES.has(codeOf(error) ?? '')) return new DatabaseBusyError(error);
  return meansUnavailable(error) ? new DatabaseUnavailableError(error) : error;
}

/** The SQLSTATE ('23505') or the system code ('ECONNREFUSED') of an error, if it has one. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** A write that violates this constraint. On Citus the name has the number of a shard behind it. */
export function violates(error: unknown, constraint: string): boolean {
  const { constraint: violated = '' } = serverErrorOf(error);
  return violated.replace(/_\d{6,}$/, '') === constraint;
}

export function isNullIn(error: unknown, column: string): boolean {
  return codeOf(error) === '23502' && serverErrorOf(error).column === column;
}

function serverErrorOf(error: unknown): { constraint?: string; column?: string; routine?: string } {
  return typeof error === 'object' && error !== null ? error : {};
}

/** A conflict with another transaction: running the whole transaction again succeeds. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01';
}

/**
 * The server rejects a prepared statement: a migration changed its result, or a proxy swapped the session.
 */
export function isStalePlan(error: unknown): boolean {
  const code = codeOf(error);
  return code === '26000' || (code === '0A000' && serverErrorOf(error).routine === 'RevalidateCachedQuery');
}

// Insufficient rights, no such function, not supported, not in this state.
const HIDDEN_CODES = new Set(['42501', '42883', '0A000', '55000']);

export function isHidden(error: unknown): boolean {
  return HIDDEN_CODES.has(codeOf(error) ?? '');
}

function meansUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === undefined) return AWAY_MESSAGES.has(error.message);
  // Citus: the coordinator has lost its connection to a node. The error has no SQLSTATE of its own.
  const hasLostNode =
    code === 'XX000' && error.message.startsWith('failure on connection marked as essential');
  return AWAY_CODES.has(code) || AWAY_CLASSES.has(code.slice(0, 2)) || hasLostNode;
}

// 08 connection exception, 53 insufficient resources (connections, memory, disk).
const AWAY_CLASSES = new Set(['08', '53']);

const BUSY_CODES = new Set([
  '53300', // too_many_connections
  '55P03', // lock_not_available: lock_timeout
  '57014', // query_canceled: statement_timeout
]);

const AWAY_CODES = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now: starting up
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout
  '25006', // read_only_sql_transaction: this server has become a standby
  ...'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH'.split(' '),
  ...'EHOSTDOWN ENETUNREACH ENETDOWN ERR_STREAM_DESTROYED ERR_STREAM_WRITE_AFTER_END'.split(' '),
]);

// Errors that pg 8.23 and its pool throw without a code.
const AWAY_MESSAGES = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
]);

// A failed dual-stack connection is an AggregateError with an empty message.
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || codeOf(error) || error.name;
}

/** What was read is out of date. Has the code of a serialization conflict: the transaction is run again. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
  readonly code = '40001';
}
