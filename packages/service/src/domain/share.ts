/** A ratio with four decimals; null if the whole is 0. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : fourDecimals(part / whole);
}

/** The precision of every ratio in responses. */
export function fourDecimals(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
