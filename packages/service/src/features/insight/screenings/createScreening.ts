import { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { Tx } from '../../../kit/db/database.js';
import type { Answer } from '../../../kit/http/answer.js';
import { API_PREFIX, type KeyAccess, type RequestContext } from '../../../kit/http/route.js';
import { enqueueJob, isQueueServed } from '../../../kit/jobs/jobs.js';
import { writeEnvelopes } from '../../../outbox/envelopes.js';
import type { ScreeningDeps } from './deps.js';
import type { ScreeningBody } from './schemas.js';
import { type Finding, type Screening, type ScreeningOwner, screeningCompleted } from './screening.js';
import { screenUsers } from './screenUsers.js';
import { insertChunks, insertScreening } from './store.js';

/** So many ids are looked up in the request itself (RULES J5). */
const MAX_INLINE = 100;
/** Ids that are looked up in one transaction. */
const CHUNK_IDS = 500;
const RETRY_AFTER_S = 30;

export const SCREENING_JOB = 'screening';

/** POST /screenings: few ids at once, many by whichever worker is there. */
export async function createScreening(
  deps: ScreeningDeps,
  { caller, body, claim }: RequestContext<KeyAccess, z.output<typeof ScreeningBody>, undefined, undefined>,
): Promise<Answer> {
  const { clock, ids, withIdempotency, outbox, jobs } = deps;
  const now = clock.now();
  const answer = await withIdempotency(claim, { now }, async (tx) => {
    const asked: Screening = {
      id: ids.at(now),
      status: 'QUEUED',
      label: body.label ?? null,
      total: body.userIds.length,
      foundCount: 0,
      error: null,
      createdAt: now,
      completedAt: null,
    };
    const isSmall = asked.total <= MAX_INLINE;
    const made = isSmall
      ? await screenAtOnce(tx, deps, caller, asked, body.userIds)
      : await queueScreening(tx, deps, caller, asked, body.userIds);
    const accepted: Answer = { status: 202, body: made };
    return accepted;
  });
  outbox.written();
  jobs.queued();
  // A replayed answer is the stored body; its address follows from it.
  const { id } = Named.parse(answer.body);
  return { ...answer, headers: { ...answer.headers, Location: `${API_PREFIX}/screenings/${id}` } };
}

const Named = z.object({ id: z.string() });

async function screenAtOnce(
  tx: Tx,
  { ids }: ScreeningDeps,
  owner: ScreeningOwner,
  asked: Screening,
  userIds: readonly string[],
): Promise<Screening> {
  const results = await screenUsers(tx, owner, userIds);
  const completedAt = asked.createdAt;
  const screening: Screening = {
    ...asked,
    status: 'COMPLETED',
    foundCount: countFound(results),
    completedAt,
  };
  await insertScreening(tx, owner, screening);
  await insertChunks(tx, owner, asked.id, [{ firstPlace: 0, userIds, results }]);
  await writeEnvelopes(tx, ids, completedAt, [screeningCompleted(owner, screening)]);
  return screening;
}

async function queueScreening(
  tx: Tx,
  { runsWorker }: ScreeningDeps,
  owner: ScreeningOwner,
  asked: Screening,
  userIds: readonly string[],
): Promise<Screening> {
  if (!(await isQueueServed(tx, asked.createdAt, runsWorker))) {
    fail('SCREENING_QUEUE_UNAVAILABLE', { headers: { 'Retry-After': String(RETRY_AFTER_S) } });
  }
  await insertScreening(tx, owner, asked);
  const chunks = [];
  for (let firstPlace = 0; firstPlace < userIds.length; firstPlace += CHUNK_IDS) {
    chunks.push({ firstPlace, userIds: userIds.slice(firstPlace, firstPlace + CHUNK_IDS), results: null });
  }
  await insertChunks(tx, owner, asked.id, chunks);
  await enqueueJob(
    tx,
    { jobId: asked.id, kind: SCREENING_JOB, platformId: owner.platformId },
    asked.createdAt,
  );
  return asked;
}

function countFound(results: readonly Finding[]): number {
  return results.filter((finding) => finding !== null).length;
}
