import { CSV_TYPE } from '#kit/csv.js';
import type { Tx } from '#kit/db/database.js';
import { ok, type TypedAnswer } from '#kit/http/answer.js';
import {
  type IdempotencyClaim,
  keyFor,
  type Owner,
  type RouteTable,
  route,
  withLocation,
} from '#kit/http/route.js';
import { enqueueJob } from '#kit/jobs/jobs.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import { writeEnvelopes } from '#outbox/envelopes.js';
import { assertQueueServed } from '../trackedJobs.js';
import { listScreenings, readResults, readScreening } from './readScreenings.js';
import {
  type Finding,
  ResultsPage,
  ResultsQuery,
  Screening,
  ScreeningBody,
  type ScreeningDeps,
  ScreeningPage,
  ScreeningQuery,
  screeningCompleted,
  screeningPath,
  screenUsers,
} from './screening.js';
import { insertChunks, insertScreening } from './store.js';

/** Up to this number, ids are looked up in the request itself (RULES J5). */
const MAX_INLINE = 100;
/** Ids per transaction. */
const CHUNK_IDS = 500;

export const SCREENING_JOB = 'screening';

/** Looks up few ids in the request; enqueues a job for many. */
async function createScreening(
  deps: ScreeningDeps,
  owner: Owner,
  body: ScreeningBody,
  claim: IdempotencyClaim | null,
): Promise<TypedAnswer<202, Screening>> {
  const { clock, ids, erased, withIdempotency, wakes } = deps;
  const isErased = erased.among(owner);
  // The id of an erased subject is not stored again.
  const userIds = body.userIds.map((userId) => (isErased(userId) ? '' : userId));
  const now = clock.now();
  const answer = await withIdempotency(claim, { now }, async (tx): Promise<TypedAnswer<202, Screening>> => {
    const queued: Screening = {
      id: ids.at(now),
      status: 'QUEUED',
      label: body.label ?? null,
      total: body.userIds.length,
      foundCount: 0,
      error: null,
      createdAt: now,
      completedAt: null,
    };
    const isSmall = queued.total <= MAX_INLINE;
    const screening = isSmall
      ? await screenNow(tx, deps, owner, queued, userIds)
      : await enqueueScreening(tx, deps, owner, queued, userIds);
    return { status: 202, body: screening };
  });
  wakes.raise('deliveries', 'jobs');
  return withLocation(answer, `/screenings/${answer.body.id}`);
}

async function screenNow(
  tx: Tx,
  { ids, reads }: ScreeningDeps,
  owner: ModeOwner,
  queued: Screening,
  userIds: readonly string[],
): Promise<Screening> {
  const results = await reads.from((db) => screenUsers(db, owner, userIds), tx);
  const completedAt = queued.createdAt;
  const screening: Screening = {
    ...queued,
    status: 'COMPLETED',
    foundCount: countFound(results),
    completedAt,
  };
  await insertScreening(tx, owner, screening);
  await insertChunks(tx, owner, queued.id, [{ firstIndex: 0, userIds, results }]);
  await writeEnvelopes(tx, ids, completedAt, [screeningCompleted(owner, screening)]);
  return screening;
}

async function enqueueScreening(
  tx: Tx,
  { runsWorker }: ScreeningDeps,
  owner: ModeOwner,
  queued: Screening,
  userIds: readonly string[],
): Promise<Screening> {
  await assertQueueServed(tx, queued.createdAt, runsWorker, 'SCREENING_QUEUE_UNAVAILABLE');
  await insertScreening(tx, owner, queued);
  const chunks = [];
  for (let firstIndex = 0; firstIndex < userIds.length; firstIndex += CHUNK_IDS) {
    chunks.push({ firstIndex, userIds: userIds.slice(firstIndex, firstIndex + CHUNK_IDS), results: null });
  }
  await insertChunks(tx, owner, queued.id, chunks);
  await enqueueJob(
    tx,
    { jobId: queued.id, kind: SCREENING_JOB, platformId: owner.platformId },
    queued.createdAt,
  );
  return queued;
}

function countFound(results: readonly Finding[]): number {
  return results.filter((finding) => finding !== null).length;
}

/** Lookups of many scores (RULES R12). They change no subject and contain no verdict. */
export function screeningRoutes(deps: ScreeningDeps): RouteTable {
  const onOne = { access: keyFor('scores'), tag: 'Screenings', params: screeningPath };
  return {
    'POST /screenings': route({
      operationId: 'createScreening',
      access: keyFor('scores', 'read'),
      tag: 'Screenings',
      plan: 'screenings',
      idempotent: true,
      body: ScreeningBody,
      answers: { 202: Screening },
      errors: ['SCREENING_QUEUE_UNAVAILABLE'],
      handle: ({ owner, body, claim }) => createScreening(deps, owner, body, claim),
    }),
    'GET /screenings': route({
      operationId: 'listScreenings',
      access: keyFor('scores'),
      tag: 'Screenings',
      query: ScreeningQuery,
      answers: { 200: ScreeningPage },
      handle: async ({ owner, query }) => ok(await listScreenings(deps, owner, query)),
    }),
    'GET /screenings/{id}': route({
      operationId: 'readScreening',
      ...onOne,
      answers: { 200: Screening },
      errors: ['NOT_FOUND'],
      handle: async ({ owner, params }) => ok(await readScreening(deps, owner, params.id)),
    }),
    'GET /screenings/{id}/results': route({
      operationId: 'listScreeningResults',
      ...onOne,
      query: ResultsQuery,
      answers: { 200: { json: ResultsPage, media: [{ type: CSV_TYPE }] } },
      errors: ['NOT_FOUND', 'SCREENING_NOT_COMPLETED'],
      handle: ({ owner, params, query }) => readResults(deps, owner, params.id, query),
    }),
  };
}
