import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { engines, hasPostgres } from '#harness/engines.js';
import { PATIENCE_MS } from '#harness/eventually.js';
import { gate } from '#harness/gate.js';
import { quietLog } from '#harness/quietLog.js';
import { type Database, isDatabaseBusy } from '#kit/db/database.js';
import { runScript } from '#kit/db/transaction.js';
import { openDatabase } from '../../../src/shape/openDatabase.js';
import { useDatabase } from './useDatabase.js';

const SCHEMA = 'create table item (n int)';
const LIMIT_MS = 1_000;

describe.each(engines)('a transaction that takes longer than its limit, on %s', (engine) => {
  const opened = useDatabase(engine, SCHEMA);
  let limited: Database;
  beforeAll(async () => {
    const { url: databaseUrl, dataDir } = opened;
    if (databaseUrl === undefined) await opened.db.close();
    limited = await openDatabase({ databaseUrl, dataDir, log: quietLog, transactionLimitMs: LIMIT_MS });
  });
  afterAll(() => limited.close());

  test('fails as busy with its next statement, and commits nothing', async () => {
    const late = limited.transaction(async (tx) => {
      await tx.execute('insert into item values (1)');
      await new Promise((resolve) => setTimeout(resolve, 1.5 * LIMIT_MS));
      await tx.execute('insert into item values (2)');
    });
    await expect(late).rejects.toSatisfy(isDatabaseBusy);
    expect(await limited.query('select n from item')).toEqual([]);
  });

  test('fails as busy if it has several statements, each within the limit', async () => {
    const late = limited.transaction(async (tx) => {
      await tx.execute('insert into item values (3)');
      for (;;) await tx.query('select pg_sleep(0.05)');
    });
    await expect(late).rejects.toSatisfy(isDatabaseBusy);
    expect(await limited.query('select n from item')).toEqual([]);
  });

  test('is not ended if it runs a script: migrations take as long as they take', async () => {
    await limited.transaction(async (tx) => {
      await runScript(tx, 'set local idle_in_transaction_session_timeout = 0');
      await new Promise((resolve) => setTimeout(resolve, 1.5 * LIMIT_MS));
      await tx.execute('insert into item values (4)');
    });
    expect(await limited.query('select n from item')).toEqual([{ n: 4 }]);
    await limited.execute('delete from item');
  });
});

describe.skipIf(!hasPostgres)('a transaction that has reached its limit', () => {
  const opened = useDatabase('postgresql', SCHEMA);

  test('holds no locks, although its work goes on', async () => {
    const { db, url } = opened;
    const limited = await openDatabase({ databaseUrl: url, log: quietLog, transactionLimitMs: LIMIT_MS });
    await db.execute('insert into item values (1)');
    const end = gate();
    const late = limited.transaction(async (tx) => {
      await tx.query('select from item for update');
      await end.wait();
      await tx.query('select 1');
    });
    late.catch(() => {});
    await vi.waitUntil(() => end.waiting === 1, { interval: 5, timeout: PATIENCE_MS });
    // Waits for the lock, which only the end of the transaction frees.
    await db.execute('update item set n = 2');
    end.open();
    await expect(late).rejects.toSatisfy(isDatabaseBusy);
    await limited.close();
  });
});
