import { describe, expect, test } from 'vitest';
import { Unusable } from '#domain/mapping/unusable.js';
import { type TransformName, transforms } from '#domain/mapping/values.js';
import { words } from '#harness/words.js';

describe('the transform', () => {
  test.each<[TransformName, unknown, unknown]>([
    ['cents_to_units', 48050, 480.5],
    ['cents_to_units', 0, 0],
    ['cents_to_units', 1999, 19.99],
    ['cents_to_units', '1999', 19.99],
    ['cents_to_units', ' +5 ', 0.05],
    ['cents_to_units', -250, -2.5],
    ['iso_date', '2024-03-01', '2024-03-01T00:00:00.000Z'],
    ['iso_date', ' 2024-02-29 ', '2024-02-29T00:00:00.000Z'],
    ['iso_date', '2024-03-01T09:30:00Z', '2024-03-01T09:30:00.000Z'],
    ['iso_date', '2024-03-01t09:30:00z', '2024-03-01T09:30:00.000Z'],
    ['iso_date', '2024-03-01 09:30', '2024-03-01T09:30:00.000Z'],
    ['iso_date', '2024-03-01 09:30:15', '2024-03-01T09:30:15.000Z'],
    ['iso_date', '2024-03-01 09:30:15.123456+00', '2024-03-01T09:30:15.123Z'],
    ['iso_date', '2024-03-01 09:30:15 UTC', '2024-03-01T09:30:15.000Z'],
    ['iso_date', '2024-03-01T00:30:00+01:00', '2024-02-29T23:30:00.000Z'],
    ['iso_date', '2024-03-01T00:30:00,5-0530', '2024-03-01T06:00:00.500Z'],
    ['iso_date', '0050-01-01', '0050-01-01T00:00:00.000Z'],
    ['iso_date', '9999-12-31', '9999-12-31T00:00:00.000Z'],
    ['iso_date', 1709284200, '2024-03-01T09:10:00.000Z'],
    ['iso_date', '1709284200', '2024-03-01T09:10:00.000Z'],
    ['iso_date', 1709284200123, '2024-03-01T09:10:00.123Z'],
    ['lowercase', 'Bob@Example.COM', 'bob@example.com'],
    ['lowercase', 5, 5],
    ['lowercase', true, true],
    ['trim', '  a b\t', 'a b'],
    ['trim', 5, 5],
    ['trim', false, false],
  ])('%s turns %j into %j', (name, value, result) => {
    expect(transforms[name](value)).toEqual(result);
  });

  test('boolean knows the usual words for yes and no', () => {
    for (const yes of [true, 1, ' Yes ', ...words`true TRUE t yes Y on 1`])
      expect(transforms.boolean(yes)).toBe(true);
    for (const no of [false, 0, ...words`false False f no N off 0`])
      expect(transforms.boolean(no)).toBe(false);
  });

  test.each<[TransformName, unknown[]]>([
    ['cents_to_units', words`12,5 12.5 1.999,00 $5 x 9007199254740993 1e3`],
    ['cents_to_units', ['1 999', '5 cents', '', 0.5, 2 ** 53, Number.POSITIVE_INFINITY, true, {}]],
    [
      'iso_date',
      words`31.02.2024 2024-02-30 2023-02-29 2024-13-01 2024-00-10 2024-01-00 03/04/2024 2024/03/01 2024-3-1
        20240301 202403010930 yesterday 2024-03-01T24:00:00Z 2024-03-01T09:60:00Z 2024-03-01T23:59:60Z
        2024-03-01T09:30:00+24:00 2024-03-01Z 0000-01-01 0001-01-01T00:00:00+01:00 9999-12-31T23:30:00-01:00`,
    ],
    ['iso_date', ['1 March 2024', '2024-03-01T09:30:00 CET', 20240301, 45352, -1709284200, 1709284200.5]],
    ['iso_date', [true, {}, []]],
    ['lowercase', [{}]],
    ['trim', [['a']]],
    ['boolean', ['maybe', '2', '', 'truee', 2, -1, 0.5, {}, []]],
  ])('%s refuses what is ambiguous or invalid: %j', (name, values) => {
    expect(values.filter((value) => !(transforms[name](value) instanceof Unusable))).toEqual([]);
  });
});
