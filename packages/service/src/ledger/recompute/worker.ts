import { randomUUID } from 'node:crypto';
import { dayOf } from '@reliability/scoring';
import { createBackgroundLoop } from '../../kit/backgroundLoop.js';
import { isDatabaseUnavailable } from '../../kit/db/database.js';
import { createDraftWalk } from './draftScores.js';
import { forgetIdleFailures } from './failures.js';
import { createQueueDrain, type DrainDeps } from './queue.js';
import { type AgedPosition, beat, queueAgedScores } from './store.js';

/** Computes scores for new events, and once a day recomputes scores whose events have aged. */
export interface RecomputeWorker {
  start(): void;
  /** Check the queue now instead of at the next poll. */
  wake(): void;
  /** Resolves after the current batch. */
  stop(): Promise<void>;
}

const AGED_SCORES_PER_ROUND = 500;
/** Upper bound for finding work of another process whose notification was lost. */
const POLL_MS = 250;
/** The same in a further ledger group: with many of them idle polls would add up. */
const GROUP_POLL_MS = 2000;
const RETRY_AFTER_ERROR_MS = 1000;
/** Interval of the heartbeat. /status.json expects one within a minute. */
const HEARTBEAT_MS = 10_000;

export function createRecomputeWorker(deps: DrainDeps): RecomputeWorker {
  const queue = createQueueDrain(deps);
  const queueDrafts = createDraftWalk(deps.db, deps.clock);
  /** Progress of today's decay sweep. */
  let decay: { day: number; after: AgedPosition | null; isDone: boolean } | null = null;
  const workerId = randomUUID();
  const pollMs = deps.db.group === 0 ? POLL_MS : GROUP_POLL_MS;
  let heartbeatAtMs = 0;

  return createBackgroundLoop(async (sleep, stopping) => {
    while (!stopping.aborted) {
      sleep.reset();
      try {
        await beatWhenDue();
        const hadWork =
          (await queue.drain(() => stopping.aborted)) || (await queueDrafts()) || (await decayOnce());
        if (!hadWork) await sleep.rest(pollMs);
      } catch (error) {
        // Readiness and every request report an unavailable database: do not log it each second.
        if (!isDatabaseUnavailable(error)) deps.log.error({ err: error }, 'recompute failed');
        await sleep.rest(RETRY_AFTER_ERROR_MS);
      }
    }
  });

  async function beatWhenDue(): Promise<void> {
    const now = deps.clock.now();
    if (Math.abs(now.getTime() - heartbeatAtMs) < HEARTBEAT_MS) return;
    await beat(deps.db, workerId, now);
    heartbeatAtMs = now.getTime();
  }

  /** One slice of the decay sweep. Runs only when the queue has nothing due. */
  async function decayOnce(): Promise<boolean> {
    const now = deps.clock.now();
    const today = dayOf(now);
    if (decay?.day !== today) decay = { day: today, after: null, isDone: false };
    if (decay.isDone) return false;
    const { queued, next } = await queueAgedScores(deps.db, today, decay.after, AGED_SCORES_PER_ROUND, now);
    decay = { day: today, after: next, isDone: next === null };
    if (decay.isDone) await forgetIdleFailures(deps.db);
    return queued > 0 || !decay.isDone;
  }
}
