import { describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import { useDatabase } from './useDatabase.js';

describe.each(engines)('values and errors on %s', (engine) => {
  const opened = useDatabase(engine, 'create table thing (id text primary key, size int check (size > 0))');

  const only = async (text: string, values?: unknown[]) => {
    const [row] = await opened.db.query<{ it: unknown }>(`select ${text} as it`, values);
    return row?.it;
  };

  test('columns are named in camelCase, also in a transaction, and keys inside json are unchanged', async () => {
    const text = `select 1 as one_long_name, 2 as "asIs", 3 as last_90_days, '{"a_key": 1}'::jsonb as plain`;
    const row = { oneLongName: 1, asIs: 2, last90Days: 3, plain: { a_key: 1 } };
    expect(await opened.db.query(text)).toEqual([row]);
    expect(await opened.db.query(text)).toEqual([row]); // now prepared
    expect(await opened.db.transaction((tx) => tx.query(text))).toEqual([row]);
    expect(await opened.db.query('select 1 as no_row where false')).toEqual([]);
  });

  // The other types: rows.test.ts.
  test.each([
    ['9007199254740991::int8', 9007199254740991],
    ['count(*)', 1],
    ["'6F9619FF-8B86-D011-B42D-00C04FC964FF'::uuid", '6f9619ff-8b86-d011-b42d-00c04fc964ff'],
    ["'2026-03-01T12:00:00.5+02'::timestamptz", new Date('2026-03-01T10:00:00.500Z')],
    ['array[1, null]::int8[]', [1, null]],
    ['array[1.5]::numeric[]', [1.5]],
    ["array['2026-03-01']::date[]", ['2026-03-01']],
  ])('%s is read as %j', async (text, value) => {
    expect(await only(text)).toEqual(value);
  });

  test.each(['UTC', 'Asia/Tokyo', 'Asia/Kolkata', 'America/New_York'])(
    'a moment of any year is read from a session in the time zone %s',
    async (zone) => {
      const moments = ['2026-03-01T10:00:00.123Z', '2026-07-01T10:00:00.5Z', '1850-01-01T00:00:00Z']
        .concat(['0044-03-15T12:00:00Z', '+012026-01-01T00:00:00Z', '-000043-03-15T12:00:00Z'])
        .map((text) => new Date(text));
      const read = await opened.db.transaction(async (tx) => {
        await tx.query(`select set_config('TimeZone', $1, true)`, [zone]);
        return tx.query<{ it: Date }>(
          'select to_timestamp(ms / 1000) as it from unnest($1::float8[]) with ordinality as given (ms, nth) order by nth',
          [moments.map((moment) => moment.getTime())],
        );
      });
      expect(read.map(({ it }) => it)).toEqual(moments);
    },
  );

  test('an integer that a number cannot hold is refused rather than rounded', async () => {
    await expect(only('9007199254740993::int8')).rejects.toThrow(RangeError);
    expect(await only('1')).toBe(1);
  });

  test('parameters go as arrays, dates, bytes and json', async () => {
    const day = new Date('2026-03-01T10:00:00.123Z');
    expect(await only('$1::timestamptz', [day])).toEqual(day);
    expect(await only('$1::bytea', [Buffer.from('hi')])).toEqual(Buffer.from('hi'));
    expect(await only('$1::jsonb', [{ a: 'ü"\\' }])).toEqual({ a: 'ü"\\' });
    const texts = ['a,b', 'c"d', 'e\\f', '', 'null', null];
    expect(await only('$1::text[]', [texts])).toEqual(texts);
    expect(await only('$1::text', [undefined])).toBeNull();
  });

  test('the session uses UTC in any time zone of the machine', async () => {
    expect(await only("current_setting('TimeZone')")).toBe('UTC');
  });

  test('execute returns the number of affected rows', async () => {
    const insert = 'insert into thing (id, size) select id::text, id from generate_series(1, $1::int) id';
    expect(await opened.db.execute(insert, [3])).toBe(3);
    expect(await opened.db.execute('update thing set size = size + 1 where size > $1', [1])).toBe(2);
    expect(await opened.db.execute('delete from thing where id = $1', ['nobody'])).toBe(0);
  });

  test('server errors have their code and constraint and leave the connection usable', async () => {
    await opened.db.execute('insert into thing (id) values ($1)', ['twice']);
    await expect(opened.db.execute('insert into thing (id) values ($1)', ['twice'])).rejects.toMatchObject({
      code: '23505',
      constraint: 'thing_pkey',
      detail: 'Key (id)=(twice) already exists.',
    });
    await expect(opened.db.query('select nonsense')).rejects.toMatchObject({ code: '42703' });
    await expect(opened.db.query('select 1; select 2')).rejects.toMatchObject({ code: '42601' });
    expect(await only('1')).toBe(1);
  });

  test('a value that cannot be sent fails only its statement', async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    await expect(only('$1::jsonb', [circle])).rejects.toThrow(TypeError);
    expect(await only('1')).toBe(1);
  });

  test('results of several megabytes arrive complete', async () => {
    const rows = await opened.db.query<{ n: number; text: string }>(
      "select n, repeat('x', 1000) as text from generate_series(1, $1::int) n",
      [5_000],
    );
    expect(rows).toHaveLength(5_000);
    expect(rows.every(({ n, text }, index) => n === index + 1 && text.length === 1_000)).toBe(true);
  });

  test('parameters of several megabytes arrive complete', async () => {
    expect(await only('length($1::text)', ['y'.repeat(5_000_000)])).toBe(5_000_000);
  });
});
