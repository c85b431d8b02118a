import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  compare,
  decimalOf,
  quotient,
  sumOf,
  times,
  toNumber,
  whole,
  ZERO,
} from '../../src/features/records/earnings/exactDecimal.js';

const thousandths = fc.bigInt({ min: 0n, max: 10n ** 18n });
const textOf = (units: bigint) => `${units / 1000n}.${String(units % 1000n).padStart(3, '0')}`;

describe('exact decimals', () => {
  test('sums do not drift, in any order', () => {
    expect(toNumber(sumOf(['0.1', '0.2'].map(decimalOf)))).toBe(0.3);
    fc.assert(
      fc.property(fc.array(thousandths), (values) => {
        const sum = values.reduce((total, value) => total + value, 0n);
        const forth = sumOf(values.map(textOf).map(decimalOf));
        const back = sumOf([...values].reverse().map(textOf).map(decimalOf));
        expect([toNumber(forth), toNumber(back)]).toEqual([Number(textOf(sum)), Number(textOf(sum))]);
      }),
    );
  });

  test('a printed number parses to itself', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e15, noNaN: true }), (value) => {
        expect(toNumber(decimalOf(value.toFixed(40)))).toBe(value);
      }),
    );
    expect(toNumber(decimalOf('-12.50'))).toBe(-12.5);
    expect(toNumber(ZERO)).toBe(0);
  });

  test('a quotient of whole numbers equals the binary division', () => {
    const count = fc.integer({ min: 1, max: 2 ** 31 });
    fc.assert(
      fc.property(fc.nat(), count, (above, below) => {
        expect(quotient(whole(above), whole(below))).toBe(above / below);
      }),
    );
  });

  test('are ordered by value, not by spelling', () => {
    expect(['2.50', '2.5', '10', '0.003'].map(decimalOf).sort(compare).map(toNumber)).toEqual([
      0.003, 2.5, 2.5, 10,
    ]);
    expect(toNumber(times(decimalOf('0.1'), 3))).toBe(0.3);
  });

  test.each(['', '1e5', 'NaN', '1.', '.5', '0x1', '1,5'])('%j is not a decimal', (text) => {
    expect(() => decimalOf(text)).toThrow(RangeError);
  });
});
