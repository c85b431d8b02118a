import { expect, test } from 'vitest';
import { axisOf, shareText } from '../../src/pages/backtest/axis.js';

test.each([
  [
    [0.914, 0.871, 0.98],
    ['85 %', '90 %', '95 %', '100 %'],
  ],
  [
    [0.902, 0.931],
    ['90 %', '91 %', '92 %', '93 %', '94 %'],
  ],
  [
    [0, 1],
    ['0 %', '25 %', '50 %', '75 %', '100 %'],
  ],
  [[1], ['99 %', '100 %']],
  [[], ['0 %', '25 %', '50 %', '75 %', '100 %']],
])('the axis of the rates %j begins and ends next to them', (rates, expected) => {
  const { ticks, from, to, tickText } = axisOf(rates, shareText);
  expect(ticks.map(tickText)).toEqual(expected);
  expect([from, to]).toEqual([ticks[0], ticks.at(-1)]);
});
