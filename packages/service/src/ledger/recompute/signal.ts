import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../kit/db/database.js';
import { createNotifier } from '../../kit/db/notifier.js';
import type { RecomputeWorker } from './worker.js';

const CHANNEL = 'recompute';

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
  return { queued: createNotifier(db, CHANNEL, log) };
}

export function listenForQueued(db: Database, worker: RecomputeWorker): Promise<() => Promise<void>> {
  return db.listen(CHANNEL, () => worker.wake());
}
