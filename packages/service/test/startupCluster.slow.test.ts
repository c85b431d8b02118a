import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noteCluster } from '../src/ledger/installation.js';
import { engines, openTestDatabase, type TestDatabase } from './harness/engines.js';

describe.each(engines)('the cluster that holds the ledger, on %s', (engine) => {
  const firstStart = new Date('2026-03-01T09:00:00.000Z');
  const laterStart = new Date('2026-04-01T09:00:00.000Z');
  let database: TestDatabase;
  const noted = async () => {
    const [row] = await database.db.query<{ clusterId: string; clusterSince: Date }>(
      'select * from installation',
    );
    return row;
  };

  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });

  afterAll(() => database.close());

  test('is noted at the first start', async () => {
    expect(await noteCluster(database.db, firstStart)).toBe(false);
    expect(await noted()).toMatchObject({
      clusterId: expect.stringMatching(/^\d+$/),
      clusterSince: firstStart,
    });
  });

  test('stays as noted while it is the same', async () => {
    expect(await noteCluster(database.db, laterStart)).toBe(false);
    expect(await noted()).toMatchObject({ clusterSince: firstStart });
  });

  test('another one, after a restore, settles all that was written before', async () => {
    const before = await noted();
    await database.db.execute("update installation set cluster_id = 'where the backup was taken'");
    expect(await noteCluster(database.db, laterStart)).toBe(true);
    expect(await noted()).toMatchObject({ clusterId: before?.clusterId, clusterSince: laterStart });
  });
});
