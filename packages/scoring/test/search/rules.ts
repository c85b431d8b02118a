import type { Day, Tally } from '../../src/index.js';
import { model, outcomeClassOf } from '../../src/index.js';

/** A formula under search: the score of tallies in any order, duplicates allowed, before it is rounded. */
export type Formula = (tallies: readonly Tally[], asOf: Day) => number;

/** A ledger, and an outcome that comes to it. */
export interface Pair {
  readonly record: readonly Tally[];
  readonly added: Tally;
}

/** A rule that must hold for every ledger, as something a search can climb. */
export interface Rule {
  readonly name: string;
  /** Outcomes that may come to a ledger. */
  readonly adds: (tally: Tally) => boolean;
  /** It compares the ledger with and without the outcome, so an outcome that weighs next to nothing always comes near to breaking it. */
  readonly isByWeight?: true;
  /** Points by which the pair breaks the rule; 0 or less: it keeps it. */
  excess(formula: Formula, pair: Pair, asOf: Day): number;
}

const isPositive = ({ eventType }: Tally) => outcomeClassOf(eventType) === 'positive';
const isBreach = ({ eventType }: Tally) => outcomeClassOf(eventType) === 'breach';
const isContested = ({ eventType }: Tally) => outcomeClassOf(eventType) === 'contested';
const isDelivered = (tally: Tally) => isPositive(tally) && tally.eventType !== 'DISPUTE_RESOLVED_FOR_USER';
const isOutcome = (tally: Tally) => isPositive(tally) || isBreach(tally) || isContested(tally);

/** The most that a day of ageing moves a score. */
const POINTS_A_DAY = 0.13;

export const rules: readonly Rule[] = [
  {
    name: '2: a verified good outcome, not late, never lowers the score',
    isByWeight: true,
    adds: (tally) => isPositive(tally) && tally.isVerified && tally.timeliness !== 'late',
    excess: (formula, { record, added }, asOf) => formula(record, asOf) - formula([...record, added], asOf),
  },
  {
    name: '3: a breach or a contested outcome never raises it',
    isByWeight: true,
    adds: (tally) => isBreach(tally) || isContested(tally),
    excess: (formula, { record, added }, asOf) => formula([...record, added], asOf) - formula(record, asOf),
  },
  {
    name: '3: losing a dispute never raises it',
    isByWeight: true,
    adds: isContested,
    excess: (formula, { record, added }, asOf) => {
      const lost: Tally = { ...added, eventType: 'DISPUTE_RESOLVED_AGAINST_USER', timeliness: 'untimed' };
      return formula([...record, lost], asOf) - formula([...record, added], asOf);
    },
  },
  {
    name: '4: at least 20 without a verified breach, at most 34 without verified evidence, 0 to 100',
    adds: isOutcome,
    excess: (formula, { record, added }, asOf) => {
      const ledger = [...record, added];
      const points = formula(ledger, asOf);
      const verified = ledger.filter((tally) => tally.isVerified);
      const lowest = verified.some(isBreach) ? model.scoreMinimum : model.anchor;
      const hasEvidence = verified.some((tally) => isPositive(tally) || isBreach(tally));
      const highest = hasEvidence ? model.scoreMaximum : model.unprovenCeiling;
      return Math.max(lowest - points, points - highest);
    },
  },
  {
    name: '7: unverified outcomes lift it to 64.99 or to what it is without them',
    adds: isOutcome,
    excess: (formula, { record, added }, asOf) => {
      const ledger = [...record, added];
      const without = formula(
        ledger.filter((tally) => tally.isVerified),
        asOf,
      );
      return formula(ledger, asOf) - Math.max(model.fairCeiling, without);
    },
  },
  {
    name: '8: an outcome of weight near 0 moves it by near 0',
    isByWeight: true,
    adds: isOutcome,
    excess: (formula, { record, added }, asOf) => {
      // depth is a share: beside no verified delivered outcome at all, the first one decides it, whatever it weighs
      const delivered = record.filter((tally) => tally.isVerified && isDelivered(tally));
      if (delivered.length === 0) return Number.NEGATIVE_INFINITY;
      const weight = sumOfWeights([added], asOf);
      const moved = Math.abs(formula([...record, added], asOf) - formula(record, asOf));
      return moved - steepest(sumOfWeights(delivered, asOf)) * weight;
    },
  },
  {
    name: `ageing moves it by less than ${POINTS_A_DAY} points a day`,
    adds: isOutcome,
    excess: (formula, { record, added }, asOf) => {
      const ledger = [...record, added];
      const now = formula(ledger, asOf);
      // ten days as well: a fall from one day to the next lies within them more often than on the first
      const moved = (days: number) => Math.abs(formula(ledger, asOf + days) - now) - days * POINTS_A_DAY;
      return Math.max(moved(1), moved(10));
    },
  },
];

/**
 * Points that one unit of weight moves the score at most: through its mass 4 · 100/3, through the dispute share 15 · 3 · 4/3, through
 * timeliness 35; through depth 10 over what is delivered and verified. Loose, but it goes to nothing with the weight.
 */
function steepest(deliveredWeight: number): number {
  return 250 + 10 / deliveredWeight;
}

export function sumOfWeights(tallies: readonly Tally[], asOf: Day): number {
  return tallies.reduce((sum, tally) => {
    const age = Math.max(0, asOf - tally.day);
    const one = model.stakeWeights[tally.stakeLevel] * model.tierMultipliers[tally.platformTier];
    return sum + tally.count * one * 2 ** (-age / model.halfLifeDays);
  }, 0);
}
