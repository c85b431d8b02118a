import type { Database, Queryable } from '#kit/db/database.js';
import { isHidden } from '#kit/db/errors.js';
import { schemaOfGroup } from '#kit/db/groups.js';
import { runScript } from '#kit/db/transaction.js';
import { announce } from '#kit/db/wakes.js';
import { GroupsError } from '#ledger/groups/store.js';
import { CREATE_GUARD, CREATE_PREPARE, findDistributed, hasCitus } from './placement.js';

/** Citus 12.1 is the first with `citus_schema_distribute` and reads of several schemas. */
const OLDEST_CITUS = 12.1;
/** Citus 13.1 is the first that grants rights on columns, which the application's role has. */
const OLDEST_CITUS_WITH_ROLES = 13.1;

/** Whether groups of this database are, or are about to be, on the nodes of a Citus cluster. */
export async function isDistributed(db: Queryable): Promise<boolean> {
  if (!(await hasCitus(db))) return false;
  const rows = await db.query(
    `select 1 from pg_dist_object where classid = 'pg_proc'::regclass and objid = to_regprocedure($1)`,
    [CREATE_GUARD[0]],
  );
  return rows.length > 0;
}

interface Cluster {
  isCoordinator: boolean;
  isKnown: boolean;
  workers: number;
  behind: number;
}

/**
 * Throws GroupsError: the message says what to set up.
 * @param hasTwoRoles the tables belong to another role than the application's.
 */
export async function assertClusterFits(db: Queryable, hasTwoRoles: boolean): Promise<void> {
  if (!(await hasCitus(db))) {
    throw new GroupsError(
      'The database has no Citus. Run `create extension citus` on the coordinator and on every node (docs/SCALING.md, Citus).',
    );
  }
  const [citus] = await db.query<{ version: string }>(
    `select coalesce((regexp_match(citus_version(), 'Citus (\\d+\\.\\d+)'))[1], '0') as version`,
  );
  if (Number(citus?.version) < OLDEST_CITUS) {
    throw new GroupsError(`Citus is version ${citus?.version}. Update it to ${OLDEST_CITUS} or newer.`);
  }
  if (hasTwoRoles && Number(citus?.version) < OLDEST_CITUS_WITH_ROLES) {
    throw new GroupsError(
      `Citus is version ${citus?.version}, which cannot grant rights on columns. Update it to ${OLDEST_CITUS_WITH_ROLES} or newer, or use one database role (unset DATABASE_MIGRATION_URL).`,
    );
  }
  const [cluster] = await db.query<Cluster>(
    `select (select groupid = 0 from pg_dist_local_group) as is_coordinator,
       coalesce(bool_or(groupid = 0), false) as is_known,
       count(*) filter (where shouldhaveshards and isactive)::integer as workers,
       count(*) filter (where not (hasmetadata and metadatasynced))::integer as behind
     from pg_dist_node where noderole = 'primary'`,
  );
  const fault = faultOf(cluster);
  if (fault) throw new GroupsError(fault);
}

function faultOf(cluster: Cluster | undefined): string | null {
  if (!cluster?.isCoordinator)
    return 'DATABASE_URL names a worker of the Citus cluster. Set it to the coordinator.';
  if (!cluster.isKnown)
    return "The coordinator is not in the list of nodes. Run `select citus_set_coordinator_host('<host>', <port>)` on it.";
  if (cluster.workers === 0)
    return "The cluster has no workers. Run `select citus_add_node('<host>', <port>)` on the coordinator.";
  if (cluster.behind > 0)
    return `${cluster.behind} nodes do not have the metadata of the cluster. Run \`select start_metadata_sync_to_all_nodes()\` on the coordinator.`;
  return null;
}

/**
 * Checks that no other process of the service is connected: it would go on working through the
 * coordinator, where statements and transaction ids differ. Throws GroupsError.
 */
export async function assertNobodyServes(db: Queryable): Promise<void> {
  const [row] = await db.query<{ processes: number }>(
    `select count(distinct client_port)::integer as processes from pg_stat_activity
     where datname = current_database() and application_name = 'reliability-score' and pid <> pg_backend_pid()`,
  );
  if (row && row.processes > 0) {
    throw new GroupsError(
      `The service is connected to the database (${row.processes} connections). Stop all its processes, then run this again.`,
    );
  }
}

/**
 * Creates the functions that each node needs, also after an update of the service: a newer version
 * may bring others. What is there is left as it is, because each change needs all nodes. Shared
 * tables stay on the coordinator: no statement of a group names one.
 */
export async function prepareCluster(db: Database, onStep: (step: string) => void = () => {}): Promise<void> {
  for (const [signature, text] of [CREATE_GUARD, CREATE_PREPARE]) {
    if (await isCreated(db, signature, text)) continue;
    onStep(`Creating ${signature} on all nodes`);
    await runLong(db, text);
    await runLong(db, `select create_distributed_function('${signature}')`);
  }
}

/** Compares bodies alone: PostgreSQL does not keep the rest of the text. */
async function isCreated(db: Queryable, signature: string, text: string): Promise<boolean> {
  const rows = await db.query(
    `select 1 from pg_proc f join pg_dist_object d on d.classid = 'pg_proc'::regclass and d.objid = f.oid
     where f.oid = to_regprocedure($1) and strpos($2, f.prosrc) > 0`,
    [signature, text],
  );
  return rows.length > 0;
}

/**
 * The nodes to which the coordinator finds no connection, as `host:port`. Each may take the time of
 * `citus.node_connection_timeout`, five seconds.
 */
export async function findNodesAway(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ node: string }>(
    `select nodename || ':' || nodeport as node from pg_dist_node
     where noderole = 'primary' and groupid <> 0 and not citus_check_connection_to_node(nodename, nodeport)
     order by groupid`,
  );
  return rows.map(({ node }) => node);
}

/** Returns whether the schema of the group was not yet distributed. */
export async function distributeGroup(db: Database, group: number): Promise<boolean> {
  if ((await findDistributed(db)).has(group)) return false;
  // "Unsafe" are triggers that touch other tables. Ours refuse changes of their own row.
  await runLong(
    db,
    `set local citus.enable_unsafe_triggers to on; select citus_schema_distribute('${schemaOfGroup(group)}')`,
  );
  return true;
}

// Rows are copied, which may take longer than a request may.
function runLong(db: Database, text: string): Promise<void> {
  return db.transaction((tx) => runScript(tx, `set local statement_timeout = 0; ${text}`));
}

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

/**
 * The identifier that initdb gave the cluster. File backups, replicas and restarts keep it, as they
 * keep the counter of transaction ids; a restored dump gets a new one. If the provider hides it,
 * the server's start time replaces it: it changes more often, which only marks settled rows as
 * settled. Nodes of a Citus cluster may be copies of one another, so their number is added.
 */
async function clusterId(db: Queryable): Promise<string> {
  const [node] = (await hasCitus(db))
    ? await db.query<{ id: number }>('select groupid as id from pg_dist_local_group')
    : [];
  const [server] = await db
    .query<{ id: string }>('select system_identifier::text as id from pg_control_system()')
    .catch((error: unknown) => {
      if (!isHidden(error)) throw error;
      const started = "select 'started ' || extract(epoch from pg_postmaster_start_time()) as id";
      return db.query<{ id: string }>(started);
    });
  if (!server) throw new Error('the database returned no cluster identifier');
  return node && node.id !== 0 ? `${server.id} node ${node.id}` : server.id;
}
