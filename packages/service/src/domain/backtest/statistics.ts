import { createHash } from 'node:crypto';

export type Interval = readonly [number, number];

/** The 97.5th percentile of the standard normal distribution. */
const Z = 1.959963984540054;

/** The 95 % Wilson score interval of a rate (Wilson 1927). Null without trials. */
export function wilsonInterval(successes: number, trials: number): Interval | null {
  if (trials === 0) return null;
  const rate = successes / trials;
  const z2 = Z * Z;
  const centre = (rate + z2 / (2 * trials)) / (1 + z2 / trials);
  const half = (Z / (1 + z2 / trials)) * Math.sqrt((rate * (1 - rate)) / trials + z2 / (4 * trials * trials));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

export const REPLICATES = 200;

/**
 * How often each replicate draws a subject: independent Poisson(1) numbers, which resample a stream
 * as drawing with replacement resamples a list. They follow from the subject's id alone, so neither
 * order nor chance changes an interval. `isOdd`: its half, of which the even one fits a calibration
 * and the odd one tests it.
 */
export function drawsOf(subjectId: string): { draws: Uint8Array; isOdd: boolean } {
  const bits = createHash('shake256', { outputLength: 4 * REPLICATES + 1 })
    .update(subjectId)
    .digest();
  const draws = Uint8Array.from({ length: REPLICATES }, (_, replicate) =>
    poisson(bits.readUInt32LE(4 * replicate)),
  );
  return { draws, isOdd: bits.readUInt8(4 * REPLICATES) % 2 === 1 };
}

/** The largest 32-bit number for each draw: e^-1 (1 + 1/1! + 1/2! + …). */
const POISSON_LIMITS = poissonLimits();

function poissonLimits(): number[] {
  const limits: number[] = [];
  let [term, sum] = [Math.exp(-1), 0];
  for (let count = 1; count <= 12; count += 1) {
    sum += term;
    limits.push(sum * 2 ** 32);
    term /= count;
  }
  return limits;
}

function poisson(bits: number): number {
  let count = 0;
  while (bits >= (POISSON_LIMITS[count] ?? Number.POSITIVE_INFINITY)) count += 1;
  return count;
}

/** The AUC of every replicate, of one predictor. */
export function createAucBootstrap(values: number) {
  // Replicates side by side: an addition touches one stretch of memory.
  const keptCounts = new Uint32Array(values * REPLICATES);
  const brokenCounts = new Uint32Array(values * REPLICATES);
  const isUsed = new Uint8Array(values);
  return {
    add(draws: Uint8Array, value: number, kept: number, broken: number): void {
      isUsed[value] = 1;
      if (kept > 0) addDraws(keptCounts, value * REPLICATES, draws, kept);
      if (broken > 0) addDraws(brokenCounts, value * REPLICATES, draws, broken);
    },
    /** NaN where a replicate drew only outcomes of one kind. */
    aucs(): Float64Array {
      // As aucOf, for all replicates in one walk through memory.
      const [wins, keptTotals, brokenBelow] = [emptySums(), emptySums(), emptySums()];
      for (let value = 0; value < values; value += 1) {
        if (isUsed[value] === 0) continue;
        for (
          let replicate = 0, index = value * REPLICATES;
          replicate < REPLICATES;
          replicate += 1, index += 1
        ) {
          const [kept, broken] = [keptCounts[index] ?? 0, brokenCounts[index] ?? 0];
          const below = brokenBelow[replicate] ?? 0;
          wins[replicate] = (wins[replicate] ?? 0) + kept * (below + broken / 2);
          keptTotals[replicate] = (keptTotals[replicate] ?? 0) + kept;
          brokenBelow[replicate] = below + broken;
        }
      }
      // 0 / 0 is NaN.
      return wins.map(
        (won, replicate) => won / ((keptTotals[replicate] ?? 0) * (brokenBelow[replicate] ?? 0)),
      );
    },
  };
}

function emptySums(): Float64Array {
  return new Float64Array(REPLICATES);
}

function addDraws(counts: Uint32Array, from: number, draws: Uint8Array, count: number): void {
  for (let replicate = 0; replicate < REPLICATES; replicate += 1)
    counts[from + replicate] = (counts[from + replicate] ?? 0) + count * (draws[replicate] ?? 0);
}

/** The middle 95 % of the replicates. Null if fewer than half of them have a value. */
export function percentileInterval(replicates: Float64Array): Interval | null {
  const values = replicates.filter((value) => !Number.isNaN(value)).sort();
  if (values.length < replicates.length / 2) return null;
  return [quantileOf(values, 0.025), quantileOf(values, 0.975)];
}

function quantileOf(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  const [low = Number.NaN, high = low] = [sorted[below], sorted[below + 1]];
  return low + (high - low) * (position - below);
}

/** Of fixed size: a backtest of a million outcomes takes no more memory than one of ten. */
export interface OutcomeHistogram {
  readonly kept: Uint32Array;
  readonly broken: Uint32Array;
}

export function createOutcomeHistogram(values: number): OutcomeHistogram {
  return { kept: new Uint32Array(values), broken: new Uint32Array(values) };
}

export function addOutcomes(
  { kept, broken }: OutcomeHistogram,
  value: number,
  keptCount: number,
  brokenCount: number,
): void {
  kept[value] = (kept[value] ?? 0) + keptCount;
  broken[value] = (broken[value] ?? 0) + brokenCount;
}

export function totalsOf({ kept, broken }: OutcomeHistogram): { kept: number; n: number } {
  const sum = (counts: Uint32Array) => counts.reduce((total, count) => total + count, 0);
  const keptCount = sum(kept);
  return { kept: keptCount, n: keptCount + sum(broken) };
}

/**
 * The probability that a kept outcome has a higher value than a broken one, ties counting half (the
 * area under the ROC curve). Null unless there are outcomes of both kinds.
 */
export function aucOf({ kept, broken }: OutcomeHistogram): number | null {
  let brokenBelow = 0;
  let keptTotal = 0;
  let wins = 0;
  for (let value = 0; value < kept.length; value += 1) {
    const [keptHere, brokenHere] = [kept[value] ?? 0, broken[value] ?? 0];
    wins += keptHere * (brokenBelow + brokenHere / 2);
    brokenBelow += brokenHere;
    keptTotal += keptHere;
  }
  return keptTotal > 0 && brokenBelow > 0 ? wins / (keptTotal * brokenBelow) : null;
}

interface Block {
  readonly firstValue: number;
  kept: number;
  n: number;
}

/**
 * The non-decreasing rates of kept outcomes by value that fit best in squared error (pool adjacent
 * violators). A value without outcomes has the rate of the next lower one, the lowest values that of
 * the first. Null without outcomes.
 */
export function isotonicFit({ kept, broken }: OutcomeHistogram): Float64Array | null {
  const blocks: Block[] = [];
  for (let value = 0; value < kept.length; value += 1) {
    const n = (kept[value] ?? 0) + (broken[value] ?? 0);
    if (n > 0) pool(blocks, { firstValue: value, kept: kept[value] ?? 0, n });
  }
  if (blocks.length === 0) return null;
  const rates = new Float64Array(kept.length);
  for (const [rank, block] of blocks.entries()) {
    const from = rank === 0 ? 0 : block.firstValue;
    rates.fill(block.kept / block.n, from, blocks[rank + 1]?.firstValue ?? rates.length);
  }
  return rates;
}

/** Adds a block on top and merges from there while a rate is not above the one below it. */
function pool(blocks: Block[], added: Block): void {
  let top = added;
  for (let below = blocks.at(-1); below && below.kept * top.n >= top.kept * below.n; below = blocks.at(-1)) {
    blocks.pop();
    top = { firstValue: below.firstValue, kept: below.kept + top.kept, n: below.n + top.n };
  }
  blocks.push(top);
}

/** The mean squared error of predicted rates (Brier 1950). Null without outcomes. */
export function brierOf(
  { kept, broken }: OutcomeHistogram,
  rateOf: (value: number) => number,
): number | null {
  let sum = 0;
  for (let value = 0; value < kept.length; value += 1) {
    const [keptHere, brokenHere] = [kept[value] ?? 0, broken[value] ?? 0];
    if (keptHere + brokenHere === 0) continue;
    const rate = rateOf(value);
    sum += keptHere * (1 - rate) ** 2 + brokenHere * rate ** 2;
  }
  const { n } = totalsOf({ kept, broken });
  return n > 0 ? sum / n : null;
}
