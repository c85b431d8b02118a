import {
  type Day,
  type EventType,
  eventKindOf,
  eventTypes,
  platformTiers,
  stakeLevels,
  type Tally,
  timelinessValues,
} from '../../src/index.js';
import { type Formula, type Pair, type Rule, sumOfWeights } from './rules.js';

export interface Finding {
  readonly pair: Pair;
  /** Points by which the pair breaks the rule. 0 or less: the nearest miss. */
  readonly excess: number;
}

export interface SearchOptions {
  /** The same seed gives the same pairs. */
  readonly seed: number;
  /** Number of pairs to examine. */
  readonly pairs: number;
  readonly asOf: Day;
}

/** The rounding error of sums of doubles. Less than that is no violation. */
export const NOISE = 1e-9;

const MAX_TALLIES = 12;
/** Number of random pairs per start, and of changes without improvement before a new start. */
const STARTS = 30;
const PATIENCE = 120;

const outcomeTypes = eventTypes.filter((type) => eventKindOf(type) === 'outcome');

/**
 * Hill climbing for a pair that breaks the rule: starts from the best of some random pairs, changes
 * one thing at a time and keeps changes that come closer to a violation. Ends with the first
 * violation or, when all pairs are used, with the nearest miss.
 */
export function climb(formula: Formula, rule: Rule, { seed, pairs, asOf }: SearchOptions): Finding {
  const random = createRandom(seed);
  let left = pairs;
  let nearest: Climber | null = null;
  while (left > 0) {
    let current = measured(randomPair(random, rule, asOf));
    for (let start = 1; start < STARTS; start += 1) current = better(current, randomPair(random, rule, asOf));
    left -= STARTS;
    for (let inVain = 0; inVain < PATIENCE && left > 0 && !isViolation(current); left -= 1) {
      const next = better(current, changedPair(random, rule, asOf, current.pair));
      inVain = next.slope > current.slope ? 0 : inVain + 1;
      current = next;
    }
    if (isViolation(current)) return current;
    if (!nearest || current.excess > nearest.excess) nearest = current;
  }
  return nearest ?? measured(randomPair(random, rule, asOf));

  function measured(pair: Pair): Climber {
    const excess = rule.excess(formula, pair, asOf);
    return { pair, excess, slope: rule.isByWeight ? excess / sumOfWeights([pair.added], asOf) : excess };
  }

  function better(current: Climber, pair: Pair): Climber {
    const next = measured(pair);
    return isViolation(next) || next.slope >= current.slope ? next : current;
  }
}

interface Climber extends Finding {
  /**
   * The climbed quantity: the excess, divided by the weight of the added outcome if the rule says
   * so.
   */
  readonly slope: number;
}

export function isViolation({ excess }: Finding): boolean {
  return excess > NOISE;
}

/** From 0 to below 1 (mulberry32): fast and the same on every machine. */
type Random = () => number;

function createRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function randomPair(random: Random, rule: Rule, asOf: Day): Pair {
  const record = Array.from({ length: upTo(random, 9) }, () => randomTally(random, asOf));
  return { record, added: addable(random, rule, () => randomTally(random, asOf)) };
}

/** The pair with one tally changed, added or removed, or with a different added outcome. */
function changedPair(random: Random, rule: Rule, asOf: Day, { record, added }: Pair): Pair {
  const index = upTo(random, record.length);
  const tally = record[index];
  switch (upTo(random, 6)) {
    case 0:
      return { record: [...record, randomTally(random, asOf)].slice(-MAX_TALLIES), added };
    case 1:
      return { record: record.toSpliced(index, 1), added };
    case 2:
    case 3:
      return { record, added: addable(random, rule, () => changedTally(random, asOf, added)) };
    default:
      if (!tally) return randomPair(random, rule, asOf);
      return { record: record.with(index, changedTally(random, asOf, tally)), added };
  }
}

function addable(random: Random, rule: Rule, draw: () => Tally): Tally {
  for (;;) {
    const tally = { ...draw(), count: 1 };
    if (rule.adds(tally)) return tally;
    const other = { ...tally, eventType: pick(random, outcomeTypes), isVerified: random() < 0.5 };
    if (rule.adds(other)) return other;
  }
}

function randomTally(random: Random, asOf: Day): Tally {
  return {
    day: randomDay(random, asOf),
    platformTier: pick(random, platformTiers),
    eventType: pick<EventType>(random, outcomeTypes),
    stakeLevel: pick(random, stakeLevels),
    isVerified: random() < 0.5,
    timeliness: pick(random, timelinessValues),
    count: randomCount(random),
  };
}

function changedTally(random: Random, asOf: Day, tally: Tally): Tally {
  switch (upTo(random, 9)) {
    case 0:
      return { ...tally, day: Math.min(asOf, tally.day + upTo(random, 181) - 90) };
    case 1:
      return { ...tally, count: Math.max(1, Math.round(tally.count * (0.5 + random()))) };
    default: {
      const other = randomTally(random, asOf);
      const field = pick(random, Object.keys(other) as (keyof Tally)[]);
      return { ...tally, [field]: other[field] };
    }
  }
}

/**
 * Mostly within the last year, some up to twenty half-lives old, where an outcome weighs almost
 * nothing.
 */
function randomDay(random: Random, asOf: Day): Day {
  return asOf - upTo(random, random() < 0.7 ? 365 : 3600);
}

/** 1 to 3000, small ones as likely as large ones. */
function randomCount(random: Random): number {
  return Math.floor(Math.exp(random() * 8));
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[upTo(random, values.length)] as T;
}

/** A whole number from 0 to below `limit`. */
function upTo(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}
