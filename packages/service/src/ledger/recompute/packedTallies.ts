import { type Tally, type TallyKey, tallyKeyFromCode } from '@reliability/scoring';

/** Tallies as read from the database: three columns, each null if there is no row. */
export interface PackedTallies {
  readonly days: readonly number[] | null;
  readonly codes: readonly number[] | null;
  readonly counts: readonly number[] | null;
}

/**
 * Tallies as input of the formula, without those of count zero (an ended dispute leaves them). A
 * long record has thousands of tallies of few kinds, so each kind is decoded once.
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
