import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { distributeSchema } from '../../src/commands/distribute/distributeSchema.js';
import { readTables } from '../../src/commands/distribute/store.js';
import { type TableFact, tableFacts } from '../../src/commands/distribute/tables.js';
import { engines, openTestDatabase, type TestDatabase } from '../harness/engines.js';
import { pretendCitus } from './pretendCitus.js';

describe.each(engines)('the distribution of the schema, on %s', (engine) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });

  afterAll(() => database.close());

  test('the placement lists every table of the schema and no other', async () => {
    expect(await readTables(database.db)).toEqual(Object.keys(tableFacts).sort());
  });

  test('every unique key of a distributed table contains the distribution column', async () => {
    const rows = await database.db.query<{ tableName: string; indexName: string; columns: string[] }>(
      `select t.relname as table_name, i.relname as index_name,
         array(select a.attname::text from unnest(x.indkey::int2[]) with ordinality as k (number, place)
           join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number
           where k.place <= x.indnkeyatts order by k.place) as columns
       from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
       where x.indisunique and t.relnamespace = current_schema()::regnamespace`,
    );
    expect(rows.length).toBeGreaterThan(20);
    const wrong = rows.filter(({ tableName, columns }) => {
      const column = shardColumn(tableFacts[tableName]);
      return column !== null && !columns.includes(column);
    });
    expect(wrong).toEqual([]);
  });

  test('the tables of a group have distribution columns of the same type', async () => {
    const seen = new Set<string>();
    const types = new Map<string, string>();
    for (const [table, { placement }] of Object.entries(tableFacts)) {
      seen.add(table);
      if (placement.kind !== 'distributed') continue;
      expect(seen, table).toContain(placement.group);
      const [column] = await database.db.query<{ type: string }>(
        `select format_type(atttypid, atttypmod) as type from pg_attribute
         where attrelid = $1::text::regclass and attname = $2 and attnotnull and not attisdropped`,
        [table, placement.by],
      );
      expect(column, table).toBeDefined();
      const first = types.get(placement.group) ?? column?.type ?? '';
      types.set(placement.group, first);
      expect(column?.type, table).toBe(first);
    }
  });

  test('foreign keys refer to reference tables only, and no local table has one', async () => {
    const rows = await database.db.query<{ source: string; target: string }>(
      `select s.relname as source, t.relname as target from pg_constraint c
       join pg_class s on s.oid = c.conrelid join pg_class t on t.oid = c.confrelid where c.contype = 'f'`,
    );
    const kindOf = (table: string) => tableFacts[table]?.placement.kind;
    const wrong = rows.filter(({ source, target }) => {
      return kindOf(target) !== 'reference' || kindOf(source) === 'local';
    });
    expect(wrong).toEqual([]);
  });

  test('exactly the append-only tables have triggers', async () => {
    const rows = await database.db.query<{ name: string }>(
      `select distinct c.relname as name from pg_trigger g join pg_class c on c.oid = g.tgrelid
       where not g.tgisinternal order by 1`,
    );
    const appendOnly = Object.entries(tableFacts).filter(([, fact]) => fact.isAppendOnly);
    expect(rows.map(({ name }) => name)).toEqual(appendOnly.map(([name]) => name).sort());
  });
});

function shardColumn(fact: TableFact | undefined): string | null {
  return fact?.placement.kind === 'distributed' ? fact.placement.by : null;
}

// Citus is not installed. The stand-in refuses the same statements and does nothing else.
describe.each(engines)('distributing, against a stand-in for Citus, on %s', (engine) => {
  const opened: TestDatabase[] = [];
  const fresh = async () => {
    const database = await openTestDatabase(engine);
    opened.push(database);
    return database.db;
  };

  afterAll(async () => {
    for (const database of opened) await database.close();
  });

  test('a server without Citus is refused, and nothing changes', async () => {
    const db = await fresh();
    await expect(distributeSchema(db)).rejects.toThrow('This database lacks the extension Citus');
    expect(await db.query('select 1 from pg_trigger where not tgisinternal')).not.toEqual([]);
  });

  test('a schema with data is refused', async () => {
    const db = await fresh();
    await pretendCitus(db);
    await db.execute(
      "insert into quota_usage (platform_id, period, used) values (gen_random_uuid(), '2026-01-01', 1)",
    );
    await expect(distributeSchema(db)).rejects.toThrow('These tables contain data: quota_usage');
    expect(await db.query('select 1 from pg_dist_partition')).toEqual([]);
  });

  test('a table without a placement is refused', async () => {
    const db = await fresh();
    await pretendCitus(db);
    await db.execute('create table newcomer (id uuid primary key)');
    await expect(distributeSchema(db)).rejects.toThrow('No placement is defined for these tables: newcomer.');
  });

  test('an empty schema is distributed, the ledger stays append-only, and a second run does nothing', async () => {
    const db = await fresh();
    await pretendCitus(db);
    const spread = Object.keys(tableFacts).filter((table) => tableFacts[table]?.placement.kind !== 'local');
    const { placed, isUnguarded } = await distributeSchema(db);
    expect(placed).toEqual(spread);
    expect(isUnguarded).toBe(true);
    const rights = await db.query<{ name: string; rights: string }>(
      `select c.relname as name, coalesce(string_agg(a.privilege_type, ' ' order by a.privilege_type), '') as rights
       from pg_class c left join aclexplode(c.relacl) a on a.grantee = c.relowner
         and a.privilege_type in ('DELETE', 'INSERT', 'SELECT', 'TRUNCATE', 'UPDATE')
       where c.relname in ('event', 'event_text', 'subject_link') group by c.relname order by c.relname`,
    );
    expect(rights).toEqual([
      { name: 'event', rights: 'INSERT SELECT' },
      { name: 'event_text', rights: 'DELETE INSERT SELECT' },
      { name: 'subject_link', rights: 'INSERT SELECT' },
    ]);
    expect((await distributeSchema(db)).placed).toEqual([]);
  });
});
