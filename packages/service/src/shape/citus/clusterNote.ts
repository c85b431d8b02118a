import type { Database, Queryable } from '../../kit/db/database.js';
import { runScript } from '../../kit/db/transaction.js';
import { announce } from '../../kit/db/wakes.js';
import { hasCitus } from './placement.js';

/**
 * Detects that a group's tables moved to another database cluster or node (ledger_cluster).
 * Pages of the ledger stop before transactions that may still commit. They compare the transaction
 * ids stored with the rows, which are valid in one cluster only. After a restore into another
 * cluster, or a move to another node, the stored ids are meaningless or ahead of the counter there,
 * which would hide rows. Therefore all rows written before the change count as settled.
 *
 * Call this before the process writes its first event there. Returns true if the cluster changed.
 */
export async function noteCluster(db: Database, now: Date): Promise<boolean> {
  const id = await clusterId(db);
  const [noted] = await db.query<{ clusterId: string }>('select cluster_id from ledger_cluster');
  if (noted?.clusterId === id) return false;
  return db.transaction(async (tx) => {
    const [row] = await tx.query<{ isFirst: boolean }>(
      `insert into ledger_cluster as noted (cluster_id, cluster_since) values ($1, $2)
       on conflict (only_row) do update set cluster_id = excluded.cluster_id, cluster_since = excluded.cluster_since
       where noted.cluster_id <> excluded.cluster_id
       returning xmax = 0 as is_first`,
      [id, now],
    );
    if (row === undefined || row.isFirst) return false;
    // Streams read envelopes in transaction order: those of the old cluster must come first.
    // There may be many: it takes as long as it takes.
    await runScript(tx, 'set local statement_timeout = 0');
    await tx.execute('update envelope set xid = pg_current_xact_id() where xid > pg_current_xact_id()');
    await announce(tx, 'cluster');
    return true;
  });
}

const REFUSED = new Set(['42501', '42883', '0A000']);

/**
 * The identifier that initdb gave the cluster. File backups, replicas and restarts keep it, as they
 * keep the counter of transaction ids; a restored dump gets a new one. If the provider hides it,
 * the server's start time replaces it: it changes more often, which only marks settled rows as
 * settled. Nodes of a Citus cluster may be copies of one another, so their number is added.
 */
async function clusterId(db: Queryable): Promise<string> {
  const node = await nodeNumber(db);
  const id = await serverId(db);
  return node === 0 ? id : `${id} node ${node}`;
}

async function serverId(db: Queryable): Promise<string> {
  try {
    return await readId(db, 'select system_identifier::text as id from pg_control_system()');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && REFUSED.has(String(error.code)))) throw error;
    return readId(db, "select 'started ' || extract(epoch from pg_postmaster_start_time()) as id");
  }
}

/** 0: the coordinator, or a server without Citus. */
async function nodeNumber(db: Queryable): Promise<number> {
  if (!(await hasCitus(db))) return 0;
  const [row] = await db.query<{ node: number }>('select groupid as node from pg_dist_local_group');
  return row?.node ?? 0;
}

async function readId(db: Queryable, statement: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(statement);
  if (!row) throw new Error('the database returned no cluster identifier');
  return row.id;
}
