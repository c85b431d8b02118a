import type { ServiceDeps } from '../serviceDeps.js';
import { expireAttestations, removeRequestTexts } from './attestations/endAttestations.js';
import { confirmation } from './confirmations/kind.js';
import { sendReminders } from './confirmations/sendReminders.js';
import { lapseDisputes } from './disputes/resolveDisputes.js';
import { reference } from './references/kind.js';
import { remindReviews, reportOverdue } from './reviews/remindReviews.js';
import { removeReviewTexts } from './reviews/store.js';

export function attestationSweeps(deps: ServiceDeps) {
  const { db, config } = deps;
  const days = config.retentionTextDays;
  return {
    reminders: [sendReminders(deps), remindReviews(deps)],
    expiry: [
      ...[expireAttestations(db, confirmation), expireAttestations(db, reference)],
      reportOverdue(deps),
    ],
    disputes: [lapseDisputes(deps)],
    retention:
      days === undefined
        ? []
        : [
            ...[removeRequestTexts(db, confirmation, days), removeRequestTexts(db, reference, days)],
            removeReviewTexts(db, days),
          ],
  };
}
