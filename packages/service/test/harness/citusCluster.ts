import type pg from 'pg';
import { dropDatabase, onServer } from './postgresCluster.js';

/** A node of the cluster that TEST_CITUS_URL names, as an URL of one of its databases. */
interface CitusNode {
  url: string;
  host: string;
  port: number;
  isCoordinator: boolean;
}

/** The nodes as the tester's database lists them, the coordinator first. */
export async function citusNodes(url: string): Promise<CitusNode[]> {
  const rows = await onServer(url, async (client) => {
    const found = await client.query<{ host: string; port: number; group: number }>(
      'select nodename as host, nodeport as port, groupid as "group" from pg_dist_node order by groupid',
    );
    return found.rows;
  });
  if (rows.length < 2 || rows[0]?.group !== 0) {
    throw new Error('TEST_CITUS_URL needs a database that lists its coordinator and at least one worker');
  }
  return rows.map(({ host, port, group }) => {
    const own = new URL(url);
    if (group !== 0) {
      own.hostname = host;
      own.port = String(port);
    }
    return { url: own.href, host, port, isCoordinator: group === 0 };
  });
}

/** Runs a statement on every node, in the tester's database. */
async function onNodes(url: string, text: string): Promise<void> {
  for (const node of await citusNodes(url)) await onServer(node.url, (client) => client.query(text));
}

/** A new database on all nodes, with Citus and the same nodes. */
export async function createOnNodes(url: string, name: string): Promise<void> {
  const nodes = await citusNodes(url);
  await onNodes(url, `create database ${name}`);
  for (const node of nodes) {
    await onServer(ofDatabase(node.url, name), (client) => client.query('create extension citus'));
  }
  const [coordinator, ...workers] = nodes;
  if (!coordinator) return;
  await onServer(ofDatabase(coordinator.url, name), async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
    for (const { host, port } of workers) await client.query('select citus_add_node($1, $2)', [host, port]);
  });
}

/** Makes a complete database a template, which nobody may be connected to. */
export async function sealOnNodes(url: string, draft: string, template: string): Promise<void> {
  for (const node of await citusNodes(url)) {
    await onServer(node.url, async (client) => {
      await client.query(`alter database ${draft} with allow_connections false`);
      await disconnected(client, draft);
      await client.query(`alter database ${draft} rename to ${template}`);
    });
  }
}

/** A database like the template on all nodes. */
export async function cloneOnNodes(url: string, name: string, template: string): Promise<void> {
  for (const node of await citusNodes(url)) {
    await onServer(node.url, async (client) => {
      await disconnected(client, template);
      await client.query(`create database ${name} template ${template}`);
    });
  }
}

export async function dropOnNodes(url: string, name: string): Promise<void> {
  for (const node of await citusNodes(url)) {
    await onServer(node.url, (client) => dropDatabase(client, name));
  }
}

export function ofDatabase(url: string, name: string): string {
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}

/** Ends the sessions of a database: Citus keeps some of its own. */
async function disconnected(client: pg.Client, name: string): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
      [name],
    );
    if (rowCount === 0) return;
  }
}
