import { model } from './model.js';

const { tolerance } = model.rounding;

/**
 * Whole hundredths, half up. A value less than the tolerance (1e-9) below a half counts as that half: binary fractions put an exact
 * 1.005 at 1.00499999999999989, and sums in another order differ in the last bits. Other values come that close to a half only by
 * accident, so implementations that sum in another order publish the same digits.
 */
export function hundredths(value: number): number {
  return Math.floor((value + tolerance) * 100 + 0.5);
}

/** Half up to 2 decimals. */
export function round2(value: number): number {
  return hundredths(value) / 100;
}

/** Half up to 4 decimals. */
export function round4(value: number): number {
  return Math.floor((value + tolerance) * 10_000 + 0.5) / 10_000;
}

/** `value >= limit` with the same tolerance: 16 of 20 reaches 0.80 in any order of summation. */
export function reaches(value: number, limit: number): boolean {
  return value >= limit - tolerance;
}

/** `a / b`, or 0 if b is 0. */
export function ratio(a: number, b: number): number {
  return b === 0 ? 0 : a / b;
}

/**
 * Rounds entries to hundredths that add up to exactly `total` hundredths (largest remainder). Entries that are 0 stay exactly 0.
 * Every other entry ends within 0.01 of its value. `total` must be the rounded sum of the entries. Remainders are compared to six
 * decimals, and of equal ones the first entry wins: sums in another order give the same shares.
 */
export function apportion(entries: readonly number[], total: number): number[] {
  const exact = entries.map((entry) => (Math.abs(entry) < tolerance ? 0 : entry * 100));
  const shares = exact.map(Math.floor);
  let missing = total - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact
    .map((value, index) => ({ index, remainder: Math.round((value - Math.floor(value)) * 1e6) }))
    .filter(({ index }) => exact[index] !== 0)
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder) {
    if (missing <= 0) break;
    shares[index] = (shares[index] ?? 0) + 1;
    missing -= 1;
  }
  return shares;
}
