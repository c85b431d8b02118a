import { DAY_MS } from '#domain/timestamp.js';
import { inSlices, SLICE_ROWS, type Sweep } from '#ledger/sweep.js';
import { type EnvelopeDraft, writeEnvelopes } from '#outbox/envelopes.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { reviewFacts } from './envelopes.js';
import { type Mark, markDue, type StoredReview } from './store.js';

type RemindDeps = Pick<ServiceDeps, 'db' | 'ids' | 'wakes'>;

/** Before the deadline (RULES F5). */
const REMINDED_BEFORE_MS = 3 * DAY_MS;
const EVER = new Date(0);

/**
 * Part of the sweep `reminders`: writes `review.requested` once more, marked as a reminder, for
 * reviews that are due within three days. A shorter window has no reminder.
 */
export function remindReviews(deps: RemindDeps): Sweep {
  return markedSweep(deps, 'reminded_at', (review) => {
    if (review.respondBy.getTime() - review.openedAt.getTime() <= REMINDED_BEFORE_MS) return null;
    return {
      ...ofSubject(review),
      type: 'review.requested',
      data: { ...reviewFacts(review), reminder: true },
    };
  });
}

/** Part of the sweep `expiry`: writes `review.overdue`, once for each review that nobody answered in time. */
export function reportOverdue(deps: RemindDeps): Sweep {
  return markedSweep(deps, 'overdue_at', (review) => ({
    ...ofSubject(review),
    type: 'review.overdue',
    data: reviewFacts(review),
  }));
}

function ofSubject({ platformId, livemode, subjectId }: StoredReview) {
  return { platformId, livemode, subjectId };
}

/** The mark and the envelope commit together, so a process that dies in between has written neither. */
function markedSweep(
  { db, ids, wakes }: RemindDeps,
  mark: Mark,
  draftOf: (review: StoredReview) => EnvelopeDraft | null,
): Sweep {
  return async (now, until) => {
    const isReminder = mark === 'reminded_at';
    const due = {
      now,
      from: isReminder ? now : EVER,
      to: isReminder ? new Date(now.getTime() + REMINDED_BEFORE_MS) : now,
    };
    const marked = await inSlices(db, `reviews ${mark}`, until, async (tx) => {
      const reviews = await markDue(tx, mark, due);
      await writeEnvelopes(
        tx,
        ids,
        now,
        reviews.flatMap((review) => draftOf(review) ?? []),
      );
      return { affected: reviews.length, isLast: reviews.length < SLICE_ROWS };
    });
    if (marked > 0) wakes.raise('deliveries');
    return marked;
  };
}
