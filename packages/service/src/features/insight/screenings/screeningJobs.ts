import type { Database, Reads, Tx } from '#kit/db/database.js';
import type { JobHandler } from '#kit/jobs/jobs.js';
import type { Sweep } from '#ledger/sweep.js';
import { writeEnvelopes } from '#outbox/envelopes.js';
import type { JobKey } from '../trackedJobs.js';
import { type ScreeningDeps, screeningCompleted, screenUsers } from './screening.js';
import { SCREENING_JOB } from './screenings.js';
import {
  deleteChunks,
  failScreening,
  nextChunk,
  type OwnedScreening,
  screenings,
  storeResults,
} from './store.js';

type JobDeps = Pick<ScreeningDeps, 'reads' | 'clock' | 'ids' | 'wakes'>;

/**
 * Executes queued screenings, one chunk per transaction. Stops if the screening was marked FAILED
 * or a reset of test data deleted it.
 */
export function screeningJobs(deps: JobDeps): JobHandler {
  const { reads, clock, wakes } = deps;
  return {
    kind: SCREENING_JOB,
    async run(job, until) {
      while (await job.inLease((tx) => screenNextChunk(tx, reads, job, clock.now()))) {
        if (until.aborted) return;
      }
      await job.finish(async (tx) => {
        const now = clock.now();
        const ended = { status: 'COMPLETED', progressAt: now, completedAt: now };
        await emitCompleted(tx, deps, job, await screenings.change(tx, job, ended));
      });
      wakes.raise('deliveries');
    },
    async abandon(tx, jobId, error, platformId) {
      const key = { platformId, jobId };
      await emitCompleted(tx, deps, key, await failScreening(tx, key, { error, completedAt: clock.now() }));
    },
    onAbandoned: () => wakes.raise('deliveries'),
  };
}

/** False if there is no chunk left. */
async function screenNextChunk(tx: Tx, reads: Reads, key: JobKey, now: Date): Promise<boolean> {
  const screening = await screenings.change(tx, key, { status: 'RUNNING', progressAt: now });
  const chunk = screening && (await nextChunk(tx, key));
  if (!chunk) return false;
  const owner = { platformId: key.platformId, livemode: screening.livemode };
  const found = await reads.from((db) => screenUsers(db, owner, chunk.userIds), tx);
  await storeResults(tx, key, chunk.firstIndex, found);
  return true;
}

async function emitCompleted(
  tx: Tx,
  { clock, ids }: JobDeps,
  { platformId }: JobKey,
  ended: OwnedScreening | null,
): Promise<void> {
  if (!ended) return;
  await writeEnvelopes(tx, ids, ended.completedAt ?? clock.now(), [
    screeningCompleted({ platformId, livemode: ended.livemode }, ended),
  ]);
}

/** Each may hold ten thousand results. */
const SCREENINGS_PER_SLICE = 50;

export function removeOldScreenings(db: Database): Sweep {
  return screenings.removeOld(db, SCREENINGS_PER_SLICE, deleteChunks);
}
