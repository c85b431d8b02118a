import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { pino } from 'pino';
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import {
  addTestGroups,
  hasCitus,
  hasPostgres,
  openTestDatabase,
  type TestDatabase,
} from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { onServer } from '#harness/postgresCluster.js';
import { startTestService, type TestService } from '#harness/service.js';
import { untilServed } from '#harness/untilServed.js';
import { isDatabaseUnavailable } from '#kit/db/database.js';
import { groupBy } from '#kit/lists.js';
import { findNodes } from '../../src/shape/citus/placement.js';
import { openGroups } from '../../src/shape/groups/groups.js';
import { type CrashReport, crashRun } from '../crash/crashRun.js';
import { textOf } from '../crash/serverProcess.js';
import { outcome, report } from '../features/intake/eventFixtures.js';

describe.skipIf(!hasPostgres || hasCitus)('db:distribute on one PostgreSQL', () => {
  const database = ownDatabase('postgresql');

  test('says what is missing, and changes nothing', async () => {
    const env = { DATABASE_URL: database.url ?? '' };
    await expect(textOf('distribute', env, ['--groups', '4'])).rejects.toThrow('The database has no Citus.');
    expect(await openGroups(database.db)).toHaveLength(Number(inject('groups')));
  });

  test.each([[[]], [['--groups', '1']], [['--groups', 'many']]])('refuses %j', async (args) => {
    const env = { DATABASE_URL: database.url ?? '' };
    await expect(textOf('distribute', env, args)).rejects.toThrow('--groups needs the number of groups');
  });
});

/** A shard of a group, and the database of its node. */
async function placeOf(url: string, group: number): Promise<{ shard: string; nodeUrl: string }> {
  const rows = await onServer(url, async (client) => {
    const found = await client.query<{ shard: string; host: string; port: number }>(
      `select shardid as shard, nodename as host, nodeport as port from citus_shards
       where table_name = ('ledger_group_' || $1 || '.event')::regclass`,
      [group],
    );
    return found.rows;
  });
  const [place] = rows;
  if (!place) throw new Error(`ledger group ${group} is not distributed`);
  const node = new URL(url);
  node.hostname = place.host;
  node.port = String(place.port);
  return { shard: place.shard, nodeUrl: node.href };
}

/**
 * A platform in this group. Each session of the coordinator notices by one failure that a worker has
 * closed its connections, as an earlier test makes it.
 */
async function platformIn({ db }: Pick<TestDatabase, 'db'>, service: TestService, group: number) {
  const open = 'update ledger_group set is_open = true where group_id = $1';
  await eventually(() => db.execute(open, [group]).then(() => true, isOnlyUnavailable));
  const body = { name: 'Riverside Staffing', plan: 'enterprise', group };
  const made = await untilServed(() => service.request('POST', '/admin/platforms', { admin: true, body }));
  return made.body.keys.live.key as string;
}

function isOnlyUnavailable(error: unknown): false {
  if (!isDatabaseUnavailable(error)) throw error;
  return false;
}

/** Whether a database refuses connections. Those that are open are closed first. */
async function refuseConnections(url: string, isRefused: boolean): Promise<void> {
  await onServer(serverOf(url), async (client) => {
    await allowConnections(client, url, !isRefused);
    if (!isRefused) return;
    const statement = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1';
    await client.query(statement, [nameOf(url)]);
  });
}

async function allowConnections(admin: pg.Client, url: string, isAllowed: boolean): Promise<void> {
  await admin.query(`alter database ${nameOf(url)} with allow_connections ${isAllowed}`);
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

/** The tester's database on the same server. */
function serverOf(url: string): string {
  const server = new URL(url);
  server.pathname = new URL(inject('testPostgresUrl') ?? '').pathname;
  return server.href;
}

/** As another version of the service leaves a function that all nodes need. */
const OUTDATED =
  "create or replace function ledger_group_prepare(schema text) returns void language sql as 'select null'";

function outdate({ db }: TestDatabase): Promise<unknown> {
  return db.execute(OUTDATED);
}

async function isOutdated(nodeUrl: string): Promise<boolean> {
  const { rows } = await onServer(nodeUrl, (client) =>
    client.query("select from pg_proc where proname = 'ledger_group_prepare' and prosrc = 'select null'"),
  );
  return rows.length > 0;
}

describe.skipIf(!hasCitus)('on a Citus cluster', () => {
  const database = ownDatabase('postgresql');

  test('every group but the first is on a worker, and can be distributed again', async () => {
    const env = { DATABASE_URL: database.url ?? '' };
    const groups = await openGroups(database.db);
    const places = await textOf('distribute', env, ['--groups', String(groups.length)]);
    expect(places.match(/^Group \d+: \S+:\d+$/gm)).toHaveLength(groups.length - 1);
    expect(places).not.toMatch(/Distribut|Add/);
  });

  test('a transaction of a group runs on the node of its shards, and names no shell', async () => {
    for (const db of (await openGroups(database.db)).slice(1)) {
      const plan = await db.query<{ 'query plan': string }>(
        'explain select 1 from event where subject_id is null',
      );
      expect(JSON.stringify(plan)).toMatch(/event_\d+/);
      expect(JSON.stringify(plan)).not.toContain('Citus');
      await db.execute(
        'insert into recompute_queue (record_id, enqueued_at) values (gen_random_uuid(), now())',
      );
      const [row] = await db.query<{ queueId: number }>(
        'select max(queue_id) as queue_id from recompute_queue',
      );
      expect(row?.queueId).toBeGreaterThan(0);
    }
  });

  test('a transaction that begins on a node which the group left is refused there', async () => {
    await onServer(database.url ?? '', async (client) => {
      await expect(
        client.query(
          'select ledger_group_is_here(s.shardid, true) from pg_dist_shard s join pg_dist_schema d on true join pg_class c on c.oid = s.logicalrelid and c.relnamespace = d.schemaid limit 1',
        ),
      ).rejects.toMatchObject({ code: 'LGMOV' });
    });
  });

  test('requests that read are answered while the end of a move holds back those that write', async () => {
    const service = await startTestService('postgresql', { db: database.db });
    onTestFinished(() => service.close());
    const key = await platformIn(database, service, 1);
    const write = () => untilServed(() => report(service, outcome({ isVerified: true }), { key }));
    expect((await write()).status).toBe(201);
    const { shard, nodeUrl } = await placeOf(database.url ?? '', 1);
    await onServer(nodeUrl, async (client) => {
      await client.query('begin');
      await client.query('select lock_shard_metadata(7, array[$1::bigint])', [shard]); // as a move does
      let written = 0;
      const writes = Array.from({ length: 30 }, () => write().finally(() => (written += 1)));
      for (let read = 0; read < 20; read += 1) {
        const book = await untilServed(() => service.request('GET', '/users?limit=1', { key }));
        expect(book.body.users).toHaveLength(1);
      }
      expect(written).toBe(0);
      await client.query('commit');
      for (const { status } of await Promise.all(writes)) expect(status).toBe(201);
    });
  });

  test('two groups of one node share a transaction over groups, and read one another in it', async () => {
    const added = await addTestGroups(database.db, 2);
    const groups = await openGroups(database.db);
    const byNode = groupBy(await findNodes(database.db), ({ node }) => node);
    const [one, two] = [...byNode.values()].find((each) => each.length > 1) ?? [];
    const home = groups[one?.group ?? 0];
    if (!home || !two) throw new Error(`no node has two groups, although ${added.length} were added`);
    const id = randomUUID();
    const write = 'insert into recompute_queue (record_id, enqueued_at) values ($1, now())';
    const count = 'select from recompute_queue where record_id = $1';
    const seen = await home.transaction(async (tx) => {
      await tx.execute(write, [id]);
      await tx.inLedger(two.group, (tx) => tx.execute(write, [id]));
      return tx.ledgers.of(two.group).query(count, [id]);
    });
    expect(seen).toHaveLength(0);
    for (const group of [home.ledgers.own, two.group]) {
      expect(await groups[group]?.query(count, [id])).toHaveLength(1);
    }
    expect(await home.query('select from group_commit')).toEqual([]);
  });

  test('db:distribute says each step', async () => {
    const own = await openTestDatabase('postgresql');
    onTestFinished(() => own.close());
    const { length } = await openGroups(own.db);
    await outdate(own);
    const args = ['--groups', String(length + 2)];
    expect(await textOf('distribute', { DATABASE_URL: own.url ?? '' }, args)).toContain(
      [
        'Creating ledger_group_prepare(text) on all nodes',
        `Adding group ${length}, 1 of 2`,
        `Adding group ${length + 1}, 2 of 2`,
        `Added: ${length}, ${length + 1}.`,
      ].join('\n'),
    );
  });

  test('a change of the schema while a worker is away names the worker, and is made when it is back', async () => {
    const own = await openTestDatabase('postgresql');
    onTestFinished(() => own.close());
    const env = { DATABASE_URL: own.url ?? '' };
    const { nodeUrl } = await placeOf(own.url ?? '', 1);
    await outdate(own);
    expect(await isOutdated(nodeUrl)).toBe(true);
    await refuseConnections(nodeUrl, true);
    const failed = textOf('migrate', env);
    await expect(failed).rejects.toThrow('needs all nodes of the Citus cluster');
    await expect(failed).rejects.toThrow(new URL(nodeUrl).port);
    await refuseConnections(nodeUrl, false);
    expect(await textOf('migrate', env)).toContain('The database is up to date.');
    expect(await isOutdated(nodeUrl)).toBe(false);
  });

  test('a change of the schema that waits for a worker ends when that answers no more, and names it', async () => {
    const own = await openTestDatabase('postgresql');
    onTestFinished(() => own.close());
    const env = { DATABASE_URL: own.url ?? '' };
    const { nodeUrl } = await placeOf(own.url ?? '', 1);
    await outdate(own);
    // The worker waits for this transaction before it replaces the same function.
    await onServer(nodeUrl, async (client) => {
      await client.query(`begin; set local citus.enable_ddl_propagation to off; ${OUTDATED}`);
      const migrating = textOf('migrate', env);
      const failed = expect(migrating).rejects.toThrow(
        `needs all nodes of the Citus cluster, and ${new URL(nodeUrl).host} cannot be reached`,
      );
      const waiting = 'select 1 from pg_locks where not granted and pid <> pg_backend_pid()';
      await eventually(async () => (await client.query(waiting)).rows.length > 0);
      await onServer(serverOf(nodeUrl), (admin) => allowConnections(admin, nodeUrl, false));
      await failed;
      await onServer(serverOf(nodeUrl), (admin) => allowConnections(admin, nodeUrl, true));
      await client.query('rollback');
    });
    expect(await textOf('migrate', env)).toContain('The database is up to date.');
  });

  test('a process that starts while a worker is away serves the other groups, then all', async () => {
    const nodes = await findNodes(database.db);
    const [gone] = nodes;
    const near = nodes.find(({ node }) => node !== gone?.node);
    if (!gone || !near) throw new Error('the groups are on one node');
    const first = await startTestService('postgresql', { db: database.db });
    onTestFinished(() => first.close());
    const [away, here] = [
      await platformIn(database, first, gone.group),
      await platformIn(database, first, near.group),
    ];
    const { nodeUrl } = await placeOf(database.url ?? '', gone.group);
    const refuse = (isRefused: boolean) => refuseConnections(nodeUrl, isRefused);
    await refuse(true);
    onTestFinished(() => refuse(false));

    const service = await startTestService('postgresql', { db: database.db, log: pino({ level: 'silent' }) });
    onTestFinished(() => service.close());
    const add = async (key: string) =>
      (await report(service, outcome({ userId: 'ben', isVerified: true }), { key })).status;
    const isScored = async (key: string) =>
      (await service.request('GET', '/users/ben/score', { key })).body.totalEvents > 0;
    const unreachable = async () =>
      (await service.request('GET', '!/status.json', { key: null })).body.checks.database.unreachableGroups;
    await eventually(async () => (await add(here)) === 201);
    expect(await add(away)).toBe(503);
    await eventually(() => isScored(here));
    const missing = nodes.filter(({ node }) => node === gone.node).length;
    await eventually(async () => (await unreachable()) === missing);

    await refuse(false);
    await eventually(async () => (await add(away)) === 201);
    await eventually(() => isScored(away));
    await eventually(async () => (await unreachable()) === 0);
  });

  describe('a group that moves under load, while the service is killed once', () => {
    let report: CrashReport;
    const said: string[] = [];
    beforeAll(async () => {
      const say = (line: string) => said.push(line);
      report = await crashRun({ engine: 'citus', kills: 1, outages: 0, moves: 2, clients: 8, seed: 9, say });
    }, 400_000);

    test('loses and doubles nothing, and the audit is clean', () => {
      expect(report.violations, said.join('\n')).toEqual([]);
      expect(report.events).toBeGreaterThan(100);
      expect(report.delivered).toBeGreaterThan(50);
    });
  });
});
