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
  'token_group',
  // About the installation.
  'installation',
  'signing_key',
  'worker_heartbeat',
  'status_sample',
  // The logs of other installations. The first group cosigns them.
  'witnessed_log',
  // A wallet gets its nonce before it names its offer. Few rows: the nonces used in recent minutes.
  'wallet_nonce',
] as const;

/**
 * Migrations up to this number create tables of both kinds. A later one is about tables of one kind:
 * tenant tables, unless `GLOBAL_MIGRATIONS` names it.
 */
export const LAST_MIXED_MIGRATION = 23;

/** Run once, on the schema that all groups share. */
export const GLOBAL_MIGRATIONS: ReadonlySet<string> = new Set(['0024_groups.sql']);
