import type { Bench } from './bench.js';
import { Samples, whole } from './figure.js';

/** Somebody who takes part: a server under load, or a program that counts by itself. */
export interface Contender {
  readonly name: string;
  /** One round; answers how much was done per second. */
  round(seconds: number): Promise<number>;
  /** Lets work that the round left behind come to its end, so that the next contender has the machine for itself. */
  rest?(): Promise<void>;
}

const WARM_UP_SECONDS = 3;

/**
 * Rounds in turn, A B C A B C …, since the machine is faster at one time than at another: only figures of neighbouring rounds can
 * be held against each other. Each contender warms up once, uncounted.
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
  return results;
}

/** One of these, one of those, in turn: neighbours in time are then of both kinds. */
export function interleaved(these: readonly Contender[], those: readonly Contender[]): Contender[] {
  const length = Math.max(these.length, those.length);
  return Array.from({ length }, (_, index) => [these[index], those[index]])
    .flat()
    .filter((contender) => contender !== undefined);
}

/** The results of one who took part. */
export function resultOf(results: ReadonlyMap<string, Samples>, name: string): Samples {
  const samples = results.get(name);
  if (!samples) throw new Error(`${name} took no part`);
  return samples;
}
