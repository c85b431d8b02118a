import { describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import { isNullIn, violates } from '#kit/db/errors.js';
import { insertInto, insertRow, pick, raw, rowsOf, sql, updateRow } from '#kit/db/rows.js';
import type { Queryable } from '#kit/db/types.js';
import { useDatabase } from './useDatabase.js';

const SCHEMA = `create table thing (
  thing_id uuid constraint thing_is_known primary key, name text not null, is_new boolean, small_count smallint,
  count integer, total bigint, price numeric, day date, made_at timestamptz, body bytea, facts json, kept_facts json,
  seen xid8
)`;

const FULL = {
  thingId: '0190d0a0-0000-7000-8000-000000000001',
  name: 'a "quoted" {name}, ü',
  isNew: false,
  smallCount: -2,
  count: 3,
  total: 2 ** 40,
  price: 0.25,
  day: '2026-11-23',
  madeAt: new Date('2026-11-23T10:00:00.123Z'),
  body: Buffer.from([0, 255]),
  facts: { list: [1, null] } as object,
  seen: '12345678901',
};
type Thing = { thingId: string } & { [Name in keyof typeof FULL]?: (typeof FULL)[Name] | null };
const EMPTY: Thing = { thingId: '0190d0a0-0000-7000-8000-000000000002', name: '', facts: null };

const things = rowsOf<Thing>(
  {
    uuid: ['thingId'],
    text: ['name'],
    boolean: ['isNew'],
    smallint: ['smallCount'],
    integer: ['count'],
    bigint: ['total'],
    numeric: ['price'],
    date: ['day'],
    timestamptz: ['madeAt'],
    bytea: ['body'],
    json: ['facts'],
    xid8: ['seen'],
  },
  { keptFacts: ['jsonText', ({ facts }) => JSON.stringify(facts)] },
);

describe.each(engines)('rows as parameters on %s', (engine) => {
  const opened = useDatabase(engine, SCHEMA);

  test('rows of every type are read as they were written, and what a row lacks is null', async () => {
    const { db } = opened;
    expect(await insertInto('thing', things, [FULL, EMPTY]).execute(db)).toBe(2);
    const stored = await db.query('select * from thing order by thing_id');
    const nothing = Object.fromEntries(Object.keys(FULL).map((name) => [name, null]));
    expect(stored).toEqual([
      { ...FULL, keptFacts: FULL.facts },
      { ...nothing, keptFacts: null, thingId: EMPTY.thingId, name: '' },
    ]);
    const [kept] = await db.query<{ nulls: number; jsonNulls: number }>(
      `select count(*) filter (where facts is null)::integer as nulls,
         count(*) filter (where kept_facts::text = 'null')::integer as json_nulls from thing`,
    );
    expect(kept).toEqual({ nulls: 1, jsonNulls: 1 });
  });

  test('rows, numbered rows, values and further parts are numbered in the order of the text', async () => {
    const { db } = opened;
    const names = rowsOf<{ name: string }>({ text: ['name'] });
    const rows = [{ name: 'b' }, { name: 'a' }];
    const above = sql`position > ${1} and ${'x'} = ${'x'}`;
    const found = await sql`
      select name, position, ${5}::integer as five from ${names.as('named', rows, 'position')}
      where ${above} and name <> ${'c'} order by ${raw('position')}`.query(db);
    expect(found).toEqual([{ name: 'a', position: 2, five: 5 }]);
  });

  test('one row is inserted and changed by the names of its columns', async () => {
    const { db } = opened;
    const thingId = '0190d0a0-0000-7000-8000-000000000003';
    const row = { ...pick(FULL, 'name', 'madeAt', 'smallCount'), thingId };
    expect(await insertRow(db, 'thing', row)).toBe(1);
    expect(await insertRow(db, 'thing', row, 'on conflict do nothing')).toBe(0);
    expect(await updateRow(db, 'thing', { thingId, name: FULL.name }, { smallCount: 7, count: null })).toBe(
      1,
    );
    expect(await updateRow(db, 'thing', { thingId, name: 'another' }, { smallCount: 8 })).toBe(0);
    // @ts-expect-error: nothing to change
    await expect(updateRow(db, 'thing', { thingId }, {})).rejects.toThrow();
    expect(
      await db.query('select name, small_count, made_at from thing where thing_id = $1', [thingId]),
    ).toEqual([{ name: FULL.name, smallCount: 7, madeAt: FULL.madeAt }]);
  });

  test('an error is recognised by its constraint or column', async () => {
    const { db } = opened;
    const row = { thingId: '0190d0a0-0000-7000-8000-000000000004', name: 'count' };
    await insertRow(db, 'thing', row);
    const failureOf = (write: Promise<unknown>) =>
      write.then(
        () => expect.unreachable(),
        (error: unknown) => error,
      );
    const repeated = await failureOf(insertRow(db, 'thing', row));
    expect([violates(repeated, 'thing_is_known'), violates(repeated, 'thing')]).toEqual([true, false]);
    const nameless = await failureOf(updateRow(db, 'thing', { thingId: row.thingId }, { name: null }));
    expect([isNullIn(nameless, 'name'), isNullIn(nameless, 'count')]).toEqual([true, false]);
    expect([isNullIn(repeated, 'thing_id'), violates(nameless, 'thing_is_known')]).toEqual([false, false]);
  });
});

test('a statement has one text for all values, and another one for other parts', async () => {
  const sent: [text: string, values: readonly unknown[]][] = [];
  const execute = async (text: string, values: readonly unknown[] = []) => sent.push([text.trim(), values]);
  const db = { execute } as unknown as Queryable;
  const names = rowsOf<{ name: string }>({ text: ['name'] });
  const pairs = rowsOf<{ name: string; size: number }>({ text: ['name'], integer: ['size'] });
  const write = (columns: typeof names | typeof pairs, table: string, name: string) =>
    insertInto(table, columns as typeof pairs, [{ name, size: 1 }]).execute(db);
  await write(names, 'a', 'x');
  await write(names, 'a', 'y');
  await write(pairs, 'a', 'x');
  await write(pairs, 'b', 'x');
  await write(names, 'a', 'x');
  const texts = sent.map(([text]) => text);
  expect(texts.slice(0, 2)).toEqual(
    Array(2).fill('insert into a (name) select * from unnest($1::text[]) as added (name)'),
  );
  expect(new Set(texts).size).toBe(3);
  expect(texts[4]).toBe(texts[0]);
  expect(sent[0]?.[1]).not.toEqual(sent[1]?.[1]);
});

test('a constraint on a shard of a distributed table has the name of its table', () => {
  expect(violates({ code: '23505', constraint: 'idempotency_pkey_102008' }, 'idempotency_pkey')).toBe(true);
  expect(violates({ code: '23505', constraint: 'idempotency_pkey_1' }, 'idempotency_pkey')).toBe(false);
  expect(violates(new Error('idempotency_pkey'), 'idempotency_pkey')).toBe(false);
});

test('a misspelt column and one of another type do not compile', () => {
  // @ts-expect-error there is no `nam`.
  rowsOf<Thing>({ text: ['nam'] });
  // @ts-expect-error `count` is no text.
  rowsOf<Thing>({ text: ['count'] });
  // @ts-expect-error a number is no UUID.
  rowsOf<Thing>({}, { thingId: ['uuid', ({ count }) => count] });
  // @ts-expect-error there is no `nam`.
  pick(FULL, 'nam');
});
