import { beforeEach, describe, expect, test } from 'vitest';
import { engines, hasPostgres } from '#harness/engines.js';
import { gate } from '#harness/gate.js';
import { type Database, endWith, type Tx } from '#kit/db/database.js';
import { useDatabase } from './useDatabase.js';

const SCHEMA = 'create table account (id text primary key, balance int not null)';
const TAKEN = "insert into account (id, balance) values ('a', 1)";

const add = (tx: Tx, id: string, amount: number) =>
  tx.execute('update account set balance = balance + $2 where id = $1', [id, amount]);

/** Of all accounts, in the order of their ids. */
const balances = async (db: Database) =>
  (await db.query<{ balance: number }>('select balance from account order by id')).map((row) => row.balance);

describe.each(engines)('transactions on %s', (engine) => {
  const opened = useDatabase(engine, SCHEMA);
  let db: Database;
  beforeEach(async () => {
    db = opened.db;
    await db.execute('delete from account');
    await db.execute("insert into account (id, balance) values ('a', 100), ('b', 100)");
  });

  test('a transaction commits its writes and returns its result', async () => {
    expect(await db.transaction(async (tx) => (await add(tx, 'a', -10)) + (await add(tx, 'b', 10)))).toBe(2);
    expect(await balances(db)).toEqual([90, 110]);
  });

  const endings: [what: string, run: (tx: Tx) => Promise<unknown>, error: object][] = [
    [
      'throws',
      async (tx) => {
        await add(tx, 'a', -10);
        throw new Error('changed my mind');
      },
      { message: 'changed my mind' },
    ],
    [
      'has a statement that fails',
      (tx) => add(tx, 'a', -10).then(() => tx.execute(TAKEN)),
      { code: '23505' },
    ],
    [
      'has one that fails, and ends as if it had not',
      (tx) => add(tx, 'a', -10).then(() => tx.execute(TAKEN).catch(() => undefined)),
      { message: expect.stringContaining('the transaction was rolled back') },
    ],
    [
      'has one that fails before the commit that was sent behind it',
      (tx) => endWith(tx, Promise.all([add(tx, 'a', -10), tx.execute(TAKEN), add(tx, 'b', 10)])),
      { code: '23505' },
    ],
  ];
  test.each(endings)('a transaction that %s is rolled back, and gives its error', async (_, run, error) => {
    await expect(db.transaction(run)).rejects.toMatchObject(error);
    expect(await balances(db)).toEqual([100, 100]);
  });

  test('a commit sent behind the last statements commits them, and nothing can follow it', async () => {
    const move = (tx: Tx) => Promise.all([add(tx, 'a', -10), add(tx, 'b', 10)]);
    expect(await db.transaction((tx) => endWith(tx, move(tx)))).toEqual([1, 1]);
    expect(await balances(db)).toEqual([90, 110]);
    const late = db.transaction(async (tx) => {
      await endWith(tx, add(tx, 'a', -10));
      await add(tx, 'b', 10);
    });
    await expect(late).rejects.toThrow('after its transaction had ended');
    expect(await balances(db)).toEqual([80, 110]);
  });

  test('statements started together run in order', async () => {
    await db.transaction(async (tx) => {
      await Promise.all([
        tx.execute("insert into account (id, balance) values ('c', 1)"),
        add(tx, 'c', 1),
        tx.execute("update account set balance = balance * 10 where id = 'c'"),
      ]);
    });
    expect(await balances(db)).toEqual([100, 100, 20]);
  });

  test('the outer handle refuses to work inside an open transaction', async () => {
    const uses: (() => Promise<unknown>)[] = [
      () => db.query('select 1'),
      () => db.execute('select 1'),
      () => db.transaction(async () => undefined),
      () => db.notify('somebody'),
      () => db.listen('somebody', () => undefined),
      () => db.ping(),
    ];
    for (const use of uses) {
      await expect(db.transaction(use)).rejects.toThrow('inside an open transaction');
    }
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('work started in a transaction may use the outer handle after its end', async () => {
    let later: Promise<unknown> = Promise.resolve();
    const ended = gate();
    await db.transaction(async () => {
      later = ended.wait().then(() => db.query('select 1 as one'));
    });
    ended.open();
    expect(await later).toEqual([{ one: 1 }]);
  });

  test('a tx used after its transaction is refused', async () => {
    const ended = await db.transaction(async (tx) => tx);
    await expect(ended.query('select 1')).rejects.toThrow('used after its transaction had ended');
  });

  test('fifty transactions at once each have their effect', async () => {
    await Promise.all(
      Array.from({ length: 50 }, () =>
        db.transaction(async (tx) => (await add(tx, 'a', -1)) + (await add(tx, 'b', 1))),
      ),
    );
    expect(await balances(db)).toEqual([50, 150]);
  });

  test('single statements run between transactions', async () => {
    const order: string[] = [];
    const slow = (name: string) =>
      db.transaction(async (tx) => {
        await tx.query('select pg_sleep(0.05)');
        order.push(name);
      });
    const first = slow('first');
    const single = db.query('select pg_sleep(0.1)').then(() => order.push('single'));
    const second = slow('second');
    await Promise.all([first, single, second]);
    if (engine === 'pglite') expect(order).toEqual(['first', 'single', 'second']);
    expect(order).toHaveLength(3);
  });

  test('a stale plan is renewed after another connection changed the table', async () => {
    await db.execute('create table shape (a int)');
    await db.execute('insert into shape values (1)');
    expect(await db.query('select * from shape')).toEqual([{ a: 1 }]);
    await db.execute('alter table shape add column b int default 2');
    expect(await db.query('select * from shape')).toEqual([{ a: 1, b: 2 }]);
    await db.execute('alter table shape add column c int default 3');
    expect(await db.transaction((tx) => tx.query('select * from shape'))).toEqual([{ a: 1, b: 2, c: 3 }]);
  });
});

describe.skipIf(!hasPostgres)('conflicts between transactions on a server', () => {
  const opened = useDatabase('postgresql', SCHEMA);
  let db: Database;
  beforeEach(async () => {
    db = opened.db;
    await db.execute('delete from account');
    await db.execute("insert into account (id, balance) values ('a', 0), ('b', 0)");
  });

  test('the victim of a deadlock is retried', async () => {
    const meeting = meetingOf(2);
    let runs = 0;
    const crossing = (first: string, second: string) =>
      db.transaction(async (tx) => {
        runs += 1;
        await add(tx, first, 1);
        await meeting();
        await add(tx, second, 1);
      });
    await Promise.all([crossing('a', 'b'), crossing('b', 'a')]);
    expect(runs).toBe(3);
    expect(await balances(db)).toEqual([2, 2]);
  });

  test('a serialization failure is retried', async () => {
    const meeting = meetingOf(2);
    let runs = 0;
    const increment = () =>
      db.transaction(async (tx) => {
        runs += 1;
        await tx.execute('set transaction isolation level repeatable read');
        await tx.query('select balance from account');
        await meeting();
        await add(tx, 'a', 1);
      });
    await Promise.all([increment(), increment()]);
    expect(runs).toBe(3);
    expect(await balances(db)).toEqual([2, 0]);
  });

  test('a permanent conflict fails after four attempts', async () => {
    let runs = 0;
    const failure = db.transaction(async (tx) => {
      runs += 1;
      await tx.query("do $$ begin raise exception 'again' using errcode = '40001'; end $$");
    });
    await expect(failure).rejects.toMatchObject({ code: '40001' });
    expect(runs).toBe(4);
  });
});

/** A barrier: nobody passes until this many have arrived; later ones pass at once. */
function meetingOf(size: number): () => Promise<void> {
  const all = gate();
  return () => {
    const passed = all.wait();
    if (all.waiting >= size) all.open();
    return passed;
  };
}
