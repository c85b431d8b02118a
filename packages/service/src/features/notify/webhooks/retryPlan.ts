import type { AttemptOutcome } from './attemptDelivery.js';

/** When an attempt that failed is made again; null: it was the last. */
export type RetryPlan = (
  attempt: number,
  outcome: Pick<AttemptOutcome, 'notBefore'>,
  endedAt: Date,
) => Date | null;

/** Those who failed together are spread, so that they do not come back together. */
const JITTER = 0.1;

/** The longest time between two attempts at one delivery. */
export function longestWaitMs(schedule: readonly number[]): number {
  return Math.max(...schedule) * (1 + JITTER) * 1000;
}

/**
 * @param schedule seconds to wait before each attempt, the first one included (RULES H4).
 * @param random from 0 up to, not including, 1.
 */
export function createRetryPlan(schedule: readonly number[], random: () => number): RetryPlan {
  return (attempt, { notBefore }, endedAt) => {
    const seconds = schedule[attempt];
    if (seconds === undefined) return null;
    const spread = 1 + JITTER * (2 * random() - 1);
    const planned = endedAt.getTime() + seconds * spread * 1000;
    return new Date(Math.ceil(Math.max(planned, notBefore?.getTime() ?? 0)));
  };
}
