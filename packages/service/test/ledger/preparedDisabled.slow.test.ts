import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPostgres, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { PATIENCE_MS } from '#harness/eventually.js';
import { serviceMigrations } from '#harness/migrationsFolder.js';
import { findPostgres, type PostgresCluster, startPostgresCluster } from '#harness/postgresCluster.js';
import { quietLog } from '#harness/quietLog.js';
import { systemClock } from '#kit/clock.js';
import { hashOfSecret } from '#kit/crypto.js';
import type { Database } from '#kit/db/database.js';
import { migrate } from '#kit/db/migrate.js';
import { insertRow } from '#kit/db/rows.js';
import { createIdSource, newPublicToken } from '#kit/ids.js';
import { insertGroup } from '#ledger/groups/store.js';
import { createWithIdempotency, trackClaims } from '#ledger/requests/idempotency.js';
import { linkUser } from '../../src/features/subjects/links/links.js';
import { addGroups } from '../../src/shape/groups/groups.js';
import { openDatabase } from '../../src/shape/openDatabase.js';
import { joinServers } from './linkHomes.js';
import { type Linkable, type LinkBench, linkBench } from './linksDeps.js';

const canStart = hasPostgres && findPostgres() !== undefined;

describe.skipIf(!canStart)('a link to a subject on a server with max_prepared_transactions = 0', () => {
  let cluster: PostgresCluster;
  let first: TestDatabase;
  let second: Database;
  let bench: LinkBench;
  let joining: Linkable;
  let host: Linkable;
  const token = newPublicToken('lkt_', { ledgers: { own: 1 } });

  beforeAll(async () => {
    cluster = await startPostgresCluster({ fsync: false, maxPreparedTransactions: 0 });
    second = await openDatabase({
      databaseUrl: cluster.url('postgres'),
      log: quietLog,
      connectWithinMs: PATIENCE_MS,
    });
    await migrate(second, serviceMigrations);
    await addGroups(second, serviceMigrations, 1, new Date());
    first = await openTestDatabase('postgresql');
    const groups = await joinServers(first.db, second);
    bench = linkBench(first.db, systemClock, 500, groups);
    [joining, host] = [await bench.add(), await bench.add()];
    const tokenHash = hashOfSecret(token);
    const expiresAt = new Date(Date.now() + 60_000);
    await groups[1]?.transaction((tx) =>
      insertRow(tx, 'link_token', { tokenHash, subjectId: host.id, expiresAt }),
    );
    await insertGroup(first.db, 1, new Date());
  });
  afterAll(async () => {
    await first.close();
    await second.close();
    await cluster.remove();
  });

  test('is refused with the setting that is missing, and changes nothing', async () => {
    const db = first.db;
    const deps = {
      db,
      clock: systemClock,
      ids: createIdSource(),
      withIdempotency: createWithIdempotency(db, trackClaims()),
      groupWakes: new Map(),
      config: { velocityMaxPerHour: 500 },
    };
    const owner = { platformId: joining.platformId, livemode: true, actor: 'key:of-the-tests' };
    await expect(linkUser(deps, owner as never, joining.id, token, null)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('set max_prepared_transactions on it'),
    });
    const records = await bench.rows<{ recordId: string }>('select record_id from subject');
    expect(records.map(({ recordId }) => recordId).sort()).toEqual([joining.id, host.id].sort());
    expect(await bench.rows('select from link_token')).toHaveLength(1);
    expect(await bench.rows('select from group_commit')).toEqual([]);
  });

  test('leaves no lock behind', async () => {
    for (const each of [joining, host]) await bench.report(each, [{}]);
    await bench.recompute();
    expect(await bench.audit()).toEqual([]);
  });
});
