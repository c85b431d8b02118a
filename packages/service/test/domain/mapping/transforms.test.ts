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
    ['day_month_year', '03.10.2026', '2026-10-03T00:00:00.000Z'],
    ['day_month_year', '3/10/26', '2026-10-03T00:00:00.000Z'],
    ['day_month_year', ' 3-10-2026 ', '2026-10-03T00:00:00.000Z'],
    ['day_month_year', '3. 10. 2026', '2026-10-03T00:00:00.000Z'],
    ['day_month_year', '29.02.2024 14:30', '2024-02-29T14:30:00.000Z'],
    ['day_month_year', '31.12.69', '2069-12-31T00:00:00.000Z'],
    ['day_month_year', '01.01.70', '1970-01-01T00:00:00.000Z'],
    ['month_day_year', '10/03/2026', '2026-10-03T00:00:00.000Z'],
    ['month_day_year', '3/10/26, 2:05:09 PM', '2026-03-10T14:05:09.000Z'],
    ['month_day_year', '3/10/26 12:00 am', '2026-03-10T00:00:00.000Z'],
    ['month_day_year', '3/10/26 12:30\u202fPM', '2026-03-10T12:30:00.000Z'],
    ['decimal_comma', '1.250,50', 1250.5],
    ['decimal_comma', '12,5', 12.5],
    ['decimal_comma', ' 480 ', 480],
    ['decimal_comma', '1.250', 1250],
    ['decimal_comma', '1\u00a0250\u202f000,5', 1_250_000.5],
    ['decimal_comma', '-1.250.000,25', -1_250_000.25],
    ['decimal_comma', '1.250,50 €', 1250.5],
    ['decimal_comma', '75,90 EUR', 75.9],
    ['decimal_comma', 12.5, 12.5],
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
    [
      'day_month_year',
      words`2026-10-03 03.10 03.10.026 03/10.2026 31.02.2026 29.02.2026 32.01.2026 10.13.2026 00.10.2026 03.00.2026
        3.Okt.2026 20261003 1709284200`,
    ],
    [
      'day_month_year',
      ['03.10.2026 24:00', '03.10.2026 9:60', '3.10.26 13:00 PM', '3.10.26 0:10 am', '', 3, {}],
    ],
    ['month_day_year', words`13/01/2026 02/30/2026 2026/01/13`],
    ['decimal_comma', words`12.50 1250.50 1,250.50 1.25,5 0.125 1.2500 ,5 5, 1e3 $5 x`],
    ['decimal_comma', ['1 250.000', '12,5 USD', '', true, {}]],
    ['lowercase', [{}]],
    ['trim', [['a']]],
    ['boolean', ['maybe', '2', '', 'truee', 2, -1, 0.5, {}, []]],
  ])('%s refuses what is ambiguous or invalid: %j', (name, values) => {
    expect(values.filter((value) => !(transforms[name](value) instanceof Unusable))).toEqual([]);
  });
});
