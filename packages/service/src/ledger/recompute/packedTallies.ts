import { type Tally, type TallyKey, tallyKeyFromCode } from '@reliability/scoring';

/** Tallies as the database hands them out: three columns, each null where there is no row. */
export interface PackedTallies {
  readonly days: readonly number[] | null;
  readonly codes: readonly number[] | null;
  readonly counts: readonly number[] | null;
}

/**
 * Tallies as the formula takes them; those that came to nothing, as when a dispute ends, are left out. A long record holds
 * thousands, but few kinds: each kind is taken apart once.
 */
export function unpackTallies({ days, codes, counts }: PackedTallies): Tally[] {
  if (!days || !codes || !counts) return [];
  const kinds = new Map<number, TallyKey>();
  const tallies: Tally[] = [];
  days.forEach((day, index) => {
    const code = codes[index] ?? -1;
    const count = counts[index] ?? 0;
    if (count === 0) return;
    const kind = kinds.get(code) ?? tallyKeyFromCode(day, code);
    kinds.set(code, kind);
    const { platformTier, eventType, stakeLevel, isVerified, timeliness } = kind;
    tallies.push({ day, platformTier, eventType, stakeLevel, isVerified, timeliness, count });
  });
  return tallies;
}
