import type { ReviewFacts } from '#domain/envelopes/platformEnvelopes.js';
import type { StoredReview } from './store.js';

/** What every envelope about a review has. Never its texts: receivers keep what they got (RULES F4). */
export function reviewFacts({ id, externalId, eventId, openedAt, respondBy }: StoredReview): ReviewFacts {
  return {
    reviewId: id,
    user: { externalId },
    eventId,
    openedAt: openedAt.toISOString(),
    respondBy: respondBy.toISOString(),
  };
}
