export {
  DatabaseUnavailableError,
  isDatabaseBusy,
  isDatabaseUnavailable,
  isWrongServer,
  PreparedTransactionsError,
} from './errors.js';
export { endWith } from './transaction.js';
export {
  type Database,
  type DatabaseLog,
  type Queryable,
  type Reads,
  readsOfPrimary,
  type Tx,
} from './types.js';
