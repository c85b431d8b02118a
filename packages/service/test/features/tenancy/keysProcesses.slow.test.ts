import { afterEach, describe, expect, test } from 'vitest';
import { addTestGroups, engines, hasPostgres, openTestDatabase } from '#harness/engines.js';
import { eventually, PATIENCE_MS, soon } from '#harness/eventually.js';
import { quietLog } from '#harness/quietLog.js';
import { startTestService, type TestService } from '#harness/service.js';
import { systemClock } from '#kit/clock.js';
import type { Database, Tx } from '#kit/db/database.js';
import { announce as announceOn, createWakes } from '#kit/db/wakes.js';
import { openGroups } from '../../../src/shape/groups/groups.js';
import { openDatabase } from '../../../src/shape/openDatabase.js';
import { isLetIn, mint, newPlatform, revoke, rotate } from './keyFixtures.js';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

describe.skipIf(!hasPostgres)('keys known to several processes', () => {
  /**
   * Two processes on one database, and the handle of the first one. The clock of the second one is
   * stopped, so its cache never expires.
   */
  async function twoProcesses(): Promise<[TestService, TestService, Database]> {
    const database = await openTestDatabase('postgresql');
    cleanups.push(() => database.close());
    if ((await openGroups(database.db)).length === 1) await addTestGroups(database.db, 1);
    const stopped = systemClock.now();
    const services: TestService[] = [];
    const handles: Database[] = [];
    for (const clock of [systemClock, { now: () => stopped }]) {
      const options = { databaseUrl: database.url, log: quietLog, connectWithinMs: PATIENCE_MS };
      const db = await openDatabase(options);
      const service = await startTestService('postgresql', { db, clock });
      cleanups.push(async () => {
        await service.close();
        await db.close();
      });
      services.push(service);
      handles.push(db);
    }
    return [...services, ...handles] as unknown as [TestService, TestService, Database];
  }

  test.each([
    ['revoked', (here: TestService, key: string, id: string) => revoke(here, key, id)],
    [
      'rotated without grace',
      (here: TestService, key: string, id: string) => rotate(here, key, id, { graceHours: 0 }),
    ],
  ])('a key that is %s in one process is refused by the other within a second', async (_, end) => {
    const [here, there] = await twoProcesses();
    const { live } = await newPlatform(here);
    const doomed = (await mint(here, live.key, {})).body;
    expect(await isLetIn(there, doomed.key)).toBe(true);
    await end(here, live.key, doomed.id);
    expect(await isLetIn(here, doomed.key)).toBe(false);
    await soon(() => isLetIn(there, doomed.key), false);
  });

  test('a key is refused soon after its end is committed, also if that was announced long before', async () => {
    const [here, there, db] = await twoProcesses();
    const group = (await openGroups(db))[1];
    if (!group) throw new Error('there is no second group');
    const { live } = await newPlatform(here, { group: 1 });
    const doomed = (await mint(here, live.key, {})).body;
    // As on a node of a Citus cluster, whose notice precedes the commit on the coordinator.
    announcingBefore(group, async (tx) => {
      await announced(there.db);
      expect(await isLetIn(there, doomed.key)).toBe(true);
      await tx.query('select pg_sleep(1.5)');
      expect(await isLetIn(there, doomed.key)).toBe(true);
    });
    expect((await revoke(here, live.key, doomed.id)).status).toBe(200);
    await soon(() => isLetIn(there, doomed.key), false);
  });

  test('scope changes and a deactivation by the operator apply in the other process within a second', async () => {
    const [here, there] = await twoProcesses();
    const { platformId, live } = await newPlatform(here);
    const statusThere = async () =>
      (await there.request('GET', '/events/export?limit=1', { key: live.key })).status;
    expect(await statusThere()).toBe(200);
    const path = `/admin/platforms/${platformId}`;
    await here.request('PATCH', `${path}/keys/${live.id}`, { admin: true, body: { scopes: ['scores'] } });
    await soon(statusThere, 403);
    await here.request('PATCH', path, { admin: true, body: { isActive: false } });
    await soon(statusThere, 401);
  });
});

/** The transactions of the handle do this in place of announcing that keys have changed. */
function announcingBefore(db: Database, announce: (tx: Tx) => Promise<void>): void {
  const transaction = db.transaction.bind(db);
  db.transaction = (work) =>
    transaction((tx) => {
      const execute = tx.execute.bind(tx);
      tx.execute = async (text, values) => {
        if (!text.includes('pg_notify')) return execute(text, values);
        await announce(tx);
        return 0;
      };
      return work(tx);
    });
}

/** Resolves when the process of the handle has heard a notice that keys have changed. */
async function announced(db: Database): Promise<void> {
  let isHeard = false;
  const wakes = createWakes(db, quietLog);
  wakes.on('keys', () => {
    isHeard = true;
  });
  const end = await wakes.listen();
  await announceOn(db, 'keys');
  await eventually(async () => isHeard);
  await end();
}

describe.each(engines)('the last use of a key on %s', (engine) => {
  async function start(): Promise<{ service: TestService; db: Database }> {
    const database = await openTestDatabase(engine);
    cleanups.push(() => database.close());
    return { service: await startTestService(engine, { db: database.db }), db: database.db };
  }

  const notedFor = async (db: Database, id: string) =>
    (await db.query<{ at: Date | null }>('select last_used_at as at from api_key where key_id = $1', [id]))[0]
      ?.at;

  test('costs a request no write but appears in the list', async () => {
    const { service, db } = await start();
    cleanups.push(() => service.close());
    const { live, test: testKey } = await newPlatform(service);
    const before = Date.now();
    expect(await isLetIn(service, testKey.key)).toBe(true);
    expect(await notedFor(db, testKey.id)).toBeNull();
    const { keys } = (await service.request('GET', '/platform/keys', { key: live.key })).body;
    const listed = keys.find(({ id }: { id: string }) => id === testKey.id);
    expect(Date.parse(listed.lastUsedAt)).toBeGreaterThanOrEqual(before);
  });

  test('survives a stop of the service', async () => {
    const { service, db } = await start();
    const { live } = await newPlatform(service);
    expect(await isLetIn(service, live.key)).toBe(true);
    await service.close();
    expect(await notedFor(db, live.id)).toBeInstanceOf(Date);
  });

  test('is not recorded for a refused key', async () => {
    const { service, db } = await start();
    const { live } = await newPlatform(service);
    const doomed = (await mint(service, live.key, {})).body;
    await revoke(service, live.key, doomed.id);
    expect(await isLetIn(service, doomed.key)).toBe(false);
    await service.close();
    expect(await notedFor(db, doomed.id)).toBeNull();
  });
});
