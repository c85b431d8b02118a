import { createHash } from 'node:crypto';
import type { Interval } from './wilson.js';

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

/** Of sorted values, linear between two of them. */
function quantileOf(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = Math.floor(position);
  const [low = Number.NaN, high = low] = [sorted[below], sorted[below + 1]];
  return low + (high - low) * (position - below);
}
