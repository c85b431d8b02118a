import { randomUUID } from 'node:crypto';
import { dayOf } from '@reliability/scoring';
import { createPollingLoop } from '../../kit/backgroundLoop.js';
import { pollOfGroup } from '../../kit/db/groups.js';
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

interface WorkerDeps extends DrainDeps {
  /** How long it may sleep unless it is woken. Default: 5 s. */
  pollMs?: number;
}

const AGED_SCORES_PER_ROUND = 500;
/** For what is not queued: the heartbeat and a new day. The queue is watched (queueWatch.ts). */
const POLL_MS = 5_000;
/** Interval of the heartbeat. /status.json expects one within a minute. */
const HEARTBEAT_MS = 10_000;

export function createRecomputeWorker(deps: WorkerDeps): RecomputeWorker {
  const queue = createQueueDrain(deps);
  /** Progress of today's decay sweep. */
  let decay: { day: number; after: AgedPosition | null; isDone: boolean } | null = null;
  const workerId = randomUUID();
  const pollMs = pollOfGroup(deps.db, deps.pollMs ?? POLL_MS);
  let heartbeatAtMs = 0;

  return createPollingLoop(
    async (_sleep, stopping) => {
      await beatWhenDue();
      const drained = await queue.drain(() => stopping.aborted);
      const hasMore = drained === 'some' || (await decayOnce());
      return hasMore ? 0 : pollMs;
    },
    (error) => deps.log.error({ err: error }, 'recompute failed'),
  );

  /** One loop beats for its process: that of the first group. */
  async function beatWhenDue(): Promise<void> {
    if (deps.db !== deps.db.shared) return;
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
