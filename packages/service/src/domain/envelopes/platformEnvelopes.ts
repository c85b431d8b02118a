import { stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import texts from '../../../data/envelopes.json' with { type: 'json' };
import {
  confirmableEventTypes,
  reminderStages,
  requestStatuses,
  reviewOutcomes,
} from '../catalogues/enums.js';
import { at, count, finalStatus, id, subjectRef } from './scoreEnvelopes.js';

export const QuotaWarning = z.object({
  used: count,
  cap: count,
  remaining: count,
  ratio: z.number().min(0),
  threshold: z.number().gt(0).max(1).meta({ description: 'The share that this warns of.' }),
  periodEnd: at,
});
export type QuotaWarning = z.output<typeof QuotaWarning>;

export const ImportCompleted = z.object({
  importJobId: id,
  status: finalStatus,
  createdCount: count,
  skippedCount: count,
  failedCount: count,
  error: z.string().nullable(),
  completedAt: at,
});
export type ImportCompleted = z.output<typeof ImportCompleted>;

export const ScreeningCompleted = z.object({
  screeningJobId: id,
  status: finalStatus,
  total: count,
  foundCount: count,
  error: z.string().nullable(),
  completedAt: at,
});
export type ScreeningCompleted = z.output<typeof ScreeningCompleted>;

/** Data of both reminders of a confirmation. Never contains the counterparty's token (RULES A11). */
export const ConfirmationReminder = z.object({
  confirmationId: id,
  stage: z.enum(reminderStages),
  subject: subjectRef,
  eventType: z.enum(confirmableEventTypes),
  stakeLevel: z.enum(stakeLevels),
  description: z.string(),
  counterpartyRef: z.string(),
  counterpartyName: z.string().nullable(),
  campaignId: id.nullable(),
  status: z.enum(requestStatuses),
  createdAt: at,
  expiresAt: at,
  ageHours: z.number().min(0),
  hoursUntilExpiry: z.number(),
  confirmUrlTemplate: z.string(),
  previewUrlTemplate: z.string(),
  note: z.string(),
});
export type ConfirmationReminder = z.output<typeof ConfirmationReminder>;

export const REMINDER_NOTE = texts['confirmation.awaiting_response'].example.note;

/** What every envelope about a review has, and no text of it (RULES F4). */
const ofReview = {
  reviewId: id,
  user: subjectRef,
  eventId: id.nullable().meta({ description: 'The outcome that the subject objects to; null: the record.' }),
  openedAt: at,
  respondBy: at.meta({ description: 'Answer until then.' }),
};
export const ReviewOverdue = z.object(ofReview);
export type ReviewFacts = z.output<typeof ReviewOverdue>;

export const ReviewRequested = z.object({
  ...ofReview,
  reminder: z.boolean().meta({ description: 'True: it was requested before, and the deadline is near.' }),
});
export type ReviewRequested = z.output<typeof ReviewRequested>;

export const ReviewAnswered = z.object({
  ...ofReview,
  outcome: z.enum(reviewOutcomes),
  inTime: z.boolean().meta({ description: 'Whether it was answered by its deadline.' }),
  answeredAt: at,
});
export type ReviewAnswered = z.output<typeof ReviewAnswered>;

/** Facts of a platform's API key; never the key itself. */
const facts = {
  keyId: id,
  label: z.string().nullable(),
  scopes: z.array(z.string()).meta({ description: 'Empty: full access.' }),
  isTest: z.boolean(),
  createdBy: z.string().nullable().meta({
    description: 'Id of the key that was used to make it, `user:<email>`, `operator` or `bootstrap`.',
  }),
  createdAt: at,
};

export const KeyCreated = z.object({
  ...facts,
  expiresAt: at.nullable(),
  rotatedFrom: id.nullable().meta({ description: 'The key it replaces; null: it was minted.' }),
  allowedCidrs: z.array(z.string()).meta({ description: 'Networks it is accepted from. Empty: everywhere.' }),
});
export type KeyCreated = z.output<typeof KeyCreated>;

export const KeyExpiring = z.object({
  ...facts,
  expiresAt: at,
  lastUsedAt: at.nullable(),
  hoursUntilExpiry: z.number().min(0),
});
export type KeyExpiring = z.output<typeof KeyExpiring>;

export const platformEnvelopes = {
  'usage.quota_warning': QuotaWarning,
  'import.completed': ImportCompleted,
  'screening.completed': ScreeningCompleted,
  'confirmation.awaiting_response': ConfirmationReminder,
  'confirmation.expiring_soon': ConfirmationReminder,
  'review.requested': ReviewRequested,
  'review.answered': ReviewAnswered,
  'review.overdue': ReviewOverdue,
  'key.created': KeyCreated,
  'key.expiring': KeyExpiring,
};
