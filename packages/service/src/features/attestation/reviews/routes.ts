import { fail } from '#domain/errors.js';
import { ok } from '#kit/http/answer.js';
import { keyFor, type Owner, type RouteTable, route } from '#kit/http/route.js';
import { recordOwnerActivity } from '#ledger/activity.js';
import { writeEnvelopes } from '#outbox/envelopes.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { reviewFacts } from './envelopes.js';
import { Review, ReviewAnswer, ReviewPage, ReviewQuery, reviewPath } from './schemas.js';
import { listReviews, readReview, saveAnswer, toReviewResponse } from './store.js';

type ReviewDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'wakes'>;

/** What subjects object to, and the answers of their platform (RULES F1). */
export function reviewRoutes(deps: ReviewDeps): RouteTable {
  const own = { access: keyFor('events'), tag: 'Reviews' };
  return {
    'GET /reviews': route({
      operationId: 'listReviews',
      ...own,
      query: ReviewQuery,
      answers: { 200: ReviewPage },
      handle: async ({ owner, query }) => ok(await listReviews(deps.db, owner, query, deps.clock.now())),
    }),
    'GET /reviews/{id}': route({
      operationId: 'readReview',
      ...own,
      params: reviewPath,
      answers: { 200: Review },
      errors: ['NOT_FOUND', 'SUBJECT_ERASED'],
      handle: async ({ owner, params }) =>
        ok(toReviewResponse(await readReview(deps.db, owner, params.id), deps.clock.now())),
    }),
    'POST /reviews/{id}/answer': route({
      operationId: 'answerReview',
      ...own,
      params: reviewPath,
      body: ReviewAnswer,
      answers: { 200: Review },
      errors: ['NOT_FOUND', 'CONFLICT', 'SUBJECT_ERASED'],
      handle: async ({ owner, params, body }) => ok(await answerReview(deps, owner, params.id, body)),
    }),
  };
}

/** POST /reviews/{id}/answer: once, also after the deadline. It changes no score. */
async function answerReview(
  { db, clock, ids, wakes }: ReviewDeps,
  owner: Owner,
  reviewId: string,
  answer: ReviewAnswer,
): Promise<Review> {
  const now = clock.now();
  const { platformId, livemode } = owner;
  const review = await db.transaction(async (tx) => {
    const { id, subjectId } = await readReview(tx, owner, reviewId);
    const isSaved = await saveAnswer(tx, { id, subjectId }, answer, now);
    // Read again after the row was free: an erasure or a withdrawal may have ended it meanwhile.
    const stored = await readReview(tx, owner, id);
    if (!isSaved) {
      const end = stored.status === 'WITHDRAWN' ? 'was withdrawn' : 'is already answered';
      fail('CONFLICT', { message: `This review ${end}.` });
    }
    const { outcome } = answer;
    const inTime = now <= stored.respondBy;
    await recordOwnerActivity(tx, ids, owner, {
      action: 'REVIEW_ANSWERED',
      target: id,
      subjectId,
      details: { userId: stored.externalId, outcome, inTime },
      at: now,
    });
    const data = { ...reviewFacts(stored), outcome, inTime, answeredAt: now.toISOString() };
    await writeEnvelopes(tx, ids, now, [{ type: 'review.answered', platformId, livemode, subjectId, data }]);
    return stored;
  });
  wakes.raise('deliveries');
  return toReviewResponse(review, now);
}
