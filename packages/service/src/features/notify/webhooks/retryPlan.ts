import type { AttemptOutcome } from './attemptDelivery.js';

/** When the next attempt follows a failed one; null: it was the last. */
export type RetryPlan = (
  attempt: number,
  outcome: Pick<AttemptOutcome, 'notBefore'>,
  endedAt: Date,
) => Date | null;

/** Attempts that failed together must not be retried together. */
const JITTER = 0.1;

/** The longest time between two attempts to send one envelope. */
export function maxWaitMs(schedule: readonly number[]): number {
  return Math.max(...schedule) * (1 + JITTER) * 1000;
}

/**
 * @param schedule seconds before each attempt, starting with the first (RULES H4).
 * @param random from 0 to less than 1.
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
