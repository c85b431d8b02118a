import type { Queryable } from '../kit/db/database.js';
import type { Vault } from '../kit/vault.js';

/**
 * Keeps track of which database cluster the ledger lives in (0011_system.sql). Pages of the ledger stop before transactions
 * that may still commit, told by the transaction ids stored with the rows; but those ids belong to one cluster. A dump restored
 * into another one carries ids that mean nothing there, or that lie ahead of its counter and would hide their rows. So
 * when the cluster is not the one noted, everything written up to now counts as settled.
 *
 * Must run before this process writes its first event. Answers true when the database has moved since it was last noted.
 */
export async function noteCluster(db: Queryable, now: Date): Promise<boolean> {
  const [row] = await db.query<{ isFirst: boolean }>(
    `insert into installation as noted (cluster_id, cluster_since) values ($1, $2)
     on conflict (only_row) do update set cluster_id = excluded.cluster_id, cluster_since = excluded.cluster_since
     where noted.cluster_id <> excluded.cluster_id
     returning xmax = 0 as is_first`,
    [await clusterId(db), now],
  );
  const hasChanged = row !== undefined && !row.isFirst;
  // Streams read envelopes in the order of their transactions: those of the old cluster come before all of the new one.
  if (hasChanged) await db.execute("update envelope set xid = '0'");
  return hasChanged;
}

const CHECK_TEXT = 'the key of this installation';
const CHECK_CONTEXT = 'data key check';

/**
 * Whether the vault's DATA_KEY is another one than the database was first used with. The first key is noted. Must run after
 * `noteCluster`, which makes the row.
 */
export async function hasOtherDataKey(db: Queryable, vault: Vault): Promise<boolean> {
  // In one statement: of processes that start at the same time the first one's key stands.
  const [row] = await db.query<{ dataKeyCheck: Buffer }>(
    'update installation set data_key_check = coalesce(data_key_check, $1) returning data_key_check',
    [vault.seal(CHECK_TEXT, CHECK_CONTEXT)],
  );
  if (!row) throw new Error('the installation has not been noted yet');
  try {
    return vault.open(row.dataKeyCheck, CHECK_CONTEXT) !== CHECK_TEXT;
  } catch {
    return true;
  }
}

const REFUSED = new Set(['42501', '42883', '0A000']);

/**
 * The identifier that initdb gave the cluster: kept by backups of files, replicas and restarts, whose transaction ids go
 * on, and new wherever a dump is restored. Where a provider does not show it, the moment the server was started stands in:
 * it changes more often than needed, and then rows are settled that were settled anyway.
 */
async function clusterId(db: Queryable): Promise<string> {
  try {
    return await readId(db, 'select system_identifier::text as id from pg_control_system()');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && REFUSED.has(String(error.code)))) throw error;
    return readId(db, "select 'started ' || extract(epoch from pg_postmaster_start_time()) as id");
  }
}

async function readId(db: Queryable, statement: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(statement);
  if (!row) throw new Error('the database does not say which cluster it is');
  return row.id;
}
