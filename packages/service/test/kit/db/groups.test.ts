import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../src/kit/db/database.js';
import { migrate, migrateGroup } from '../../../src/kit/db/migrate.js';
import { engines, openTestDatabase, type TestDatabase } from '../../harness/engines.js';
import { PATIENCE_MS } from '../../harness/eventually.js';
import { temporaryMigrations } from './migrationsFor.js';

const FILES = {
  '0001_common.sql': 'create table common (n int, more int)',
  '0002_own.sql': 'create table own (n int)',
};
const shared = new Set(['0001_common.sql']);

describe.each(engines)('ledger groups on %s', (engine) => {
  let opened: TestDatabase;
  const files = temporaryMigrations(FILES);
  let first: Database;
  let second: Database;

  beforeAll(async () => {
    opened = await openTestDatabase(engine, { migrations: files.folder });
    first = opened.db;
    second = first.inGroup(2, 'public');
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
    expect(await second.ofGroup(0).query('select n, more from common')).toEqual([{ n: 3, more: 4 }]);
  });

  test.runIf(engine === 'postgresql')(
    'a group gets the same connection while it is free, and another one at once if not',
    async () => {
      const groups = Array.from({ length: 3 }, (_, index) => first.inGroup(index + 2, 'public'));
      const pidOf = async (db: Pick<Database, 'query'>) => {
        const [row] = await db.query<{ pid: number }>('select pg_backend_pid() as pid');
        return row?.pid;
      };
      // Opens connections: each transaction waits for the others.
      let begun = 0;
      await Promise.all(
        Array.from({ length: 5 }, (_, index) =>
          (groups[index % 3] ?? first).transaction(async (tx) => {
            await pidOf(tx);
            begun += 1;
            await vi.waitUntil(() => begun === 5, { interval: 5, timeout: PATIENCE_MS });
          }),
        ),
      );
      const homes: (number | undefined)[] = [];
      for (const db of groups) homes.push(await pidOf(db));
      expect(new Set(homes).size).toBe(3);
      for (let round = 0; round < 10; round += 1) {
        expect(await Promise.all(groups.map(pidOf))).toEqual(homes);
      }
      let end: (() => void) | undefined;
      const busy = groups[0]?.transaction(async (tx) => {
        expect(await pidOf(tx)).toBe(homes[0]);
        await new Promise<void>((resolve) => (end = resolve));
      });
      await vi.waitUntil(() => end, { interval: 5, timeout: PATIENCE_MS });
      const others = [await pidOf(groups[0] ?? first), await pidOf(groups[1] ?? first)];
      expect(others).not.toContain(homes[0]);
      expect(others[1]).toBe(homes[1]);
      end?.();
      await busy;
    },
  );

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
    await first.transactionOver(async (over) => {
      await over.in(2, (tx) => tx.execute('insert into own values (20)'));
      await over.tx.execute('insert into own values (10)');
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
