import { describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import { ownDatabase } from '#harness/ownDatabase.js';
import { noteCluster } from '../../src/shape/citus/distribute.js';

describe.each(engines)('the identity of the database cluster, on %s', (engine) => {
  const firstStart = new Date('2026-03-01T09:00:00.000Z');
  const laterStart = new Date('2026-04-01T09:00:00.000Z');
  const database = ownDatabase(engine);
  const noted = async () => {
    const [row] = await database.db.query<{ clusterId: string; clusterSince: Date }>(
      'select * from ledger_cluster',
    );
    return row;
  };

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
});
