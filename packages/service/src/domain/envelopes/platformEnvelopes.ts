import { stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { confirmableEventTypes, reminderStages, requestStatuses } from '../catalogues/enums.js';
import { at, count, finalStatus, id, SAMPLE, subjectRef } from './scoreEnvelopes.js';

export const QuotaWarning = z.object({
  used: count,
  cap: count,
  remaining: count,
  ratio: z.number().min(0).meta({ description: 'Share of the quota that is used, four decimals.' }),
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

/**
 * Data of both reminders of a confirmation. Never contains the counterparty's token (RULES A11).
 */
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
  confirmUrlTemplate: z.string().meta({ description: 'Holds the placeholder `{confirmationToken}`.' }),
  previewUrlTemplate: z.string().meta({ description: 'Holds the placeholder `{confirmationToken}`.' }),
  note: z.string(),
});
export type ConfirmationReminder = z.output<typeof ConfirmationReminder>;

export const REMINDER_NOTE =
  'The service writes to no counterparty. Put the token that you were given at creation into a template and send it over your own channel.';

const REMINDER_EXAMPLE: ConfirmationReminder = {
  confirmationId: SAMPLE.id(7),
  stage: 'awaiting_response',
  subject: { externalId: SAMPLE.externalId },
  eventType: 'CONTRACT_FULFILLED',
  stakeLevel: 'MEDIUM',
  description: 'Kitchen fitted at 12 Mill Lane',
  counterpartyRef: 'customer-88',
  counterpartyName: 'R. Okafor',
  campaignId: null,
  status: 'PENDING',
  createdAt: SAMPLE.at,
  expiresAt: SAMPLE.later,
  ageHours: 48.2,
  hoursUntilExpiry: 287.8,
  confirmUrlTemplate: `https://reliability.example.com/confirm/${SAMPLE.id(7)}?token={confirmationToken}`,
  previewUrlTemplate: `https://reliability.example.com/api/v1/confirmations/${SAMPLE.id(7)}/preview?token={confirmationToken}`,
  note: REMINDER_NOTE,
};

/** Facts of a platform's API key; never the key itself. */
const facts = {
  keyId: id,
  label: z.string().nullable(),
  scopes: z.array(z.string()).meta({ description: 'Empty: full access.' }),
  isTest: z.boolean(),
  createdBy: z
    .string()
    .nullable()
    .meta({ description: 'Id of the key that was used to make it, `operator` or `bootstrap`.' }),
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

const FACTS = {
  keyId: SAMPLE.id(7),
  label: 'nightly import',
  scopes: ['events:write'],
  isTest: false,
  createdBy: SAMPLE.id(8),
  createdAt: SAMPLE.at,
};

export const platformEnvelopes = {
  'usage.quota_warning': {
    description: "Most of the month's quota is used. Once a month.",
    schema: QuotaWarning,
    example: {
      used: 800_211,
      cap: 1_000_000,
      remaining: 199_789,
      ratio: 0.8002,
      threshold: 0.8,
      periodEnd: '2026-04-01T00:00:00.000Z',
    },
  },
  'import.completed': {
    description: 'An import has ended, well or not.',
    schema: ImportCompleted,
    example: {
      importJobId: SAMPLE.id(5),
      status: 'COMPLETED',
      createdCount: 48_211,
      skippedCount: 1200,
      failedCount: 3,
      error: null,
      completedAt: SAMPLE.at,
    },
  },
  'screening.completed': {
    description: 'A screening has ended, well or not.',
    schema: ScreeningCompleted,
    example: {
      screeningJobId: SAMPLE.id(6),
      status: 'COMPLETED',
      total: 2500,
      foundCount: 2381,
      error: null,
      completedAt: SAMPLE.at,
    },
  },
  'confirmation.awaiting_response': {
    description: 'A counterparty has not answered for a while. Once per request.',
    schema: ConfirmationReminder,
    example: REMINDER_EXAMPLE,
  },
  'confirmation.expiring_soon': {
    description: 'A request for confirmation ends soon without an answer. Once per request.',
    schema: ConfirmationReminder,
    example: { ...REMINDER_EXAMPLE, stage: 'expiring_soon', ageHours: 312.5, hoursUntilExpiry: 23.5 },
  },
  'key.created': {
    description: 'An API key of yours was minted or rotated. If you did not do that, revoke it.',
    schema: KeyCreated,
    example: {
      ...FACTS,
      expiresAt: null,
      rotatedFrom: null,
      allowedCidrs: ['203.0.113.0/24'],
    },
  },
  'key.expiring': {
    description: 'An API key of yours ends within seven days. Once per key.',
    schema: KeyExpiring,
    example: {
      ...FACTS,
      expiresAt: '2026-03-08T15:45:02.161Z',
      lastUsedAt: SAMPLE.at,
      hoursUntilExpiry: 168,
    },
  },
} as const;
