import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addTestGroups,
  engines,
  hasPostgres,
  openTestDatabase,
  type TestDatabase,
} from '#harness/engines.js';
import { eventually, PATIENCE_MS, soon } from '#harness/eventually.js';
import { quietLog } from '#harness/quietLog.js';
import { startTestService, type TestService } from '#harness/service.js';
import { type Clock, systemClock } from '#kit/clock.js';
import type { Database, Tx } from '#kit/db/database.js';
import { announce as announceOn, createWakes } from '#kit/db/wakes.js';
import { openGroups } from '../../../src/shape/groups/groups.js';
import { openDatabase } from '../../../src/shape/openDatabase.js';
import { isLetIn, mint, newPlatform, revoke, rotate } from './keyFixtures.js';

describe.skipIf(!hasPostgres)('keys known to several processes', () => {
  let database: TestDatabase;
  let here: TestService;
  let there: TestService;
  const handles: Database[] = [];
  const start = async (clock: Clock) => {
    const options = { databaseUrl: database.url, log: quietLog, connectWithinMs: PATIENCE_MS };
    const db = await openDatabase(options);
    handles.push(db);
    return startTestService('postgresql', { db, clock });
  };
  /** Two processes on one database. The clock of the second one is stopped, so its cache never expires. */
  beforeAll(async () => {
    database = await openTestDatabase('postgresql');
    if ((await openGroups(database.db)).length === 1) await addTestGroups(database.db, 1);
    const stopped = systemClock.now();
    here = await start(systemClock);
    there = await start({ now: () => stopped });
  });
  afterAll(async () => {
    for (const open of [there, here, ...handles, database]) await open.close();
  });

  test.each<[string, (key: string, id: string) => Promise<unknown>]>([
    ['revoked', (key, id) => revoke(here, key, id)],
    ['rotated without grace', (key, id) => rotate(here, key, id, { graceHours: 0 })],
  ])('a key that is %s in one process is refused by the other within a second', async (_, end) => {
    const { live } = await newPlatform(here);
    const doomed = (await mint(here, live.key, {})).body;
    expect(await isLetIn(there, doomed.key)).toBe(true);
    await end(live.key, doomed.id);
    expect(await isLetIn(here, doomed.key)).toBe(false);
    await soon(() => isLetIn(there, doomed.key), false);
  });

  test('scope changes and a deactivation by the operator apply in the other process within a second', async () => {
    const { platformId, live } = await newPlatform(here);
    const statusThere = async () => (await there.request('GET', '/events/export', { key: live.key })).status;
    expect(await statusThere()).toBe(200);
    const path = `/admin/platforms/${platformId}`;
    await here.request('PATCH', `${path}/keys/${live.id}`, { admin: true, body: { scopes: ['scores'] } });
    await soon(statusThere, 403);
    await here.request('PATCH', path, { admin: true, body: { isActive: false } });
    await soon(statusThere, 401);
  });

  test('a key is refused soon after its end is committed, also if that was announced long before', async () => {
    const group = (await openGroups(handles[0] as Database))[1];
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

test.each(engines)(
  'the last use of a key costs a request no write, is in the list, and survives a stop, on %s',
  async (engine) => {
    const { db, close } = await openTestDatabase(engine);
    const service = await startTestService(engine, { db });
    const { live, test: used } = await newPlatform(service);
    const doomed = (await mint(service, live.key, {})).body;
    await revoke(service, live.key, doomed.id);
    const before = Date.now();
    expect(await isLetIn(service, used.key)).toBe(true);
    expect(await isLetIn(service, doomed.key)).toBe(false);
    const notedFor = async (id: string) => {
      const [row] = await db.query('select last_used_at as at from api_key where key_id = $1', [id]);
      return row?.at;
    };
    expect(await notedFor(used.id)).toBeNull();
    const { keys } = (await service.request('GET', '/platform/keys', { key: live.key })).body;
    const listed = keys.find(({ id }: { id: string }) => id === used.id);
    expect(Date.parse(listed.lastUsedAt)).toBeGreaterThanOrEqual(before);
    await service.close();
    expect(await notedFor(used.id)).toBeInstanceOf(Date);
    expect(await notedFor(doomed.id)).toBeNull();
    await close();
  },
);
