import type { Day, Tally } from '../../src/index.js';
import { AGEING_POINTS_A_DAY, model, outcomeClassOf } from '../../src/index.js';

/** A formula under search: the unrounded score of tallies in any order, duplicates allowed. */
export type Formula = (tallies: readonly Tally[], asOf: Day) => number;

/** A ledger and an outcome that is added to it. */
export interface Pair {
  readonly record: readonly Tally[];
  readonly added: Tally;
}

/** A rule that must hold for every ledger, in a form that a search can climb. */
export interface Rule {
  readonly name: string;
  /** Outcomes that may be added to a ledger. */
  readonly adds: (tally: Tally) => boolean;
  /**
   * The rule compares the ledger with and without the outcome, so an outcome of almost no weight
   * always comes close to a violation.
   */
  readonly isByWeight?: true;
  /** Points by which the pair breaks the rule. 0 or less: the rule holds. */
  excess(formula: Formula, pair: Pair, asOf: Day): number;
}

const isPositive = ({ eventType }: Tally) => outcomeClassOf(eventType) === 'positive';
const isBreach = ({ eventType }: Tally) => outcomeClassOf(eventType) === 'breach';
const isContested = ({ eventType }: Tally) => outcomeClassOf(eventType) === 'contested';
const isDelivered = (tally: Tally) => isPositive(tally) && tally.eventType !== 'DISPUTE_RESOLVED_FOR_USER';
const isOutcome = (tally: Tally) => isPositive(tally) || isBreach(tally) || isContested(tally);

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
      // depth is a share: without a verified delivered outcome on record, the first one decides it
      // at any weight
      const delivered = record.filter((tally) => tally.isVerified && isDelivered(tally));
      if (delivered.length === 0) return Number.NEGATIVE_INFINITY;
      const weight = sumOfWeights([added], asOf);
      const moved = Math.abs(formula([...record, added], asOf) - formula(record, asOf));
      return moved - steepest(sumOfWeights(delivered, asOf)) * weight;
    },
  },
  {
    name: `ageing moves it by less than ${AGEING_POINTS_A_DAY} points a day`,
    adds: isOutcome,
    excess: (formula, { record, added }, asOf) => {
      const ledger = [...record, added];
      const now = formula(ledger, asOf);
      // also over ten days: a fall from one day to the next more often lies within them than on the
      // first
      const moved = (days: number) =>
        Math.abs(formula(ledger, asOf + days) - now) - days * AGEING_POINTS_A_DAY;
      return Math.max(moved(1), moved(10));
    },
  },
];

/**
 * Upper bound of the points that one unit of weight moves the score: 4 · 100/3 through its mass, 15
 * · 3 · 4/3 through the dispute share, 35 through timeliness, and 10 over the delivered verified
 * weight through depth. Loose, but it vanishes with the weight.
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
