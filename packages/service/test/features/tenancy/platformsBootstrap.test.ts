import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { breadth, groupHandles, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { PATIENCE_MS } from '#harness/eventually.js';
import { quietLog } from '#harness/quietLog.js';
import { systemClock } from '#kit/clock.js';
import { hashOfSecret } from '#kit/crypto.js';
import type { Database } from '#kit/db/database.js';
import { createIdSource } from '#kit/ids.js';
import {
  bootstrapPlatform,
  draftFirstPlatform,
} from '../../../src/features/tenancy/platforms/addPlatform.js';
import { findActiveKey } from '../../../src/features/tenancy/platforms/keyStore.js';
import { openDatabase } from '../../../src/shape/openDatabase.js';

describe.each(breadth)('the first platform on %s', (engine) => {
  let database: TestDatabase;
  const depsOf = (db: Database, config = {}) => ({ db, clock: systemClock, ids: createIdSource(), config });
  const countOf = async (table: 'platform' | 'api_key' | 'activity') =>
    (await database.db.query(`select 1 from ${table}`)).length;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });

  beforeEach(async () => {
    for (const table of ['activity', 'api_key', 'platform'])
      await database.db.execute(`delete from ${table}`);
  });

  afterAll(() => database.close());

  test('an empty database gets a platform with full access and the lowest trust tier, with two working keys', async () => {
    const made = await bootstrapPlatform(depsOf(database.db));
    expect(await database.db.query('select name, trust_tier, plan from platform')).toEqual([
      { name: 'Default', trustTier: 'STARTER', plan: 'enterprise' },
    ]);
    for (const mode of ['live', 'test'] as const) {
      const key = made?.keys[mode] ?? '';
      expect(key.startsWith(`crd_${mode}_`)).toBe(true);
      const { caller } = (await findActiveKey(database.db, hashOfSecret(key))) ?? {};
      expect(caller).toMatchObject({ platformId: made?.id, livemode: mode === 'live', scopes: [] });
    }
    const groups = await groupHandles(database.db);
    const actors = await Promise.all(groups.map((db) => db.query('select distinct actor from activity')));
    expect(actors.flat()).toEqual([{ actor: 'service' }]);
  });

  test('a database with a platform gets no second one', async () => {
    await bootstrapPlatform(depsOf(database.db));
    expect(await bootstrapPlatform(depsOf(database.db))).toBeNull();
    expect(await countOf('platform')).toBe(1);
  });

  test('configured keys are used unchanged', async () => {
    const config = {
      bootstrapLiveKey: `crd_live_${'a'.repeat(30)}`,
      bootstrapTestKey: `crd_test_${'b'.repeat(30)}`,
    };
    const made = await bootstrapPlatform(depsOf(database.db, config));
    expect(made?.keys).toEqual({ live: config.bootstrapLiveKey, test: config.bootstrapTestKey });
  });

  test('concurrent starts create one platform', async () => {
    const second =
      database.url === undefined
        ? database.db
        : await openDatabase({ databaseUrl: database.url, log: quietLog, connectWithinMs: PATIENCE_MS });
    const starts = [database.db, second, database.db, second].map((db) => bootstrapPlatform(depsOf(db)));
    const made = (await Promise.all(starts)).filter((result) => result !== null);
    if (second !== database.db) await second.close();
    expect(made).toHaveLength(1);
    expect([await countOf('platform'), await countOf('api_key')]).toEqual([1, 2]);
  });

  test('a retry after a connection lost at the commit returns the same keys', async () => {
    const deps = depsOf(database.db);
    const draft = draftFirstPlatform(deps);
    const first = await bootstrapPlatform(deps, { draft });
    expect(await bootstrapPlatform(deps, { draft })).toEqual(first);
    expect(await countOf('platform')).toBe(1);
  });

  test('keys that cannot be delivered are not created', async () => {
    const handOver = () => Promise.reject(new Error('the disk is full'));
    await expect(bootstrapPlatform(depsOf(database.db), { handOver })).rejects.toThrow('the disk is full');
    expect([await countOf('platform'), await countOf('api_key'), await countOf('activity')]).toEqual([
      0, 0, 0,
    ]);
  });
});
