/**
 * Tables that exist once, in the schema that all ledger groups share. Every other table of
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
  // A wallet gets its nonce before it names its offer. Few rows: the nonces used in recent minutes.
  'wallet_nonce',
  // Needed before the group of a request is known.
  'console_session',
  'console_sign_in',
  // About the installation: one row for all groups.
  'audit_run',
] as const;

/**
 * Shared tables that only the handle of the first group uses. On a cluster they stay on the
 * coordinator: a write to any other shared table goes to all nodes, and fails while one is away.
 */
export const firstGroupTables: ReadonlySet<string> = new Set([
  'worker_heartbeat',
  'status_sample',
  'witnessed_log',
  'audit_run',
]);

/** Run once, on the schema that all groups share. All others create tables of each group. */
export const SHARED_MIGRATIONS: ReadonlySet<string> = new Set(['0001_shared.sql']);
