import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../src/kit/db/database.js';
import { addGroups, migrateGroups, openGroups } from '../../../src/ledger/groups/groups.js';
import { globalTables } from '../../../src/ledger/groups/tables.js';
import { tablePrivileges } from '../../../src/ledger/roles/privileges.js';
import { breadth, openTestDatabase, type TestDatabase } from '../../harness/engines.js';
import { serviceMigrations } from '../../harness/migrationsFolder.js';

const shared = new Set<string>(globalTables);
const tenantTables = Object.keys(tablePrivileges)
  .filter((name) => !shared.has(name))
  .sort();

describe.each(breadth)('the schemas of ledger groups on %s', (engine) => {
  let opened: TestDatabase;
  let groups: Database[];

  beforeAll(async () => {
    opened = await openTestDatabase(engine);
    await addGroups(opened.db, serviceMigrations, 2, new Date());
    groups = (await openGroups(opened.db)).slice(-2);
  });
  afterAll(() => opened.close());

  test('a group has every tenant table and no global one', async () => {
    for (const db of groups) expect(await tablesOf(db)).toEqual(tenantTables);
  });

  test('columns, indexes, constraints, triggers and functions are those of the first schema', async () => {
    const first = await definitionOf(opened.db);
    for (const db of groups) expect(await definitionOf(db)).toEqual(first);
  });

  test('every migration is recorded once, and a second start runs none', async () => {
    expect(await migrateGroups(opened.db, serviceMigrations)).toBe(0);
    const numbers = groups.map(({ group }) => group);
    expect(numbers).toEqual([...new Set(numbers)]);
    expect(numbers).not.toContain(0);
  });

  test('the ledger of a group refuses changes, too', async () => {
    const [db] = groups;
    await expect(db?.execute('truncate event')).rejects.toThrow();
  });
});

async function tablesOf(db: Database): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace order by 1`,
  );
  return rows.map(({ name }) => name).sort();
}

/** Everything about the tenant tables, without the name of the schema. */
async function definitionOf(db: Database): Promise<object[]> {
  const rows = await db.query<{ what: string }>(
    `with own as (
       select oid, relname from pg_class where relnamespace = current_schema()::regnamespace and relname = any($1::text[])
     )
     select format('column %s.%s %s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull,
         pg_get_expr(adbin, adrelid)) as what
       from own join pg_attribute on attrelid = own.oid left join pg_attrdef on adrelid = own.oid and adnum = attnum
       where attnum > 0 and not attisdropped
     union all select 'index ' || pg_get_indexdef(indexrelid) from own join pg_index on indrelid = own.oid
     union all select format('constraint %s %s', relname, pg_get_constraintdef(c.oid))
       from own join pg_constraint c on conrelid = own.oid
     union all select 'trigger ' || pg_get_triggerdef(t.oid)
       from own join pg_trigger t on tgrelid = own.oid where not tgisinternal
     union all select 'function ' || proname || ' ' || prosrc from pg_proc where pronamespace = current_schema()::regnamespace
     order by 1`,
    [tenantTables],
  );
  const [{ schema } = { schema: '' }] = await db.query<{ schema: string }>(
    'select current_schema()::text as schema',
  );
  return rows.map(({ what }) => ({ what: what.replaceAll(`${schema}.`, '') }));
}
