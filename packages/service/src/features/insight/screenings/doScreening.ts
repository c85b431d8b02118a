import type { Tx } from '../../../kit/db/database.js';
import type { JobHandler } from '../../../kit/jobs/jobs.js';
import { writeEnvelopes } from '../../../outbox/envelopes.js';
import { SCREENING_JOB } from './createScreening.js';
import type { ScreeningDeps } from './deps.js';
import { screeningCompleted } from './screening.js';
import { screenUsers } from './screenUsers.js';
import {
  completeScreening,
  failScreening,
  nextChunk,
  noteProgress,
  type OwnedScreening,
  storeResults,
} from './store.js';

type JobDeps = Pick<ScreeningDeps, 'clock' | 'ids' | 'outbox'>;

/**
 * Does queued screenings, a chunk per transaction. One that was marked FAILED meanwhile, or that a reset of test data took, is
 * left as it is.
 */
export function screeningJobs(deps: JobDeps): JobHandler {
  const { clock, outbox } = deps;
  return {
    kind: SCREENING_JOB,
    async run(job, until) {
      const key = { platformId: job.platformId, screeningId: job.jobId };
      while (await job.inLease((tx) => screenNextChunk(tx, key, clock.now()))) {
        if (until.aborted) return;
      }
      await job.finish(async (tx) => tell(tx, deps, key, await completeScreening(tx, key, clock.now())));
      outbox.written();
    },
    async abandon(tx, jobId, reason, platformId) {
      const key = { platformId, screeningId: jobId };
      await tell(tx, deps, key, await failScreening(tx, key, { error: reason, now: clock.now() }));
    },
    onAbandoned: () => outbox.written(),
  };
}

interface ScreeningKey {
  readonly platformId: string;
  readonly screeningId: string;
}

/** False: nothing is left to be done. */
async function screenNextChunk(tx: Tx, key: ScreeningKey, now: Date): Promise<boolean> {
  const screening = await noteProgress(tx, key, now);
  const chunk = screening && (await nextChunk(tx, key));
  if (!chunk) return false;
  const owner = { platformId: key.platformId, livemode: screening.livemode };
  await storeResults(tx, key, chunk.firstPlace, await screenUsers(tx, owner, chunk.userIds));
  return true;
}

async function tell(
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
