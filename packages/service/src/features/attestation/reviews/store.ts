import type { z } from 'zod';
import { fail } from '#domain/errors.js';
import type { Database, Queryable, Tx } from '#kit/db/database.js';
import { insertRow, pick } from '#kit/db/rows.js';
import { isUuid } from '#kit/ids.js';
import { failErased } from '#ledger/erasure/erasedSubjects.js';
import { queueForLog } from '#ledger/log/queue.js';
import { type CaseTable, listCases } from '#ledger/reads/caseList.js';
import type { ModeOwner } from '#ledger/reads/ownedRows.js';
import { inSlices, keptSince, SLICE_ROWS, type Sweep } from '#ledger/sweep.js';
import type { Review, ReviewAnswer, ReviewQuery } from './schemas.js';

/** A review as it is stored. */
export interface StoredReview extends Omit<Review, 'userId' | 'overdue'>, ModeOwner {
  readonly subjectId: string;
  /** The platform's own id of the subject. */
  readonly externalId: string;
}

const REVIEW = `r.review_id as id, r.subject_id, r.platform_id, r.livemode, r.event_id, s.external_id, r.status,
  r.text, r.outcome, r.answer, r.reviewer, r.opened_at, r.respond_by, r.answered_at`;
const REVIEWS = 'review r join subject s using (subject_id)';

export function toReviewResponse(review: StoredReview, now: Date): Review {
  const { externalId: userId, status, respondBy } = review;
  return {
    id: review.id,
    userId,
    ...pick(review, 'eventId', 'status', 'text', 'outcome', 'answer', 'reviewer', 'openedAt', 'respondBy'),
    overdue: status === 'OPEN' && respondBy <= now,
    answeredAt: review.answeredAt,
  };
}

/** Throws NOT_FOUND, or SUBJECT_ERASED. */
export async function readReview(db: Queryable, owner: ModeOwner, id: string): Promise<StoredReview> {
  const [review] = isUuid(id)
    ? await db.query<StoredReview & { externalId: string | null }>(
        `select ${REVIEW} from ${REVIEWS} where r.review_id = $1 and r.platform_id = $2 and r.livemode = $3`,
        [id, owner.platformId, owner.livemode],
      )
    : [];
  if (review?.externalId === null) failErased();
  return review ?? failUnknownReview();
}

export function failUnknownReview(): never {
  return fail('NOT_FOUND', { message: 'There is no review with this id.' });
}

const reviews: CaseTable = { columns: REVIEW, rows: REVIEWS, alias: 'r', id: 'review_id' };

/** A page of a platform's reviews, newest first, or those that are due soonest first. */
export async function listReviews(
  db: Queryable,
  owner: ModeOwner,
  query: z.output<typeof ReviewQuery>,
  now: Date,
): Promise<{ reviews: Review[]; nextCursor: string | null }> {
  const { rows, nextCursor } = await listCases<StoredReview>(db, reviews, owner, query);
  return { reviews: rows.map((row) => toReviewResponse(row, now)), nextCursor };
}

/** The newest reviews of a subject, newest first. */
export function findReviewsOf(db: Queryable, subjectId: string, limit: number): Promise<StoredReview[]> {
  return db.query<StoredReview>(
    `select ${REVIEW} from ${REVIEWS} where subject_id = $1 and s.external_id is not null
     order by r.number desc limit $2`,
    [subjectId, limit],
  );
}

/**
 * Locks the subject's row as an append does, until the transaction ends: so its reviews are numbered
 * and counted one after another. Throws NOT_FOUND if an erasure or a reset of test data came first,
 * as an unknown link does.
 */
export async function lockReviewed(tx: Tx, subjectId: string): Promise<void> {
  const found = await tx.query(
    'select 1 from subject where subject_id = $1 and external_id is not null for no key update',
    [subjectId],
  );
  if (found.length === 0)
    fail('NOT_FOUND', { message: 'This link is unknown, has expired or was withdrawn.' });
}

/** What limits a further review: of the subject, about this event, and since a time. */
interface ReviewCounts {
  readonly last: number;
  readonly open: number;
  readonly openOfEvent: number;
  readonly recent: number;
  readonly hasEvent: boolean;
}

/** @param eventId null: the review is about the record. */
export async function countReviews(
  tx: Tx,
  subjectId: string,
  eventId: string | null,
  since: Date,
): Promise<ReviewCounts> {
  const [counts] = await tx.query<ReviewCounts>(
    `select coalesce(max(number), 0) as last, (count(*) filter (where status = 'OPEN'))::integer as open,
       (count(*) filter (where status = 'OPEN' and event_id = $2))::integer as open_of_event,
       (count(*) filter (where opened_at > $3))::integer as recent,
       exists (select from event e where e.subject_id = $1 and e.event_id = $2) as has_event
     from review where subject_id = $1`,
    [subjectId, eventId, since],
  );
  if (!counts) throw new Error('an aggregate without groups has one row');
  return counts;
}

type Opened = Pick<
  StoredReview,
  'subjectId' | 'platformId' | 'livemode' | 'eventId' | 'text' | 'openedAt' | 'respondBy'
>;

export async function insertReview(
  tx: Tx,
  id: string,
  review: Opened & { number: number; recordLinkId: string },
): Promise<void> {
  await insertRow(tx, 'review', { reviewId: id, ...review });
  await queueForLog(tx, [review.subjectId], review.openedAt);
}

/** Takes back an open review of the subject, with its text. False: it is not open. */
export async function saveWithdrawal(tx: Tx, subjectId: string, id: string): Promise<boolean> {
  const changed = await tx.execute(
    `update review set status = 'WITHDRAWN', text = null
     where review_id = $1 and subject_id = $2 and status = 'OPEN'`,
    [id, subjectId],
  );
  return changed === 1;
}

/** Of two answers at the same moment one finds it open. False: it is not. */
export async function saveAnswer(
  tx: Tx,
  { id, subjectId }: Pick<StoredReview, 'id' | 'subjectId'>,
  { outcome, text, reviewer }: ReviewAnswer,
  now: Date,
): Promise<boolean> {
  const changed = await tx.execute(
    `update review set status = 'ANSWERED', outcome = $2, answer = $3, reviewer = $4, answered_at = $5
     where review_id = $1 and status = 'OPEN'`,
    [id, outcome, text, reviewer, now],
  );
  if (changed === 1) await queueForLog(tx, [subjectId], now);
  return changed === 1;
}

/** The columns that say what was sent about an open review. */
export type Mark = 'reminded_at' | 'overdue_at';

/**
 * Marks open reviews that are due within two times and have no such mark yet. Rows that an answer
 * has locked are left to the next sweep.
 */
export function markDue(
  tx: Tx,
  mark: Mark,
  { now, from, to }: { now: Date; from: Date; to: Date },
): Promise<StoredReview[]> {
  return tx.query<StoredReview>(
    `with due as (
       select review_id from review
       where status = 'OPEN' and ${mark} is null and respond_by > $2 and respond_by <= $3
       order by respond_by limit $4 for update skip locked
     ), marked as (
       update review set ${mark} = $1 where review_id in (select review_id from due) returning *
     )
     select ${REVIEW} from marked r join subject s using (subject_id)
     where s.external_id is not null`,
    [now, from, to, SLICE_ROWS],
  );
}

/** Part of the sweep `retention`: an open review needs its text, an ended one loses it by age. */
export function removeReviewTexts(db: Database, days: number): Sweep {
  return (now, until) =>
    inSlices(db, 'texts of reviews', until, async (tx) => {
      const affected = await tx.execute(
        `update review set text = null, answer = null, reviewer = null where review_id in (
           select review_id from review where status <> 'OPEN' and opened_at < $1
             and (text is not null or answer is not null or reviewer is not null) order by opened_at limit $2
         )`,
        [keptSince(now, days), SLICE_ROWS],
      );
      return { affected, isLast: affected < SLICE_ROWS };
    });
}
