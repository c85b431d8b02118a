import { beforeAll, expect, test } from 'vitest';
import { eventually } from '#harness/eventually.js';
import type { Queryable } from '#kit/db/database.js';
import { PooledDatabase } from '#kit/db/pooledDatabase.js';
import { runHousekeeping } from '../../../src/shape/embedded/pglite.js';
import { useDatabase } from './useDatabase.js';

const opened = useDatabase('pglite', 'create table queue (n int primary key, pad text)');
let db: PooledDatabase;
beforeAll(() => {
  if (!(opened.db instanceof PooledDatabase)) throw new Error('not the database this test is for');
  db = opened.db;
});

const figures = async () => {
  const [row] = await db.query<{ dead: number; vacuumed: Date | null; analyzed: Date | null }>(
    `select n_dead_tup as dead, last_vacuum as vacuumed, last_analyze as analyzed
     from pg_stat_user_tables where relname = 'queue'`,
  );
  return row;
};

const logBytes = async (on: Queryable = db) => {
  const [row] = await on.query<{ bytes: number }>(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) as bytes from pg_control_checkpoint()',
  );
  return row?.bytes ?? 0;
};

test('a table that fills after a start is analyzed within seconds, so that no plan for an empty one is kept', async () => {
  await db.execute('insert into queue select -n, null from generate_series(1, 2000) n');
  await db.execute('select pg_stat_force_next_flush()');
  await eventually(async () => (await figures())?.analyzed instanceof Date);
});

test('tables with many changes are vacuumed and analyzed', async () => {
  await db.execute('insert into queue select n, null from generate_series(1, 2000) n');
  await db.execute('delete from queue');
  await db.execute('select pg_stat_force_next_flush()');
  await runHousekeeping(db);
  // The housekeeping of the database itself may have come first.
  expect(await figures()).toEqual({ dead: 0, vacuumed: expect.any(Date), analyzed: expect.any(Date) });
});

test('a table that only grows is vacuumed, so that scans of an index need not look up its rows', async () => {
  await db.execute('create table ledger (n int primary key)');
  await db.execute('insert into ledger select n from generate_series(1, 3000) n');
  await db.execute('select pg_stat_force_next_flush()');
  await runHousekeeping(db);
  const [row] = await db.query("select relallvisible > 0 as seen from pg_class where relname = 'ledger'");
  expect(row).toEqual({ seen: true });
});

test('a WAL above its limit triggers a checkpoint, so that recovery after a crash is quick', async () => {
  // In one transaction: the housekeeping of the database itself comes after it.
  await db.transaction(async (tx) => {
    await tx.execute("insert into queue select n, repeat('x', 200) from generate_series(1, 300000) n");
    expect(await logBytes(tx)).toBeGreaterThan(64 * 1024 * 1024);
  });
  await runHousekeeping(db);
  expect(await logBytes()).toBeLessThan(1024 * 1024);
});

test('statistics come from a small sample, since all statements wait for it', async () => {
  await db.execute("insert into queue select -n, 'y' from generate_series(1, 400000) n");
  await db.execute('select pg_stat_force_next_flush()');
  await runHousekeeping(db);
  const [row] = await db.query<{ bounds: number }>(
    "select array_length(histogram_bounds::text::int[], 1) as bounds from pg_stats where tablename = 'queue' and attname = 'n'",
  );
  expect(row?.bounds).toBe(21);
});
