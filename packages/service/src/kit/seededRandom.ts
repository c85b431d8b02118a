export type Random = ReturnType<typeof seededRandom>;

/** A small deterministic generator (mulberry32): the same seed repeats a run. */
export function seededRandom(seed: number) {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (min: number, max: number): number => min + Math.floor(fraction() * (max - min + 1));
  return {
    fraction,
    whole,
    pick<T>(values: readonly T[]): T {
      const value = values[whole(0, values.length - 1)];
      if (value === undefined) throw new Error('cannot pick from an empty list');
      return value;
    },
  };
}
