import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../kit/clock.js';
import type { Queryable, Tx } from '../../kit/db/database.js';
import { enqueueJob } from '../../kit/jobs/jobStore.js';
import type { JobHandler } from '../../kit/jobs/jobs.js';
import type { Vault } from '../../kit/vault.js';
import {
  deleteProfile,
  deleteRequests,
  deleteTraces,
  ERASURE_JOB,
  EXTERNAL_ID_CONTEXT,
  findErasure,
  type SearchDeps,
} from './eraseSubject.js';
import { dropEventTexts } from './eventTexts.js';
import { emptyTexts, KEY_LABELS, TEXT_TABLES, type TextSource } from './namingTexts.js';
import {
  deleteImportIssues,
  deleteMappings,
  emptyAnswers,
  emptyEnvelopes,
  emptyItemKeys,
  emptyScreenings,
} from './storedTexts.js';

/** A search that failed for so long is tried again, until it succeeds. */
const SEARCH_AGAIN_MS = 10 * 60_000;
/** Idempotent answers live for a week (RULES O3). */
const ANSWERS_SINCE_MS = 8 * 24 * 60 * 60_000;

/** Searches what is stored of an erased subject. Each step is a transaction and can be repeated. */
export function erasureJobs({
  db,
  clock,
  ids,
  vault,
  log,
}: SearchDeps & { db: Queryable; clock: Clock; log: FastifyBaseLogger }): JobHandler {
  return {
    kind: ERASURE_JOB,
    async run(job, until) {
      const source = await findSource(db, vault, job);
      const at = source && (await findErasure(db, source.subjectId));
      if (source && at) {
        const steps: ((tx: Tx) => Promise<unknown>)[] = [
          (tx) => deleteRequests(tx, source.subjectId),
          (tx) => deleteProfile(tx, source.subjectId),
          (tx) => deleteTraces(tx, source.subjectId, at),
          (tx) => emptyEnvelopes(tx, source),
          (tx) => emptyAnswers(tx, source, new Date(at.getTime() - ANSWERS_SINCE_MS)),
          (tx) => emptyItemKeys(tx, source),
          (tx) => emptyScreenings(tx, source),
          (tx) => deleteImportIssues(tx, source),
          (tx) => deleteMappings(tx, source),
          ...TEXT_TABLES.map((table) => (tx: Tx) => emptyTexts(tx, table, source)),
        ];
        for (const step of steps) {
          if (until.aborted) return;
          await job.inLease(step);
        }
        await emptyTexts(db.shared, KEY_LABELS, source);
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
  const { sealedExternalId, ...source } = row;
  return { ...source, platformId, externalId: vault.open(sealedExternalId, EXTERNAL_ID_CONTEXT) };
}
