import { fail } from '#domain/errors.js';
import { DAY_MS } from '#domain/timestamp.js';
import { recordOwnerActivity } from '#ledger/activity.js';
import type { OpenRecord } from '#ledger/issuing/recordLinks.js';
import { writeEnvelopes } from '#outbox/envelopes.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { reviewFacts } from './envelopes.js';
import type { Review, ReviewBody } from './schemas.js';
import {
  countReviews,
  failUnknownReview,
  findReviewsOf,
  insertReview,
  lockReviewed,
  readReview,
  saveWithdrawal,
  toReviewResponse,
} from './store.js';

/** Open reviews of one subject (RULES F2). */
const MAX_OPEN_REVIEWS = 10;
/** Reviews that one subject opens within 24 hours, withdrawn ones counted: nobody can fill the table. */
const MAX_REVIEWS_A_DAY = 10;
/** The page of a record shows so many. Its files have all. */
const REVIEWS_PER_READ = 200;

type ReviewDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'wakes'> & {
  config: Pick<ServiceDeps['config'], 'reviewWindowMs'>;
};

/** What the holder of a record link can do about reviews (RULES F1). */
export interface SubjectReviews {
  /** Throws NOT_FOUND for an event that is not the subject's at this platform, CONFLICT beyond a limit. */
  open(record: OpenRecord, body: ReviewBody): Promise<Review>;
  /** Can be repeated. Throws NOT_FOUND for a review of another subject, CONFLICT for an answered one. */
  withdraw(record: OpenRecord, reviewId: string): Promise<Review>;
  /** The newest, newest first. */
  ofSubject(record: Pick<OpenRecord, 'subjectId'>): Promise<Review[]>;
}

/** The activity of subjects, who have no key. */
const ACTOR = 'subject';

export function subjectReviews(deps: ReviewDeps): SubjectReviews {
  const { db, clock } = deps;
  return {
    open: (record, body) => openReview(deps, record, body),
    withdraw: (record, reviewId) => withdrawReview(deps, record, reviewId),
    async ofSubject({ subjectId }) {
      const now = clock.now();
      const found = await findReviewsOf(db, subjectId, REVIEWS_PER_READ);
      return found.map((review) => toReviewResponse(review, now));
    },
  };
}

async function openReview(
  { db, clock, ids, wakes, config }: ReviewDeps,
  record: OpenRecord,
  { eventId: about, text }: ReviewBody,
): Promise<Review> {
  const now = clock.now();
  const eventId = about ?? null;
  const { subjectId, platformId, livemode, userId, recordLinkId } = record;
  const review = await db.transaction(async (tx) => {
    await lockReviewed(tx, subjectId);
    const counts = await countReviews(tx, subjectId, eventId, new Date(now.getTime() - DAY_MS));
    if (eventId !== null && !counts.hasEvent)
      fail('NOT_FOUND', { message: 'This record has no outcome with this id.' });
    if (counts.openOfEvent > 0)
      fail('CONFLICT', { message: 'This outcome already has an open review. Wait for its answer.' });
    if (counts.open >= MAX_OPEN_REVIEWS)
      fail('CONFLICT', { message: `This record already has ${MAX_OPEN_REVIEWS} open reviews.` });
    if (counts.recent >= MAX_REVIEWS_A_DAY)
      fail('CONFLICT', { message: `A record can have ${MAX_REVIEWS_A_DAY} new reviews in 24 hours.` });
    const id = ids.at(now);
    const respondBy = new Date(now.getTime() + config.reviewWindowMs);
    const opened = { subjectId, platformId, livemode, eventId, text, openedAt: now, respondBy };
    await insertReview(tx, id, { ...opened, number: counts.last + 1, recordLinkId });
    const what = { target: id, subjectId, details: { userId, eventId, respondBy }, at: now };
    const owner = { platformId, livemode, actor: ACTOR };
    await recordOwnerActivity(tx, ids, owner, { action: 'REVIEW_REQUESTED', ...what });
    const stored = await readReview(tx, record, id);
    const data = { ...reviewFacts(stored), reminder: false };
    await writeEnvelopes(tx, ids, now, [{ type: 'review.requested', platformId, livemode, subjectId, data }]);
    return stored;
  });
  wakes.raise('deliveries');
  return toReviewResponse(review, now);
}

async function withdrawReview(
  { db, clock, ids }: ReviewDeps,
  { subjectId, platformId, livemode, userId }: OpenRecord,
  id: string,
): Promise<Review> {
  const now = clock.now();
  const owner = { platformId, livemode };
  const review = await db.transaction(async (tx) => {
    await lockReviewed(tx, subjectId);
    const known = await readReview(tx, owner, id);
    if (known.subjectId !== subjectId) return failUnknownReview();
    const isWithdrawn = await saveWithdrawal(tx, subjectId, known.id);
    const stored = await readReview(tx, owner, id);
    if (stored.status === 'ANSWERED') fail('CONFLICT', { message: 'This review is already answered.' });
    if (isWithdrawn) {
      const what = { target: known.id, subjectId, details: { userId }, at: now };
      await recordOwnerActivity(tx, ids, { ...owner, actor: ACTOR }, { action: 'REVIEW_WITHDRAWN', ...what });
    }
    return stored;
  });
  return toReviewResponse(review, now);
}
