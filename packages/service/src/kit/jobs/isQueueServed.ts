import type { Queryable } from '../db/database.js';
import { lastHeartbeat } from './jobStore.js';

/** A worker whose last sign of life is older is taken for gone. */
export const WORKER_LIMIT_MS = 60_000;

/**
 * Whether somebody is there to do what is queued (RULES J5): this process runs a worker, or one somewhere gave a sign
 * of life within the minute.
 */
export async function isQueueServed(db: Queryable, now: Date, runsWorkerHere: boolean): Promise<boolean> {
  if (runsWorkerHere) return true;
  const lastBeatAt = await lastHeartbeat(db);
  return lastBeatAt !== null && now.getTime() - lastBeatAt.getTime() <= WORKER_LIMIT_MS;
}
