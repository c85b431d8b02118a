import type { z } from 'zod';
import type { Tx } from '#kit/db/database.js';
import { faultOfWindow, type Window } from '../settingsInForce.js';
import { about, type Report } from './report.js';
import { readable, StoredReview } from './store.js';

interface AuditedReview extends z.output<typeof StoredReview> {
  subjectId: string;
  reviewId: string;
  /** It is about an outcome that the subject's ledger lacks. */
  lacksEvent: boolean;
  /** It is of the platform and mode of its subject. */
  isOfSubject: boolean;
}

export interface ReviewCase {
  reviews: readonly AuditedReview[];
  reviewWindows: readonly Window[];
}

export function readReviews(tx: Tx, subjectIds: readonly string[]): Promise<AuditedReview[]> {
  return tx.query<AuditedReview>(
    `select r.subject_id, r.review_id, r.number, r.opened_at, r.respond_by,
       r.event_id is not null and e.event_id is null as lacks_event,
       (r.platform_id, r.livemode) = (s.platform_id, s.livemode) as is_of_subject
     from review r join subject s using (subject_id)
     left join event e on e.subject_id = r.subject_id and e.event_id = r.event_id
     where r.subject_id = any($1::uuid[]) order by r.subject_id, r.number`,
    [subjectIds],
  );
}

/**
 * Reports reviews that are missing, that are about no outcome of the subject, or whose window was not
 * in force. What else is known of them is in the log: when they were opened and answered, and how.
 */
export function auditReviews({ reviews, reviewWindows }: ReviewCase, report: Report): void {
  let last = 0;
  for (const row of reviews) {
    const reportHere = about(report, `review ${row.reviewId}`);
    const review = readable(StoredReview, row, reportHere);
    if (!review) continue;
    if (review.number !== last + 1) reportHere(`its number is ${review.number}, the one before has ${last}`);
    last = review.number;
    if (review.lacksEvent) reportHere('it is about an event that the ledger of its subject lacks');
    if (!review.isOfSubject) reportHere('it is of another platform or mode than its subject');
    const fault = faultOfWindow('reviews', reviewWindows, review);
    if (fault) reportHere(fault);
  }
}
