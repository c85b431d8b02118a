import { randomUUID } from 'node:crypto';
import { dayOf } from '@reliability/scoring';
import { isDatabaseUnavailable } from '../../kit/db/database.js';
import { createWakeableSleep } from '../../kit/wakeableSleep.js';
import { createDraftWalk } from './draftScores.js';
import { forgetIdleFailures } from './failures.js';
import { createQueueDrain, type DrainDeps } from './queue.js';
import { type AgedPlace, beat, queueAgedScores } from './store.js';

/** Turns what the ledger took into scores, and once a day lets the passing of time into them. */
export interface RecomputeWorker {
  start(): void;
  /** Something was queued: look now rather than at the next poll. */
  wake(): void;
  /** Ends after the batch under way. */
  stop(): Promise<void>;
}

const AGED_SCORES_PER_ROUND = 500;
/** What another process queued without a wake-up that reached us is found within this. */
const POLL_MS = 250;
const RETRY_AFTER_FAULT_MS = 1000;
/** How often the loop says that it turns; /status.json asks whether it did within a minute. */
const BEAT_MS = 10_000;

export function createRecomputeWorker(deps: DrainDeps): RecomputeWorker {
  let isStopping = false;
  let running: Promise<void> | null = null;
  const sleep = createWakeableSleep();
  const queue = createQueueDrain(deps);
  const queueDrafts = createDraftWalk(deps.db, deps.clock);
  /** How far the sweep of the day has come. */
  let decay: { day: number; after: AgedPlace | null; isDone: boolean } | null = null;
  const workerId = randomUUID();
  let beatenAtMs = 0;

  return {
    start() {
      running ??= loop();
    },
    wake: sleep.wake,
    async stop() {
      isStopping = true;
      sleep.wake();
      await running;
    },
  };

  async function loop(): Promise<void> {
    while (!isStopping) {
      sleep.reset();
      try {
        await beatWhenDue();
        const hadWork = (await queue.drain(() => isStopping)) || (await queueDrafts()) || (await decayOnce());
        if (!hadWork) await sleep.rest(POLL_MS);
      } catch (error) {
        // Away databases are reported by readiness and by every request; the log need not repeat it each second.
        if (!isDatabaseUnavailable(error)) deps.log.error({ err: error }, 'recompute failed');
        await sleep.rest(RETRY_AFTER_FAULT_MS);
      }
    }
  }

  async function beatWhenDue(): Promise<void> {
    const now = deps.clock.now();
    if (Math.abs(now.getTime() - beatenAtMs) < BEAT_MS) return;
    await beat(deps.db, workerId, now);
    beatenAtMs = now.getTime();
  }

  /** The decay sweep, a slice at a time and only when nothing in the queue is due. */
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
