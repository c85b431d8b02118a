import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasPostgres } from '#harness/engines.js';
import { PATIENCE_MS } from '#harness/eventually.js';
import { occupyConnections } from '#harness/occupyConnections.js';
import { seededDataDir } from '#harness/pgliteSeed.js';
import {
  findPostgres,
  freshName,
  type PostgresCluster,
  startPostgresCluster,
} from '#harness/postgresCluster.js';
import { quietLog } from '#harness/quietLog.js';
import { type Database, isDatabaseUnavailable } from '#kit/db/database.js';
import { PgliteThread } from '../../../src/shape/embedded/pgliteThread.js';
import { openDatabase } from '../../../src/shape/openDatabase.js';
import { temporaryMigrations } from './migrationsFor.js';

const migrations = temporaryMigrations();
afterAll(migrations.remove);

/**
 * Resolves to true when the call failed because the database is unavailable; rethrows any other
 * error.
 */
const isAway = (call: Promise<unknown>) =>
  call.then(
    () => false,
    (error: unknown) => {
      if (isDatabaseUnavailable(error)) return true;
      throw error;
    },
  );

const worksAgain = (db: Database) =>
  vi.waitFor(() => db.query('select 1'), { timeout: PATIENCE_MS, interval: 100 });

// The tests stop the server, so they start their own.
describe.skipIf(!hasPostgres || findPostgres() === undefined)('a server that goes away', () => {
  let cluster: PostgresCluster;
  let db: Database;
  beforeAll(async () => {
    cluster = await startPostgresCluster({ fsync: false });
    const name = freshName('away');
    await cluster.createDatabase(name);
    db = await openDatabase({ databaseUrl: cluster.url(name), log: quietLog, poolSize: 4 });
    await db.execute('create table item (n int)');
  });
  afterEach(async () => {
    await cluster.start();
    await worksAgain(db);
  });
  afterAll(async () => {
    await db.close();
    await cluster.remove();
  });

  test('calls fail as unavailable while the server is stopped', async () => {
    await db.query('select 1');
    await cluster.stop();
    expect(await isAway(db.query('select 1'))).toBe(true);
    expect(await isAway(db.transaction((tx) => tx.query('select 1')))).toBe(true);
    expect(await isAway(db.ping())).toBe(true);
  });

  test.each(['stop', 'kill9'] as const)(
    'running statements fail as unavailable at a %s, and later ones succeed',
    async (end) => {
      const statements = [
        isAway(db.query('select pg_sleep(20)')),
        isAway(db.transaction((tx) => tx.query('select pg_sleep(20)'))),
        isAway(db.transaction((tx) => Promise.all([tx.query('select pg_sleep(20)'), tx.query('select 1')]))),
      ];
      await new Promise((resolve) => setTimeout(resolve, 200));
      await cluster[end]();
      expect(await Promise.all(statements)).toEqual([true, true, true]);
      await cluster.start();
      await worksAgain(db);
      expect(await Promise.all(Array.from({ length: 8 }, () => db.query('select 1 as one')))).toHaveLength(8);
    },
  );

  test('an interrupted transaction leaves nothing', async () => {
    const cutOff = db.transaction(async (tx) => {
      await tx.execute('insert into item values (1)');
      await cluster.kill9();
      // The connection's own process may outlive the server for an instant.
      for (;;) await tx.execute('insert into item values (2)');
    });
    expect(await isAway(cutOff)).toBe(true);
    await cluster.start();
    await worksAgain(db);
    expect(await db.query('select n from item')).toEqual([]);
  });

  test('a listener reconnects after an outage and is woken once for missed notifications', async () => {
    const heard: string[] = [];
    const stop = await db.listen('wake', (payload) => heard.push(payload));
    await cluster.stop();
    await cluster.start();
    await expect.poll(() => heard).toEqual(['']);
    await worksAgain(db);
    await db.query("select pg_notify('wake', 'new')");
    await expect.poll(() => heard).toEqual(['', 'new']);
    await stop();
  });

  test('opening and listening do not fail during an outage', async () => {
    await cluster.stop();
    const early = await openDatabase({ databaseUrl: cluster.url('postgres'), log: quietLog });
    const heard: string[] = [];
    await early.listen('dawn', (payload) => heard.push(payload));
    expect(await isAway(early.query('select 1'))).toBe(true);
    await cluster.start();
    await worksAgain(early);
    await expect
      .poll(async () => {
        await early.notify('dawn');
        return heard.length;
      })
      .toBeGreaterThan(0);
    await early.close();
  });

  test('calls and health checks on a full pool fail as busy, while it is full', async () => {
    const release = await occupyConnections(db, 4);
    const looks = Promise.allSettled([db.query('select 1'), db.ping(), db.transaction(async () => {})]);
    for (const look of await looks) {
      expect(look).toMatchObject({ status: 'rejected', reason: { name: 'DatabaseBusyError' } });
    }
    await release();
    await db.ping();
  });

  test('a lock timeout and a statement timeout fail as busy', async () => {
    const [{ name = '' } = {}] = await db.query<{ name: string }>('select current_database() as name');
    const other = await openDatabase({ databaseUrl: cluster.url(name), log: quietLog });
    for (const limit of ['lock_timeout', 'statement_timeout']) {
      await db.transaction(async (tx) => {
        await tx.query('select pg_advisory_xact_lock(1)');
        const waiting = other.transaction(async (otherTx) => {
          await otherTx.query(`select set_config('${limit}', '50ms', true)`);
          await otherTx.query('select pg_advisory_xact_lock(1)');
        });
        await expect(waiting).rejects.toMatchObject({ name: 'DatabaseBusyError' });
      });
    }
    await other.close();
  });

  test('a server without a free connection is unavailable', async () => {
    await db.execute('create role limited login connection limit 3');
    const url = new URL(cluster.url('postgres'));
    url.username = 'limited';
    const greedy = await openDatabase({ databaseUrl: url.href, log: quietLog, poolSize: 6 });
    const calls = await Promise.all(
      Array.from({ length: 6 }, () => isAway(greedy.query('select pg_sleep(2)'))),
    );
    expect(calls).toContain(true);
    expect(calls).toContain(false);
    await greedy.close();
  });

  test('after closing, every call is unavailable', async () => {
    const closed = await openDatabase({ databaseUrl: cluster.url('postgres'), log: quietLog });
    await closed.query('select 1');
    await closed.close();
    await closed.close();
    expect(await isAway(closed.query('select 1'))).toBe(true);
  });
});

describe('when the embedded engine dies', () => {
  let dataDir: string;
  let db: Database;
  const start = vi.spyOn(PgliteThread, 'start');
  const kill = async () => {
    const thread: Awaited<ReturnType<typeof PgliteThread.start>> | undefined =
      await start.mock.results.at(-1)?.value;
    await thread?.kill();
  };
  beforeAll(async () => {
    dataDir = await seededDataDir(migrations.folder);
    db = await openDatabase({ dataDir, log: quietLog });
    await db.execute('create table item (n int)');
  });
  afterAll(async () => {
    start.mockRestore();
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('the running statement fails as unavailable and the next one sees all committed rows', async () => {
    await db.execute('insert into item values (1)');
    const cutOff = db.transaction(async (tx) => {
      await tx.execute('insert into item values (2)');
      await kill();
      await tx.execute('insert into item values (3)');
    });
    expect(await isAway(cutOff)).toBe(true);
    expect(await db.query('select n from item')).toEqual([{ n: 1 }]);
  });

  test('the engine restarts every time, also between statements', async () => {
    for (let round = 0; round < 2; round += 1) {
      const underWay = isAway(db.query('select count(*) from generate_series(1, 100000000)'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      await kill();
      expect(await underWay).toBe(true);
      await worksAgain(db);
    }
    await kill();
    await worksAgain(db);
  });

  test('listeners are woken once and get later notifications', async () => {
    const heard: string[] = [];
    const stop = await db.listen('wake', (payload) => heard.push(payload));
    await kill();
    await worksAgain(db);
    await db.query("select pg_notify('wake', 'new')");
    await expect.poll(() => heard).toEqual(['', 'new']);
    await stop();
  });
});
