import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { onServer } from '#harness/postgresCluster.js';
import { call } from './api.js';

/** The longest time that a reader of the service waited. */
export interface ReaderWaits {
  whileMovingMs: number;
  /** Under the same load before the moves: what the machine itself takes. */
  beforeMs: number;
}

/**
 * Moves the group of the first platform between the nodes of a Citus cluster, then lets Citus
 * rebalance all groups.
 */
export async function moveGroup(
  databaseUrl: string,
  url: string,
  moves: number,
  say: (line: string) => void,
): Promise<ReaderWaits> {
  const before = startReader(url);
  await pause(REST_MS);
  const beforeMs = await before.stop();
  const reader = startReader(url);
  for (let move = 1; move <= moves; move += 1) {
    const { group, from, to } = await onServer(databaseUrl, async (client) => {
      const { rows } = await client.query<Move>(NEXT_MOVE);
      const [next] = rows;
      if (!next) throw new Error('the cluster has no second node for the group');
      await cleanUp(client);
      await client.query(
        "select citus_move_shard_placement($1, $2, $3, $4, $5, shard_transfer_mode := 'force_logical')",
        [next.shard, next.from.host, next.from.port, next.to.host, next.to.port],
      );
      return next;
    });
    say(`citus: move ${move} of ${moves}: group ${group} from ${from.port} to ${to.port}`);
    await pause(500);
  }
  await rebalance(databaseUrl);
  return { whileMovingMs: await reader.stop(), beforeMs };
}

const REST_MS = 10_000;

interface Move {
  group: number;
  shard: string;
  from: { host: string; port: number };
  to: { host: string; port: number };
}

const NEXT_MOVE = `
  with shards as (
    select s.shardid, p.group_id, n.nodename, n.nodeport, n.groupid from (select group_id from platform order by platform_id limit 1) p
      join pg_dist_shard s on s.logicalrelid = ('ledger_group_' || p.group_id || '.event')::regclass
      join pg_dist_placement using (shardid) join pg_dist_node n using (groupid)
  )
  select s.group_id as "group", s.shardid::text as shard,
    json_build_object('host', s.nodename, 'port', s.nodeport) as "from",
    json_build_object('host', n.nodename, 'port', n.nodeport) as "to"
  from shards s join pg_dist_node n on n.shouldhaveshards and n.groupid <> s.groupid order by n.groupid limit 1`;

/** A text for each group that is not on the first node. */
const AWAY = `
  select format('select citus_move_shard_placement(%s, %L, %s, %L, %s, shard_transfer_mode := %L)',
      s.shardid, n.nodename, n.nodeport, t.nodename, t.nodeport, 'force_logical') as move
  from pg_dist_schema d join pg_class c on c.relnamespace = d.schemaid and c.relname = 'event'
    join pg_dist_shard s on s.logicalrelid = c.oid join pg_dist_placement p using (shardid)
    join pg_dist_node n using (groupid)
    join (select * from pg_dist_node where shouldhaveshards order by groupid limit 1) t on t.groupid <> n.groupid`;

/** All groups are brought to one node first: else there is nothing to do. */
async function rebalance(databaseUrl: string): Promise<void> {
  await onServer(databaseUrl, async (client) => {
    await cleanUp(client);
    // A transaction makes one logical move.
    const { rows } = await client.query<{ move: string }>(AWAY);
    for (const { move } of rows) await client.query(move);
    await cleanUp(client);
    await client.query("select citus_rebalance_start(shard_transfer_mode := 'force_logical')");
    await client.query('select citus_rebalance_wait()');
  });
}

/** The shards that a move left behind have to be gone before the group can come back. */
async function cleanUp(client: pg.Client): Promise<void> {
  for (;;) {
    await client.query('call citus_cleanup_orphaned_resources()');
    const { rowCount } = await client.query('select 1 from pg_dist_cleanup');
    if (rowCount === 0) return;
    await pause(100);
  }
}

function startReader(url: string): { stop(): Promise<number> } {
  let longestMs = 0;
  let isStopped = false;
  const reading = (async () => {
    while (!isStopped) {
      const startedMs = performance.now();
      // A killed service refuses connections: that is not the group's move.
      const answer = await call(url, 'GET', '/users?limit=1').catch(() => null);
      if (answer?.status === 200) longestMs = Math.max(longestMs, performance.now() - startedMs);
      await pause(10);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await reading;
      return longestMs;
    },
  };
}
