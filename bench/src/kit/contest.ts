import type { Bench } from './bench.js';
import { Samples, whole } from './figure.js';

/** A server under load, or a program that counts its own work. */
export interface Contender {
  readonly name: string;
  /** Others are compared with it. Its own rounds show how quiet the machine is. */
  readonly isYardstick?: true;
  /** Runs one round and returns the work done per second. */
  round(seconds: number): Promise<number>;
  /** Waits until the work left by a round is finished, so that the next contender has the machine to itself. */
  rest?(): Promise<void>;
}

const WARM_UP_SECONDS = 3;
/** Between the slowest and the fastest round of a yardstick. */
const MAX_SPREAD = 0.15;

/**
 * Interleaved rounds, A B C A B C …: the speed of the machine varies, so only neighbouring rounds are comparable. Each contender
 * warms up once, uncounted.
 */
export async function contest(bench: Bench, contenders: readonly Contender[]): Promise<Map<string, Samples>> {
  const results = new Map(contenders.map(({ name }) => [name, new Samples()]));
  for (const contender of contenders) {
    await contender.round(WARM_UP_SECONDS);
    await contender.rest?.();
  }
  for (let round = 1; round <= bench.rounds; round += 1) {
    for (const contender of contenders) {
      const perSecond = await contender.round(bench.seconds);
      results.get(contender.name)?.add(perSecond);
      bench.say(`  round ${round} of ${bench.rounds}: ${contender.name} ${whole(perSecond)}/s`);
      await contender.rest?.();
    }
  }
  for (const { name } of contenders.filter(({ isYardstick }) => isYardstick)) {
    const rates = resultOf(results, name);
    const spread = rates.max / rates.min - 1;
    if (spread <= MAX_SPREAD) continue;
    const [found, most] = [spread, MAX_SPREAD].map((share) => `${whole(share * 100)} %`);
    bench.disturbances.push(`the rounds of ${name} differ by ${found}, at most ${most} is quiet enough`);
  }
  return results;
}

/** Alternates both kinds, so that neighbouring rounds are of both. */
export function interleaved(these: readonly Contender[], those: readonly Contender[]): Contender[] {
  const length = Math.max(these.length, those.length);
  return Array.from({ length }, (_, index) => [these[index], those[index]])
    .flat()
    .filter((contender) => contender !== undefined);
}

/** The results of one contender. */
export function resultOf(results: ReadonlyMap<string, Samples>, name: string): Samples {
  const samples = results.get(name);
  if (!samples) throw new Error(`no results of ${name}`);
  return samples;
}
