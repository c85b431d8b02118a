import { expect, test } from 'vitest';
import { splitsOfTime, splitsOfValues } from '../../../console/src/kit/splits.js';

const secondsOf = (day: string) => Date.parse(day) / 1000;

test.each([
  [0, 100, true, 6, { low: 0, high: 100, splits: [0, 20, 40, 60, 80, 100] }],
  [3, 97, true, 6, { low: 3, high: 97, splits: [20, 40, 60, 80] }],
  [0, 1, false, 6, { low: 0, high: 1, splits: [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1] }],
  [0, 8123, false, 6, { low: 0, high: 10_000, splits: [0, 2000, 4000, 6000, 8000, 10_000] }],
  [71.2, 74.9, false, 6, { low: 71, high: 75, splits: [71, 72, 73, 74, 75] }],
])('the grid of values from %d to %d is round (exact ends: %s)', (low, high, isExact, most, expected) => {
  expect(splitsOfValues(low, high, isExact, most)).toEqual(expected);
});

test.each([
  ['2026-03-01', '2026-03-05', 8, ['1 Mar', '2 Mar', '3 Mar', '4 Mar', '5 Mar']],
  [
    '2025-11-20',
    '2026-03-05',
    8,
    ['20 Nov', '4 Dec', '18 Dec', '1 Jan', '15 Jan', '29 Jan', '12 Feb', '26 Feb'],
  ],
  ['2025-10-20', '2026-03-05', 6, ['Nov 25', 'Dec 25', 'Jan 26', 'Feb 26', 'Mar 26']],
  ['2021-11-20', '2026-03-05', 8, ['2022', '2023', '2024', '2025', '2026']],
])('the grid of times from %s to %s is of days, months or years', (from, to, most, expected) => {
  const splits = splitsOfTime(secondsOf(from), secondsOf(to), most, 'en-GB');
  expect(splits.map(({ text }) => text)).toEqual(expected);
  for (const { time } of splits) expect(time % 86_400).toBe(0);
});
