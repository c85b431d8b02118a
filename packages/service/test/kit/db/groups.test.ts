import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasPostgres, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { PATIENCE_MS } from '#harness/eventually.js';
import { gate } from '#harness/gate.js';
import type { Database } from '#kit/db/database.js';
import { schemaOfGroup } from '#kit/db/groups.js';
import { migrate, migrateGroup } from '#kit/db/migrate.js';
import { PooledDatabase } from '#kit/db/pooledDatabase.js';
import { temporaryMigrations } from './migrationsFor.js';

const FILES = {
  '0001_common.sql': 'create table common (n int, more int)',
  '0002_own.sql': 'create table own (n int)',
};
const POOL_SIZE = 2;
const shared = new Set(['0001_common.sql']);

describe.skipIf(!hasPostgres)('ledger groups', () => {
  let opened: TestDatabase;
  const files = temporaryMigrations(FILES);
  let first: Database;
  let second: Database;

  beforeAll(async () => {
    opened = await openTestDatabase('postgresql', { migrations: files.folder });
    first = opened.db;
    if (!(first instanceof PooledDatabase)) throw new Error('no pool');
    second = first.open({ ledger: 2, path: schemaOfGroup(2), poolSize: POOL_SIZE });
    first.handles.set(2, second);
    await migrateGroup(second, files.folder, shared);
  });
  afterAll(() => opened.close());
  afterAll(files.remove);

  const own = (db: Database) => db.query<{ n: number }>('select n from own order by n');

  test('each has tables of its own, and finds no others', async () => {
    await first.execute('insert into own values (1)');
    await second.execute('insert into own values (2)');
    await first.execute('insert into common (n, more) values (3, 4)');
    await expect(second.query('select n from common')).rejects.toMatchObject({ code: '42P01' });
    expect(await own(first)).toEqual([{ n: 1 }]);
    expect(await own(second)).toEqual([{ n: 2 }]);
    expect(await second.shared.query('select n, more from common')).toEqual([{ n: 3, more: 4 }]);
  });

  test('each has connections of its own, of which others take none', async () => {
    const pidOf = async (db: Pick<Database, 'query'>) => {
      const [row] = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
      return row?.pid;
    };
    const end = gate();
    const taken: (number | undefined)[] = [];
    const busy = Array.from({ length: POOL_SIZE }, () =>
      second.transaction(async (tx) => {
        taken.push(await pidOf(tx));
        await end.wait();
      }),
    );
    await vi.waitUntil(() => end.waiting === POOL_SIZE, { interval: 5, timeout: PATIENCE_MS });
    const more = second.query('select 1');
    expect(new Set([...taken, await pidOf(first)]).size).toBe(POOL_SIZE + 1);
    end.open();
    await Promise.all([...busy, more]);
  });

  test('many simultaneous statements and transactions of both stay in their own tables', async () => {
    const before = { first: await own(first), second: await own(second) };
    await Promise.all(
      Array.from({ length: 60 }, async (_, number) => {
        const db = number % 2 === 0 ? first : second;
        const add = (to: Pick<Database, 'execute'>) =>
          to.execute('insert into own values ($1)', [1000 + number]);
        if (number % 3 === 0) return db.transaction(add);
        if (number % 7 > 0) return add(db);
        const undone = db.transaction(async (tx) => {
          await add(tx);
          throw new Error('undo');
        });
        return expect(undone).rejects.toThrow('undo');
      }),
    );
    const isEven = ({ n }: { n: number }) => n % 2 === 0;
    const isNew = ({ n }: { n: number }) => n >= 1000;
    expect((await own(first)).filter(isNew).every(isEven)).toBe(true);
    expect((await own(second)).filter(isNew).some(isEven)).toBe(false);
    await first.execute('delete from own where n >= 1000');
    await second.execute('delete from own where n >= 1000');
    expect({ first: await own(first), second: await own(second) }).toEqual(before);
  });

  test('a notification wakes the listeners of its own group alone', async () => {
    const heard: string[] = [];
    const stops = [
      await first.listen('work', () => heard.push('first')),
      await second.listen('work', () => heard.push('second')),
    ];
    await second.notify('work');
    await expect.poll(() => heard).toEqual(['second']);
    await first.notify('work');
    await expect.poll(() => heard).toEqual(['second', 'first']);
    for (const stop of stops) await stop();
  });

  test('a transaction can write to the tables of another group', async () => {
    await first.transaction(async (tx) => {
      await tx.inLedger(2, (tx) => tx.execute('insert into own values (20)'));
      await tx.execute('insert into own values (10)');
    });
    expect(await own(first)).toEqual([{ n: 1 }, { n: 10 }]);
    expect(await own(second)).toEqual([{ n: 2 }, { n: 20 }]);
  });

  test('the database handle is refused in a transaction of another group', async () => {
    await expect(second.transaction(() => first.query('select 1'))).rejects.toThrow(
      'inside an open transaction',
    );
  });

  test('later migrations run in each group, without those of shared tables', async () => {
    files.write({ '0003_own.sql': 'alter table own add column later int' });
    expect((await migrate(first, files.folder)).applied).toEqual(['0003_own.sql']);
    expect((await migrateGroup(second, files.folder, shared)).applied).toEqual(['0003_own.sql']);
    expect((await migrateGroup(second, files.folder, shared)).applied).toEqual([]);
    for (const db of [first, second]) expect(await db.query('select later from own where n < 0')).toEqual([]);
  });
});
