import { DAY_MS } from '../../../domain/timestamp.js';
import type { Database, Reads, Tx } from '../../../kit/db/database.js';
import type { JobHandler } from '../../../kit/jobs/jobs.js';
import { inSlices, type Sweep } from '../../../ledger/sweep.js';
import { writeEnvelopes } from '../../../outbox/envelopes.js';
import { type ScreeningDeps, screeningCompleted, screenUsers } from './screening.js';
import { SCREENING_JOB } from './screenings.js';
import {
  completeScreening,
  deleteScreenings,
  failScreening,
  nextChunk,
  noteProgress,
  type OwnedScreening,
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
      const key = { platformId: job.platformId, screeningId: job.jobId };
      while (await job.inLease((tx) => screenNextChunk(tx, reads, key, clock.now()))) {
        if (until.aborted) return;
      }
      await job.finish(async (tx) =>
        emitCompleted(tx, deps, key, await completeScreening(tx, key, clock.now())),
      );
      wakes.raise('deliveries');
    },
    async abandon(tx, jobId, reason, platformId) {
      const key = { platformId, screeningId: jobId };
      await emitCompleted(tx, deps, key, await failScreening(tx, key, { error: reason, now: clock.now() }));
    },
    onAbandoned: () => wakes.raise('deliveries'),
  };
}

interface ScreeningKey {
  readonly platformId: string;
  readonly screeningId: string;
}

/** False if there is no chunk left. */
async function screenNextChunk(tx: Tx, reads: Reads, key: ScreeningKey, now: Date): Promise<boolean> {
  const screening = await noteProgress(tx, key, now);
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
  { platformId }: ScreeningKey,
  ended: OwnedScreening | null,
): Promise<void> {
  if (!ended) return;
  await writeEnvelopes(tx, ids, ended.completedAt ?? clock.now(), [
    screeningCompleted({ platformId, livemode: ended.livemode }, ended),
  ]);
}

/** How long results are kept (RULES O3). */
const RETENTION_DAYS = 30;
/** Each may hold ten thousand results. */
const SCREENINGS_PER_SLICE = 50;

/** Part of the retention sweep: deletes old screenings and their results. */
export function removeOldScreenings(db: Database): Sweep {
  return (now, until) =>
    inSlices(db, 'screenings', until, async (tx) => {
      const before = new Date(now.getTime() - RETENTION_DAYS * DAY_MS);
      const affected = await deleteScreenings(tx, before, SCREENINGS_PER_SLICE);
      return { affected, isLast: affected < SCREENINGS_PER_SLICE };
    });
}
