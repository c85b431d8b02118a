import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { engines } from '#harness/engines.js';
import {
  booleans,
  byteas,
  int2s,
  int4s,
  jsons,
  numerics,
  texts,
  timestamptzs,
  uuids,
} from '#kit/db/arrays.js';
import { useDatabase } from './useDatabase.js';

const int = (bits: number) => fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 });
const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
const moment = fc.date({
  min: new Date('0001-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});
const same = <Value>(value: Value) => value;
const nullable = <Value>(value: fc.Arbitrary<Value>) => fc.array(fc.option(value), { maxLength: 40 });

describe.each(engines)('arrays as parameters on %s', (engine) => {
  const opened = useDatabase(engine);

  const stored = async (type: string, array: Buffer | string) => {
    const [row] = await opened.db.query<{ it: unknown }>(`select $1::${type}[] as it`, [array]);
    return row?.it;
  };

  test.each([
    ['uuid', nullable(fc.uuid()), (rows: (string | null)[]) => uuids(rows, same)],
    ['text', nullable(text), (rows: (string | null)[]) => texts(rows, same)],
    ['boolean', nullable(fc.boolean()), (rows: (boolean | null)[]) => booleans(rows, same)],
    ['int2', nullable(int(16)), (rows: (number | null)[]) => int2s(rows, same)],
    ['int4', nullable(int(32)), (rows: (number | null)[]) => int4s(rows, same)],
    ['timestamptz', nullable(moment), (rows: (Date | null)[]) => timestamptzs(rows, same)],
    [
      'bytea',
      nullable(fc.uint8Array().map((bytes) => Buffer.from(bytes))),
      (rows: (Buffer | null)[]) => byteas(rows, same),
    ],
    [
      'numeric',
      nullable(fc.double({ min: 0, max: 1e15, noNaN: true }).map((value) => value + 0)),
      (rows: (number | null)[]) => numerics(rows, same),
    ],
  ] as const)('%s comes back as it went', async (type, rows, array) => {
    await fc.assert(
      fc.asyncProperty(rows as fc.Arbitrary<never[]>, async (given) => {
        expect(await stored(type, array(given))).toEqual(given);
      }),
      { numRuns: 40 },
    );
  });

  test('JSON is stored unchanged', async () => {
    const [row] = await opened.db.query<{ it: (string | null)[] }>(
      'select array(select given::text from unnest($1::json[]) as given) as it',
      [jsons(['{"b": 1,  "a": "ü"}', null, '[]'], same)],
    );
    expect(row?.it).toEqual(['{"b": 1,  "a": "ü"}', null, '[]']);
  });

  test('long texts and many rows fit', async () => {
    const rows = ['a'.repeat(200_000), 'ü'.repeat(200_000), ...Array.from({ length: 20_000 }, () => 'b')];
    expect(await stored('text', texts(rows, same))).toEqual(rows);
    expect(await stored('int4', int4s([7], same))).toEqual([7]);
  });
});

test.each([
  '',
  'x',
  '6f9619ff-8b86-d011-b42d-00c04fc964f',
  '6f9619ff-8b86-d011-b42d-00c04fc964fg',
  '6f9619ff-8b86-d011-b42d-00c04fc964ſf',
])('an invalid UUID is not sent: "%s"', (text) => {
  expect(() => uuids([text], same)).toThrow(TypeError);
});

test('a value that does not fit its type is not truncated', () => {
  expect(() => int2s([32_768], same)).toThrow(RangeError);
  expect(() => int4s([2 ** 31], same)).toThrow(RangeError);
  expect(() => int4s([0.5], same)).toThrow(RangeError);
  expect(() => timestamptzs([new Date(Number.NaN)], same)).toThrow(RangeError);
  expect(() => timestamptzs([new Date(8.64e15)], same)).toThrow(RangeError);
  expect(() => numerics([Number.NaN], same)).toThrow(RangeError);
});
