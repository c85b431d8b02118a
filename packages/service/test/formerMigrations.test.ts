import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../src/kit/db/database.js';
import { MigrationError, migrate } from '../src/kit/db/migrate.js';
import { runScript } from '../src/kit/db/transaction.js';
import { engines, openTestDatabase, type TestDatabase } from './harness/engines.js';
import { serviceMigrations } from './harness/migrationsFolder.js';
import { temporaryMigrations } from './kit/db/migrationsFor.js';

/** The migrations before the merge: after each line `--- <name>` the text of that file. */
const formerMigrations = readFileSync(new URL('./data/formerMigrations.sql', import.meta.url), 'utf8')
  .split(/^--- (?=\d{4}_\w+\.sql$)/m)
  .slice(1)
  .map((part) => {
    const end = part.indexOf('\n');
    return { name: part.slice(0, end), text: part.slice(end + 1) };
  });
const none = temporaryMigrations();
const present = readdirSync(serviceMigrations).sort();
/** Those that were written after the merge. */
const later = present.filter((name) => name > '0011_system.sql');
afterAll(none.remove);

describe.each(engines)('a database from before the migrations were merged, on %s', (engine) => {
  let former: TestDatabase;

  beforeEach(async () => {
    former = await openTestDatabase(engine, { migrations: none.folder });
  });
  afterEach(() => former.close());

  test('has the schema of a new one after its start, down to the order of columns', async () => {
    await runFormer(former.db);
    await migrate(former.db, serviceMigrations);
    const fresh = await openTestDatabase(engine, { migrations: none.folder });
    try {
      await migrate(fresh.db, serviceMigrations);
      expect(await schemaOf(former.db)).toEqual(await schemaOf(fresh.db));
    } finally {
      await fresh.close();
    }
  });

  test('keeps its data: its list of migrations is replaced, once, and only later migrations run', async () => {
    await runFormer(former.db);
    await former.db.execute(
      `insert into status_sample (sampled_at, is_ok) values ('2026-01-01T00:00:00Z', true)`,
    );
    expect(await migrate(former.db, serviceMigrations)).toEqual({ applied: later });
    expect(await appliedTo(former.db)).toEqual(present);
    expect(await migrate(former.db, serviceMigrations)).toEqual({ applied: [] });
    expect(await former.db.query('select is_ok from status_sample')).toEqual([{ isOk: true }]);
  });

  test('with only some of the migrations is refused unchanged, and the error names the version to start first', async () => {
    await runFormer(former.db, 13);
    const before = await appliedTo(former.db);
    const refused = migrate(former.db, serviceMigrations);
    await expect(refused).rejects.toBeInstanceOf(MigrationError);
    await expect(refused).rejects.toThrow(
      /stopped at migration 0014_mappings\.sql.* Start commit [0-9a-f]{7} of the service once/,
    );
    expect(await appliedTo(former.db)).toEqual(before);
  });
});

async function runFormer(db: Database, count = formerMigrations.length): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { name, text } of formerMigrations.slice(0, count)) {
      await runScript(tx, text);
      await tx.execute('insert into schema_migration (name, checksum, applied_at) values ($1, $2, now())', [
        name,
        createHash('sha256').update(text).digest('hex'),
      ]);
    }
  });
}

async function appliedTo(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>('select name from schema_migration order by name');
  return rows.map(({ name }) => name);
}

/** Every property of the schema that a statement can observe, one a line. */
async function schemaOf(db: Database): Promise<string[]> {
  const rows = await db.query<{ line: string }>(
    `with here as (select current_schema()::regnamespace as schema)
     select concat_ws(' ', relkind, relname, reloptions::text) as line
     from pg_class, here where relnamespace = schema
     union all
     select concat_ws(' ', 'column', relname, attnum, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
       attgenerated, attstorage, attstattarget, collname, pg_get_expr(adbin, adrelid))
     from here join pg_class c on relnamespace = schema join pg_attribute a on attrelid = c.oid and attnum > 0
       left join pg_attrdef on adrelid = attrelid and adnum = attnum left join pg_collation k on k.oid = attcollation
     union all
     select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
     from pg_constraint, here where connamespace = schema
     union all
     select indexdef from pg_indexes where schemaname = current_schema()
     union all
     select concat_ws(' ', pg_get_triggerdef(t.oid), tgenabled)
     from pg_trigger t join pg_class c on c.oid = tgrelid, here where relnamespace = schema and not tgisinternal
     union all
     select pg_get_functiondef(oid) from pg_proc, here where pronamespace = schema
     order by line`,
  );
  return rows.map(({ line }) => line);
}
