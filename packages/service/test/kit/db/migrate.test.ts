import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engines, openTestDatabase, type TestDatabase } from '#harness/engines.js';
import { PATIENCE_MS } from '#harness/eventually.js';
import { quietLog } from '#harness/quietLog.js';
import { MigrationError, migrate } from '#kit/db/migrate.js';
import { openDatabase } from '../../../src/shape/openDatabase.js';
import { temporaryMigrations } from './migrationsFor.js';

const none = temporaryMigrations();
afterAll(none.remove);

describe.each(engines)('migrations on %s', (engine) => {
  let opened: TestDatabase;
  let files: ReturnType<typeof temporaryMigrations>;
  const run = () => migrate(opened.db, files.folder);
  const expectRefusal = async (message: string) => {
    const ran = run();
    await expect(ran).rejects.toThrow(MigrationError);
    await expect(ran).rejects.toThrow(message);
  };

  beforeAll(async () => {
    opened = await openTestDatabase(engine, { migrations: none.folder });
  });
  beforeEach(async () => {
    await opened.db.execute('drop table if exists log, schema_migration');
    files = temporaryMigrations({
      '0002_b.sql': 'insert into log values (2); insert into log values (3);',
      '0001_a.sql': 'create table log (n int);\ninsert into log values (1);',
    });
  });
  afterEach(() => files.remove());
  afterAll(() => opened.close());

  test('files run once, in order, and new ones after them', async () => {
    expect(await run()).toEqual({ applied: ['0001_a.sql', '0002_b.sql'] });
    expect(await run()).toEqual({ applied: [] });
    files.write({ '0003_c.sql': 'insert into log values (4)' });
    expect(await run()).toEqual({ applied: ['0003_c.sql'] });
    const [log] = await opened.db.query('select array_agg(n order by n) as n from log');
    expect(log).toEqual({ n: [1, 2, 3, 4] });
  });

  test.runIf(engine === 'postgresql')(
    'a start without anything to run waits for no other process',
    async () => {
      await run();
      const other = await openDatabase({ databaseUrl: opened.url, log: quietLog });
      const found = await other.transaction(async (tx) => {
        await tx.query('select pg_advisory_xact_lock(1835624306)'); // its turn to migrate
        return run();
      });
      expect(found).toEqual({ applied: [] });
      await other.close();
    },
  );

  test('a failed file is rolled back and earlier files stay applied', async () => {
    files.write({ '0002_b.sql': 'insert into log values (2); select 1/0;' });
    await expect(run()).rejects.toMatchObject({ code: '22012' });
    expect(await opened.db.query('select n from log')).toEqual([{ n: 1 }]);
    files.write({ '0002_b.sql': 'insert into log values (2)' });
    expect(await run()).toEqual({ applied: ['0002_b.sql'] });
  });

  test('an applied file that was changed is refused by name', async () => {
    await run();
    files.write({ '0001_a.sql': 'create table log (n int8)' });
    await expectRefusal('migration 0001_a.sql ran on this database with other contents');
  });

  test.each([
    ['another file', "update schema_migration set name = '0001_platforms.sql' where name = '0001_a.sql'"],
    ['the same file with other contents', 'update schema_migration set checksum = md5(name)'],
    ['more files', "insert into schema_migration values ('0037_large.sql', 'x', now())"],
  ])('a database of an unreleased version is refused and left as it is: %s', async (_, made) => {
    await run();
    await opened.db.execute(made);
    const before = await opened.db.query('select * from schema_migration order by name');
    await expectRefusal('was made by an unreleased version cannot be opened: create a new one');
    expect(await opened.db.query('select * from schema_migration order by name')).toEqual(before);
  });

  test('different line ends are no change', async () => {
    await run();
    files.write({ '0001_a.sql': 'create table log (n int);\r\ninsert into log values (1);' });
    expect(await run()).toEqual({ applied: [] });
  });

  test('a database of a newer version is refused', async () => {
    files.write({ '0003_c.sql': 'select 1' });
    await run();
    const older = temporaryMigrations({
      '0001_a.sql': 'create table log (n int);\ninsert into log values (1);',
    });
    await expect(migrate(opened.db, older.folder)).rejects.toThrow('this version does not know');
    older.remove();
  });

  test.each([
    ['3_c.sql', '3_c.sql is not a migration name'],
    ['0002_c.sql', 'two migrations have the number 0002'],
    ['0000_c.sql', 'would run after 0001_a.sql'],
  ])('a new file is refused unless it comes last: %s', async (name, message) => {
    if (message.startsWith('would')) await run();
    files.write({ [name]: 'select 1' });
    await expectRefusal(message);
  });

  test('two processes that start at once run each file once', async () => {
    const other =
      opened.url === undefined
        ? opened.db
        : await openDatabase({ databaseUrl: opened.url, log: quietLog, connectWithinMs: PATIENCE_MS });
    files.write({ '0003_slow.sql': 'select pg_sleep(0.2); insert into log values (5);' });
    const [first, second] = await Promise.all([run(), migrate(other, files.folder)]);
    const ran = [...first.applied, ...second.applied].sort();
    expect(ran).toEqual(['0001_a.sql', '0002_b.sql', '0003_slow.sql']);
    if (other !== opened.db) await other.close();
  });
});
