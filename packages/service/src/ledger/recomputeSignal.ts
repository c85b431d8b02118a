import type { FastifyBaseLogger } from 'fastify';
import { type Database, isDatabaseUnavailable } from '../kit/db/database.js';
import type { RecomputeWorker } from './recomputeWorker.js';

const CHANNEL = 'recompute';
/** Signals to other processes within this are one: a notification wakes, it carries nothing. */
const GATHER_MS = 5;

/** Wakes recompute workers once something was queued: the one in this process, or those of others. */
export interface RecomputeSignal {
  queued(): void;
}

/** For a process that runs the worker itself. Notifications of other processes wake it too. */
export function signalOwnWorker(worker: RecomputeWorker): RecomputeSignal {
  return { queued: () => worker.wake() };
}

/** For a process that leaves the work to others (ROLE=api). */
export function signalOtherProcesses(db: Database, log: FastifyBaseLogger): RecomputeSignal {
  let isDue = false;
  return {
    queued() {
      if (isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        db.notify(CHANNEL).catch((error: unknown) => {
          // The workers poll as well, so a lost notification costs a moment, not a score.
          if (!isDatabaseUnavailable(error)) log.warn({ err: error }, 'waking the workers failed');
        });
      }, GATHER_MS).unref();
    },
  };
}

export function listenForQueued(db: Database, worker: RecomputeWorker): Promise<() => Promise<void>> {
  return db.listen(CHANNEL, () => worker.wake());
}
