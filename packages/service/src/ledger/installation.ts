import type { Queryable } from '../kit/db/database.js';

/**
 * Detects that the ledger moved to another database cluster (0011_system.sql). Pages of the ledger
 * stop before transactions that may still commit. They compare the transaction ids stored with the
 * rows, which are valid in one cluster only. After a restore into another cluster, the stored ids
 * are meaningless there or ahead of its counter, which would hide rows. Therefore all rows written
 * before a change of cluster count as settled.
 *
 * Call this before the process writes its first event. Returns true if the cluster changed.
 */
export async function noteCluster(db: Queryable, groups: readonly Queryable[], now: Date): Promise<boolean> {
  const [row] = await db.query<{ isFirst: boolean }>(
    `insert into installation as noted (cluster_id, cluster_since) values ($1, $2)
     on conflict (only_row) do update set cluster_id = excluded.cluster_id, cluster_since = excluded.cluster_since
     where noted.cluster_id <> excluded.cluster_id
     returning xmax = 0 as is_first`,
    [await clusterId(db), now],
  );
  const hasChanged = row !== undefined && !row.isFirst;
  // Streams read envelopes in transaction order: those of the old cluster must come first.
  if (hasChanged) for (const group of groups) await group.execute("update envelope set xid = '0'");
  return hasChanged;
}

/**
 * Whether Citus has distributed tables of this schema. An earlier version could do that, by subject:
 * webhooks, book and exports then fail.
 */
export async function isDistributed(db: Queryable): Promise<boolean> {
  const [citus] = await db.query<{ isThere: boolean }>(
    "select to_regclass('pg_dist_partition') is not null as is_there",
  );
  if (!citus?.isThere) return false;
  const rows = await db.query(
    `select 1 from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
     where c.relnamespace = current_schema()::regnamespace limit 1`,
  );
  return rows.length > 0;
}

const REFUSED = new Set(['42501', '42883', '0A000']);

/**
 * The identifier that initdb gave the cluster. File backups, replicas and restarts keep it, as they
 * keep the counter of transaction ids; a restored dump gets a new one. If the provider hides it,
 * the server's start time replaces it: it changes more often, which only marks settled rows as
 * settled.
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
  if (!row) throw new Error('the database returned no cluster identifier');
  return row.id;
}
