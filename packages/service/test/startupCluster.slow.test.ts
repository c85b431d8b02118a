import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSharded, noteCluster } from '../src/shape/citus/distribute.js';
import { engines, hasCitus, openTestDatabase, type TestDatabase } from './harness/engines.js';

describe.each(engines)('the identity of the database cluster, on %s', (engine) => {
  const firstStart = new Date('2026-03-01T09:00:00.000Z');
  const laterStart = new Date('2026-04-01T09:00:00.000Z');
  let database: TestDatabase;
  const noted = async () => {
    const [row] = await database.db.query<{ clusterId: string; clusterSince: Date }>(
      'select * from ledger_cluster',
    );
    return row;
  };

  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });

  afterAll(() => database.close());

  test('is recorded at the first start', async () => {
    expect(await noteCluster(database.db, firstStart)).toBe(false);
    expect(await noted()).toMatchObject({
      clusterId: expect.stringMatching(/^\d+$/),
      clusterSince: firstStart,
    });
  });

  test('is unchanged on later starts', async () => {
    expect(await noteCluster(database.db, laterStart)).toBe(false);
    expect(await noted()).toMatchObject({ clusterSince: firstStart });
  });

  test('changes after a restore to another cluster, which settles all earlier rows', async () => {
    const before = await noted();
    await database.db.execute("update ledger_cluster set cluster_id = 'where the backup was taken'");
    expect(await noteCluster(database.db, laterStart)).toBe(true);
    expect(await noted()).toMatchObject({ clusterId: before?.clusterId, clusterSince: laterStart });
  });

  const isOnCluster = hasCitus && engine === 'postgresql';

  test.runIf(isOnCluster)(
    'a schema with a table that Citus distributes by its rows is recognised',
    async () => {
      const { db } = database;
      expect(await isSharded(db)).toBe(false);
      await db.execute('create table spread (id integer)');
      await db.execute("select create_distributed_table('spread', 'id')");
      expect(await isSharded(db)).toBe(true);
    },
  );

  test.skipIf(isOnCluster)('so it is by the catalogue of Citus, where there is none', async () => {
    const { db } = database;
    expect(await isSharded(db)).toBe(false);
    await db.execute('create table pg_dist_partition (logicalrelid regclass, partmethod "char")'); // as Citus has it
    expect(await isSharded(db)).toBe(false);
    await db.execute("insert into pg_dist_partition values ('event', 'n')"); // a reference table
    expect(await isSharded(db)).toBe(false);
    await db.execute("update pg_dist_partition set partmethod = 'h'");
    expect(await isSharded(db)).toBe(true);
  });
});
