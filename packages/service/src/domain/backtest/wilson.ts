export type Interval = readonly [number, number];

/** The 97.5th percentile of the standard normal distribution. */
const Z = 1.959963984540054;

/**
 * The 95 % Wilson score interval of a rate (Wilson 1927). Unlike the interval from the standard
 * error it stays within 0 and 1 and is usable near both. Null without trials.
 */
export function wilsonInterval(successes: number, trials: number): Interval | null {
  if (trials === 0) return null;
  const rate = successes / trials;
  const z2 = Z * Z;
  const centre = (rate + z2 / (2 * trials)) / (1 + z2 / trials);
  const half = (Z / (1 + z2 / trials)) * Math.sqrt((rate * (1 - rate)) / trials + z2 / (4 * trials * trials));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
