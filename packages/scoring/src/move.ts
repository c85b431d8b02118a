import {
  addTally,
  addWeight,
  baseWeightOf,
  decayTable,
  emptySums,
  judgeRecord,
  scaled,
  type Weighed,
} from './halves.js';
import { model } from './model.js';
import { exactScore, meanScore } from './score.js';
import type { Day, Tally } from './tally.js';

/** Outcomes that enter a record on the same day and are counted as one. */
export interface MoveStep {
  /** After the first day of the move, and not after the last. */
  readonly entersOn: Day;
  /** A negative count removes: the outcome of a dispute takes out the contested event that it closes. */
  readonly tallies: readonly Tally[];
}

/** What moved a score, in points that are not rounded. They sum to the move. */
export interface MovePoints {
  /** In the order of the steps. */
  readonly steps: readonly number[];
  /** Time alone. */
  readonly ageing: number;
  /** What ceiling and floor add or take, compared with the first day. */
  readonly rules: number;
}

/**
 * Attributes the move of a score between two days to what happened in between. Time passes and steps enter in the order of
 * their days, and each is worth what the score does then. Between steps of one day there is no order: a step gets the mean of
 * counting them in the given order and in the reverse order. docs/FORMULA.md "What moved a score".
 * @param before what counts at the end of the first day. Negative counts remove.
 */
export function attributeMove(
  before: readonly Tally[],
  steps: readonly MoveStep[],
  from: Day,
  to: Day,
): MovePoints {
  const numbered = steps.map((step, index) => ({ ...step, index }));
  const inOrder = (direction: 1 | -1) =>
    walk(
      before,
      numbered.toSorted((a, b) => a.entersOn - b.entersOn || direction * (a.index - b.index)),
      from,
      to,
    );
  const [there, back] = [inOrder(1), inOrder(-1)];
  return { ...there, steps: there.steps.map((points, index) => (points + (back.steps[index] ?? 0)) / 2) };
}

function walk(
  before: readonly Tally[],
  ordered: readonly (MoveStep & { readonly index: number })[],
  from: Day,
  to: Day,
): MovePoints {
  let halves = [emptySums(), emptySums()] as const;
  for (const tally of before) addTally(halves[tally.isVerified ? 1 : 0], tally, from);
  const decay = decayTable(model.halfLifeDays);
  const first = weighed();
  let day = from;
  let mean = meanScore(first, model);
  let ageing = 0;
  const steps = new Array<number>(ordered.length).fill(0);
  for (const { entersOn, tallies, index } of ordered) {
    ageUntil(entersOn);
    for (const tally of tallies) {
      const weight = tally.count * baseWeightOf(tally, model) * decay(Math.max(0, day - tally.day));
      addWeight(halves[tally.isVerified ? 1 : 0], tally, weight, model);
    }
    steps[index] = movedMean();
  }
  ageUntil(to);
  return { steps, ageing, rules: gateOf(weighed()) - gateOf(first) };

  function weighed(): Weighed {
    const [unverified, verified] = halves;
    return judgeRecord({ verified, unverified, totalEvents: 0, verifiedEvents: 0 }, model);
  }

  function movedMean(): number {
    const last = mean;
    mean = meanScore(weighed(), model);
    return mean - last;
  }

  function ageUntil(until: Day): void {
    if (until <= day) return;
    const factor = decay(until - day);
    halves = [scaled(halves[0], NOTHING, factor), scaled(halves[1], NOTHING, factor)];
    day = until;
    ageing += movedMean();
  }
}

function gateOf(weighed: Weighed): number {
  return exactScore(weighed, model) - meanScore(weighed, model);
}

const NOTHING = emptySums();
