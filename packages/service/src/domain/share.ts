/** A part of a whole, four decimals; null where there is nothing to divide by. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : fourDecimals(part / whole);
}

/** As every share and every ratio is told. */
export function fourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
