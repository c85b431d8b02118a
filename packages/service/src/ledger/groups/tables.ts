/**
 * Tables that exist once, in the schema of the first ledger group: a handle of another group does not
 * find them, and on a cluster they are plain tables of the coordinator. Every other table of
 * `tablePrivileges` is in the schema of each group, with the rows of its platforms. A test compares
 * both with the migrated schemas.
 */
export const globalTables = [
  // Few rows, and needed before the group of a request is known.
  'platform',
  'api_key',
  'ledger_group',
  // About the installation.
  'installation',
  'signing_key',
  'worker_heartbeat',
  'status_sample',
  // The logs of other installations. The first group cosigns them.
  'witnessed_log',
  // A nonce is used once, in whichever group. Few rows: the nonces used in recent minutes.
  'wallet_nonce',
  // Needed before the group of a request is known.
  'console_session',
  'console_sign_in',
  // About the installation: one row for all groups.
  'audit_run',
] as const;

/** Whether a table is in the schema of the first group alone. */
export function isGlobal(table: string): boolean {
  return (globalTables as readonly string[]).includes(table);
}

/** Run once, on the schema that all groups share. All others create tables of each group. */
export const SHARED_MIGRATIONS: ReadonlySet<string> = new Set(['0001_shared.sql']);
