import fc from 'fast-check';
import { inject } from 'vitest';
import {
  type EventType,
  eventKindOf,
  eventTypes,
  type LedgerFacts,
  platformTiers,
  stakeLevels,
} from '../src/index.js';

/** The day of the tests, 2026-06-30. */
export const asOf = 20_634;
const asOfDate = new Date('2026-06-30T15:00:00.000Z');

export const outcomeTypes = eventTypes.filter((type) => eventKindOf(type) === 'outcome');

const HOUR_MS = 3_600_000;

/** Random ledgers of up to 12 outcome events, including cancelled ones. One integer per event: fast to draw and to shrink. */
export const ledgers = fc
  .array(fc.nat(2 ** 31 - 1), { maxLength: 12, size: 'max' })
  .map((seeds) => seeds.map((seed) => eventFrom(seed, outcomeTypes)));

/** The same, with at least one event. */
export const startedLedgers = ledgers.filter((ledger) => ledger.length > 0);

/** An event of any day, of one of the types, with or without dates. */
export function eventsOf(types: readonly EventType[]) {
  return fc.nat(2 ** 31 - 1).map((seed) => eventFrom(seed, types));
}

/**
 * Ten thousand ledgers or the first thousand of them, the same in each run: a failure means a changed formula, not bad luck.
 * @param share of these numbers, for a property that computes many scores
 */
export function holdsForEveryLedger<T extends [unknown, ...unknown[]]>(
  property: fc.IProperty<T>,
  share = 1,
): void {
  fc.assert(property, { numRuns: share * (inject('isThorough') ? 10_000 : 1_000), seed: 53 });
}

function eventFrom(seed: number, types: readonly EventType[]): LedgerFacts {
  let rest = seed;
  const take = (range: number) => {
    const digit = rest % range;
    rest = Math.floor(rest / range);
    return digit;
  };
  const eventType = types[take(types.length)] ?? 'TRANSACTION_COMPLETED';
  const stakeLevel = stakeLevels[take(3)] ?? 'MEDIUM';
  const platformTier = platformTiers[take(4)] ?? 'STARTER';
  const isVerified = take(2) === 1;
  const dates = take(4);
  // half of the events within the last weeks, where day boundaries matter, half within four years
  const ageHours = take(2) === 0 ? take(24 * 30) : take(24 * 1500);
  const createdAt = new Date(asOfDate.getTime() - ageHours * HOUR_MS);
  const lag = ((ageHours * 7919 + seed) % 1000) - 100;
  const completedAt = dates % 2 === 1 ? new Date(createdAt.getTime() - lag * HOUR_MS) : null;
  const dueDate = dates >= 2 ? new Date(createdAt.getTime() - (lag - 30 + (seed % 60)) * HOUR_MS) : null;
  return { eventType, stakeLevel, platformTier, isVerified, createdAt, completedAt, dueDate };
}
