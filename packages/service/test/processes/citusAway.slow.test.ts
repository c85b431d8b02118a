import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applicationUrl } from '#harness/applicationRole.js';
import { differencesIn, logDifferencesIn } from '#harness/differencesIn.js';
import { hasCitus, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { eventually } from '#harness/eventually.js';
import { type FreezingProxy, openFreezingProxy } from '#harness/freezingProxy.js';
import { onServer } from '#harness/postgresCluster.js';
import { quietLog } from '#harness/quietLog.js';
import { startTestService, type TestService } from '#harness/service.js';
import type { Database } from '#kit/db/database.js';
import { newPublicToken } from '#kit/ids.js';
import { findNodes } from '../../src/shape/citus/placement.js';
import { openDatabase } from '../../src/shape/openDatabase.js';
import { signedIn } from '../console/consoleFixtures.js';
import { answered, made } from '../features/attestation/confirmationFixtures.js';
import { type Alias, ask, link, reportOf, scoreOf } from '../features/subjects/linkFixtures.js';
import { mint, newPlatform, revoke } from '../features/tenancy/keyFixtures.js';

/** Lets the coordinator and the service reach a worker through a proxy that can be cut off. */
async function proxyOf(databaseUrl: string, node: string): Promise<FreezingProxy> {
  const [host, port] = node.split(':');
  const worker = new URL(databaseUrl);
  worker.host = node;
  const proxy = await openFreezingProxy(worker.href);
  const { hostname, port: own } = new URL(proxy.url);
  await onServer(databaseUrl, (client) =>
    client.query(
      'select citus_update_node(nodeid, $1, $2) from pg_dist_node where nodename = $3 and nodeport = $4',
      [hostname, Number(own), host, Number(port)],
    ),
  );
  return proxy;
}

const CUT_OFF = {
  dead: (proxy: FreezingProxy) => proxy.close(),
  frozen: (proxy: FreezingProxy) => proxy.freeze(),
};

describe.skipIf(!hasCitus).each(['dead', 'frozen'] as const)('while a worker of the cluster is %s', (how) => {
  let database: TestDatabase;
  let application: Database;
  let service: TestService;
  let proxy: FreezingProxy;
  let goneGroup: number;
  let away: Alias;
  let here: Alias;
  let neighbour: Alias;

  const add = async (of: Alias) => (await reportOf(service, of, { isVerified: true })).status;
  const isScored = async (of: Alias, events: number) => (await scoreOf(service, of)).totalEvents === events;
  const isLetIn = async (key: string) => (await service.request('GET', '/platform', { key })).status === 200;

  beforeAll(async () => {
    database = await openTestDatabase('postgresql');
    const nodes = await findNodes(database.db);
    const [gone] = nodes;
    const near = nodes.find(({ node }) => node !== gone?.node);
    if (!gone || !near) throw new Error('the groups are on one node');
    goneGroup = gone.group;
    proxy = await proxyOf(database.url ?? '', gone.node);
    await database.db.execute('update ledger_group set is_open = group_id > 0');
    // With the limits of the service: tests otherwise wait longer for a connection.
    const databaseUrl = applicationUrl(database.url ?? '');
    application = await openDatabase({ databaseUrl, log: quietLog });
    service = await startTestService('postgresql', { db: application, log: pino({ level: 'silent' }) });
    const aliasIn = async (group: number, userId: string): Promise<Alias> => {
      const { platformId, ...keys } = await newPlatform(service, { group });
      return { platform: { id: platformId, ...keys }, userId };
    };
    away = await aliasIn(gone.group, 'ana');
    here = await aliasIn(near.group, 'ben');
    neighbour = await aliasIn(near.group, 'ben-elsewhere');
    for (const each of [away, here, neighbour]) {
      expect(await add(each)).toBe(201);
      await eventually(() => isScored(each, 1));
    }
    CUT_OFF[how](proxy);
    await eventually(async () => (await add(away)) === 503);
  });
  afterAll(async () => {
    await proxy.recover();
    await service.close();
    await application.close();
    proxy.close();
    await database.close();
  });

  test('platforms of the others report events and read scores', async () => {
    expect(await add(here)).toBe(201);
    await eventually(() => isScored(here, 2));
  });

  test('they list, create and revoke keys, and sign in', async () => {
    const { key } = here.platform.live;
    const minted = await mint(service, key, { label: 'laptop' });
    expect(minted.status).toBe(201);
    expect(await isLetIn(minted.body.key)).toBe(true);
    const listed = await service.request('GET', '/platform/keys', { key });
    expect(listed.body.keys.map(({ id }: { id: string }) => id)).toContain(minted.body.id);
    expect((await revoke(service, key, minted.body.id)).status).toBe(200);
    expect(await isLetIn(minted.body.key)).toBe(false);
    expect(await signedIn(service, key)).not.toBe('');
  });

  test('they ask for confirmations, which are answered', async () => {
    const asked = await made(service, { userId: here.userId }, { key: here.platform.live.key });
    expect((await answered(service, asked, 'confirm')).status).toBe(200);
  });

  test('they link records among themselves, and a link with the others is refused', async () => {
    expect((await link(service, neighbour, here)).status).toBe(201);
    await eventually(async () => (await scoreOf(service, neighbour)).totalEvents > 2);
    await expect(link(service, here, away)).rejects.toThrow('SERVICE_UNAVAILABLE');
    const linkToken = newPublicToken('lkt_', { ledgers: { own: goneGroup } });
    expect((await ask(service, here, 'POST', '/links', { body: { linkToken } })).status).toBe(503);
  });

  test('a new platform is placed in a group that answers', async () => {
    const { live } = await newPlatform(service);
    expect(await add({ ...here, platform: { ...here.platform, live } })).toBe(201);
  });

  test('the service is ready, and says which group is away', async () => {
    const { body: ready } = await service.request('GET', '!/health/ready', { key: null });
    expect(ready).toMatchObject({ status: 'ready', checks: { database: { unreachableGroups: 1 } } });
    const { text: metrics } = await service.request('GET', '!/metrics', { key: null });
    expect(metrics.match(/^ledger_group_up\{.*\} 0$/gm)).toEqual([`ledger_group_up{group="${goneGroup}"} 0`]);
    expect(metrics).toMatch(/^ledger_group_up\{.*\} 1$/m);
    expect(metrics).toMatch(/^log_leaves \d+$/m);
    const { body: status } = await service.request('GET', '!/status.json', { key: null });
    expect(status.status).toBe('degraded');
  });

  test('when it is back everything catches up, and the audits find no difference', async () => {
    await proxy.recover();
    await eventually(async () => (await add(away)) === 201);
    await eventually(() => isScored(away, 2));
    // A link over two nodes holds locks for a second at most, and is refused rather than wait.
    await eventually(async () => (await link(service, away, here)).status === 201);
    await service.settle();
    expect(await differencesIn(database.db)).toEqual([]);
    expect(await logDifferencesIn(database.db)).toEqual([]);
  });
});
