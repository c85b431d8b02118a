import { stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { AnswerEvidenceField } from '../../../domain/answerEvidence.js';
import { confirmableEventTypes } from '../../../domain/catalogues/enums.js';
import { looseItems } from '../../../kit/http/openapiSchemas.js';
import { instant, pathText } from '../../../kit/http/query.js';
import { attestationStatus, decisionField, listFilters, paging, tokenField } from '../attestations/fields.js';
import { ConfirmationInput } from './request.js';

export type Confirmation = z.output<typeof Confirmation>;
export const Confirmation = z
  .object({
    id: z.uuid(),
    status: attestationStatus,
    userId: z.string(),
    eventType: z.enum(confirmableEventTypes),
    stakeLevel: z.enum(stakeLevels),
    transactionValue: z.number().nullable(),
    dueDate: instant.nullable(),
    completedAt: instant.nullable(),
    counterpartyRef: z.string(),
    counterpartyName: z.string().nullable(),
    description: z.string(),
    subjectName: z.string().optional(),
    returnUrl: z.string().nullable(),
    campaignId: z.uuid().nullable(),
    eventId: z.uuid().nullable(),
    createdAt: instant,
    expiresAt: instant,
    respondedAt: instant.nullable(),
    answer: AnswerEvidenceField,
  })
  .meta({ id: 'Confirmation' });

/** What the platform hands on, in the response to its request and nowhere else. */
export const handedOut = z.object({
  confirmationToken: z.string(),
  confirmUrl: z.string(),
  previewUrl: z.string(),
  respondUrl: z.string(),
});
export type HandedOut = z.output<typeof handedOut>;

export const ConfirmationBody = looseItems(ConfirmationInput);

export type ConfirmationCreated = z.output<typeof ConfirmationCreated>;
export const ConfirmationCreated = z
  .object({ confirmation: Confirmation, ...handedOut.shape })
  .meta({ id: 'ConfirmationCreated' });

export const ConfirmationBatchBody = z
  .object({ confirmations: z.array(looseItems(ConfirmationInput)).min(1).max(100) })
  .meta({ id: 'ConfirmationBatch' });

/** Why an item or a row failed. */
export type ItemError = z.output<typeof itemError>;
export const itemError = z.object({
  code: z.string(),
  message: z.string(),
  details: z.unknown().optional(),
});

export type ConfirmationBatchCreated = z.output<typeof ConfirmationBatchCreated>;
export const ConfirmationBatchCreated = z
  .object({
    results: z.array(
      z.object({
        index: z.int().min(0),
        status: z.enum(['created', 'skipped', 'failed']),
        confirmation: Confirmation.optional(),
        ...handedOut.partial().shape,
        error: itemError.optional(),
      }),
    ),
    createdCount: z.int().min(0),
    skippedCount: z.int().min(0),
    failedCount: z.int().min(0),
  })
  .meta({ id: 'ConfirmationBatchCreated' });

export const ConfirmationQuery = z.object({
  ...listFilters,
  eventType: z.enum(confirmableEventTypes).optional(),
  campaignId: z.guid().optional(),
  ...paging,
});

export const ConfirmationPage = z
  .object({ confirmations: z.array(Confirmation), nextCursor: z.string().nullable() })
  .meta({ id: 'ConfirmationPage' });

export const confirmationPath = z.object({
  id: pathText(),
});

const token = tokenField();

export const TokenQuery = z.object({ token });

export const ConfirmationPreview = z
  .object({
    id: z.uuid(),
    status: attestationStatus,
    platformName: z.string(),
    userId: z.string(),
    eventType: z.enum(confirmableEventTypes),
    description: z.string(),
    subjectName: z.string().optional(),
    transactionValue: z.number().nullable(),
    dueDate: instant.nullable(),
    completedAt: instant.nullable(),
    expiresAt: instant,
  })
  .meta({ id: 'ConfirmationPreview' });

/** Parsed by the handler, which checks the token first (RULES A5). */
export const ConfirmationAnswerBody = looseItems(
  z.object({ token, decision: decisionField }).meta({ id: 'ConfirmationAnswer' }),
);

export const ConfirmationAnswered = z
  .object({
    status: z.enum(['CONFIRMED', 'DECLINED']),
    eventId: z.uuid().optional(),
  })
  .meta({ id: 'ConfirmationResponse' });
