import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../kit/clock.js';
import type { Queryable, Tx } from '../../kit/db/database.js';
import type { IdSource } from '../../kit/ids.js';
import { enqueueJob } from '../../kit/jobs/jobStore.js';
import type { JobHandler } from '../../kit/jobs/jobs.js';
import type { Vault } from '../../kit/vault.js';
import { dropEventTexts } from './eventTexts.js';
import { emptyKeyLabels, otherTextSteps } from './otherTexts.js';
import {
  deleteImportIssues,
  emptyAnswers,
  emptyAnswersOfOthers,
  emptyDeliveries,
  emptyEnvelopes,
  emptyItemKeys,
  emptyScreenings,
  type TextSource,
} from './storedTexts.js';
import { deleteProfile, deleteRequests, deleteTraces, findErasure } from './traces.js';

export const ERASURE_JOB = 'erasure';

/**
 * When stored texts are searched, after the erasure. More than once: for requests that were under
 * way, and for a send whose answer is recorded half a minute later.
 */
const SEARCH_AFTER_MS = [0, 15_000, 45_000];
/** A search that failed for so long is tried again, until it succeeds. */
const SEARCH_AGAIN_MS = 10 * 60_000;
/** Idempotent answers live for a week (RULES O3). */
const ANSWERS_SINCE_MS = 8 * 24 * 60 * 60_000;

interface Deps {
  ids: IdSource;
  vault: Vault;
}

/** Queues the searches, with the sealed external id that they look for. */
export async function enqueueSearches(
  tx: Tx,
  { ids, vault }: Deps,
  { subjectId, platformId, livemode, externalId }: TextSource,
  now: Date,
): Promise<void> {
  const sealed = vault.seal(externalId, EXTERNAL_ID_CONTEXT);
  const attesterMark = randomBytes(32);
  for (const afterMs of SEARCH_AFTER_MS) {
    const jobId = ids.at(now);
    const dueAt = new Date(now.getTime() + afterMs);
    await enqueueJob(tx, { jobId, kind: ERASURE_JOB, platformId }, dueAt);
    await tx.execute(
      `insert into erasure_work (job_id, subject_id, livemode, sealed_external_id, attester_mark)
       values ($1, $2, $3, $4, $5)`,
      [jobId, subjectId, livemode, sealed, attesterMark],
    );
  }
}

export const EXTERNAL_ID_CONTEXT = 'external id of an erased subject';

/** Searches what is stored of an erased subject. Each step is a transaction and can be repeated. */
export function erasureJobs({
  db,
  clock,
  ids,
  vault,
  log,
}: Deps & { db: Queryable; clock: Clock; log: FastifyBaseLogger }): JobHandler {
  return {
    kind: ERASURE_JOB,
    async run(job, until) {
      const source = await findSource(db, vault, job);
      const at = source && (await findErasure(db, source.subjectId));
      if (source && at) {
        const erased = { ...source, at };
        const since = new Date(at.getTime() - ANSWERS_SINCE_MS);
        const steps: ((tx: Tx) => Promise<unknown>)[] = [
          (tx) => deleteRequests(tx, source.subjectId),
          (tx) => deleteProfile(tx, source.subjectId),
          (tx) => deleteTraces(tx, erased),
          (tx) => emptyEnvelopes(tx, source),
          (tx) => emptyAnswers(tx, source, { since }),
          (tx) => emptyItemKeys(tx, source),
          (tx) => emptyScreenings(tx, source),
          (tx) => emptyDeliveries(tx, source),
          (tx) => emptyAnswersOfOthers(tx, source),
          (tx) => deleteImportIssues(tx, source),
          ...otherTextSteps.map((step) => (tx: Tx) => step(tx, source)),
        ];
        for (const step of steps) {
          if (until.aborted) return;
          await job.inLease(step);
        }
        await emptyKeyLabels(db, source);
        if (!(await dropEventTexts(job, source, until))) return;
      }
      await job.finish((tx) => tx.execute('delete from erasure_work where job_id = $1', [job.jobId]));
    },
    // An erasure is never given up.
    async abandon(tx, jobId, reason, platformId) {
      log.error({ jobId, reason }, 'an erasure could not search all stored texts and tries again later');
      const next = ids.at(clock.now());
      const dueAt = new Date(clock.now().getTime() + SEARCH_AGAIN_MS);
      await enqueueJob(tx, { jobId: next, kind: ERASURE_JOB, platformId }, dueAt);
      await tx.execute('update erasure_work set job_id = $2 where job_id = $1', [jobId, next]);
    },
  };
}

/** Null: a reset of test data deleted it. */
async function findSource(
  db: Queryable,
  vault: Vault,
  { jobId, platformId }: { jobId: string; platformId: string },
): Promise<(TextSource & { attesterMark: Buffer }) | null> {
  const [row] = await db.query<{
    subjectId: string;
    livemode: boolean;
    sealedExternalId: Buffer;
    attesterMark: Buffer;
  }>('select subject_id, livemode, sealed_external_id, attester_mark from erasure_work where job_id = $1', [
    jobId,
  ]);
  if (!row) return null;
  const { subjectId, livemode, sealedExternalId, attesterMark } = row;
  return {
    subjectId,
    platformId,
    livemode,
    externalId: vault.open(sealedExternalId, EXTERNAL_ID_CONTEXT),
    attesterMark,
  };
}
