import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../kit/db/database.js';
import { createNotifier } from '../../kit/db/notifier.js';
import type { RecomputeWorker } from './worker.js';

const CHANNEL = 'recompute';

/** Wakes the recompute worker of this process or those of other processes. */
export interface RecomputeSignal {
  queued(): void;
}

/** For a process that runs a worker. Notifications of other processes wake it too. */
export function signalOwnWorker(worker: RecomputeWorker): RecomputeSignal {
  return { queued: () => worker.wake() };
}

/** For a process without a worker (ROLE=api). */
export function signalOtherProcesses(db: Database, log: FastifyBaseLogger): RecomputeSignal {
  return { queued: createNotifier(db, CHANNEL, log) };
}

export function listenForQueued(db: Database, worker: RecomputeWorker): Promise<() => Promise<void>> {
  return db.listen(CHANNEL, () => worker.wake());
}
