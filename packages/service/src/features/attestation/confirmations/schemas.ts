import { stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { AnswerEvidenceField } from '../../../domain/answerEvidence.js';
import { confirmableEventTypes } from '../../../domain/catalogues/enums.js';
import { errorCatalog } from '../../../domain/errorCatalog.js';
import { looseItems } from '../../../kit/http/openapiSchemas.js';
import { instant, pathText } from '../../../kit/http/query.js';
import {
  attestationStatus,
  decisionField,
  listFilters,
  paging,
  TOKEN_TEXT,
  tokenField,
} from '../attestations/fields.js';
import { ConfirmationInput, OUTCOME_EXAMPLE } from './request.js';

const ID = '0199a3c2-9d10-7b44-8c2e-000000000007';
/** The id of the campaign in the examples. */
export const CAMPAIGN_ID = '0199a3c2-9d10-7b44-8c2e-000000000008';
const TOKEN = 'cft_RVhBTVBMRS1leGFtcGxlLUVYQU1QTEUtZXhhbXBsZS0';
const ADDRESS = `https://reliability.example.com/api/v1/confirmations/${ID}`;

const CONFIRMATION_EXAMPLE = {
  id: ID,
  status: 'PENDING',
  ...OUTCOME_EXAMPLE,
  campaignId: null,
  eventId: null,
  createdAt: '2026-03-01T16:00:00.000Z',
  expiresAt: '2026-03-15T16:00:00.000Z',
  respondedAt: null,
  answer: null,
};

export type Confirmation = z.output<typeof Confirmation>;
export const Confirmation = z
  .object({
    id: z.uuid(),
    status: attestationStatus,
    userId: z.string().meta({ description: 'Your own id of the subject.' }),
    eventType: z.enum(confirmableEventTypes),
    stakeLevel: z.enum(stakeLevels),
    transactionValue: z.number().nullable(),
    dueDate: instant.nullable(),
    completedAt: instant.nullable(),
    counterpartyRef: z
      .string()
      .meta({ description: 'Your own name for the counterparty. Empty once old texts were dropped.' }),
    counterpartyName: z.string().nullable(),
    description: z.string(),
    subjectName: z.string().optional().meta({
      description:
        'The name of the subject on the request, where you gave one and old texts were not dropped.',
    }),
    returnUrl: z.string().nullable(),
    campaignId: z.uuid().nullable().meta({ description: 'The campaign of the request.' }),
    eventId: z.uuid().nullable().meta({ description: 'The event that the confirmation wrote.' }),
    createdAt: instant,
    expiresAt: instant.meta({
      description: 'The end of the window. The request cannot be answered after it.',
    }),
    respondedAt: instant.nullable().meta({ description: 'When the counterparty answered.' }),
    answer: AnswerEvidenceField,
  })
  .meta({
    id: 'Confirmation',
    description: 'A request to a party other than the subject to confirm an outcome.',
    example: CONFIRMATION_EXAMPLE,
  });

/** What the platform hands on, in the response to its request and nowhere else. */
export const handedOut = z.object({
  confirmationToken: z.string().meta({ description: TOKEN_TEXT }),
  confirmUrl: z
    .string()
    .meta({ description: 'The hosted page with the token: a link to send to the counterparty.' }),
  previewUrl: z.string().meta({ description: 'The preview with the token, for a page of your own.' }),
  respondUrl: z.string().meta({ description: 'Where to post the answer, with the token in the body.' }),
});
export type HandedOut = z.output<typeof handedOut>;

export const HANDED_OUT_EXAMPLE = {
  confirmationToken: TOKEN,
  confirmUrl: `https://reliability.example.com/confirm/${ID}?token=${TOKEN}`,
  previewUrl: `${ADDRESS}/preview?token=${TOKEN}`,
  respondUrl: `${ADDRESS}/respond`,
};

export const ConfirmationBody = looseItems(ConfirmationInput);

export type ConfirmationCreated = z.output<typeof ConfirmationCreated>;
export const ConfirmationCreated = z.object({ confirmation: Confirmation, ...handedOut.shape }).meta({
  id: 'ConfirmationCreated',
  description: 'The request, and what to send to the counterparty over your own channel.',
  example: { confirmation: CONFIRMATION_EXAMPLE, ...HANDED_OUT_EXAMPLE },
});

const { userId, eventType, counterpartyRef, description } = CONFIRMATION_EXAMPLE;

export const ConfirmationBatchBody = z
  .object({ confirmations: z.array(looseItems(ConfirmationInput)).min(1).max(100) })
  .meta({
    id: 'ConfirmationBatch',
    description: '1 to 100 requests for confirmation. Each succeeds or fails alone.',
    example: {
      confirmations: [
        { userId, eventType, counterpartyRef, description },
        { userId, eventType, counterpartyRef: 'customer-92', description },
      ],
    },
  });

/** Why an item or a row failed. */
export type ItemError = z.output<typeof itemError>;
export const itemError = z.object({
  code: z.string(),
  message: z.string(),
  details: z.unknown().optional(),
});

export const SELF_ERROR_EXAMPLE = {
  code: 'CONFIRMATION_SELF',
  message: errorCatalog.CONFIRMATION_SELF.message,
};

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
  .meta({
    id: 'ConfirmationBatchCreated',
    description: 'The result of each item. The status is 200 even if some failed: check `failedCount`.',
    example: {
      results: [
        { index: 0, status: 'created', confirmation: CONFIRMATION_EXAMPLE, ...HANDED_OUT_EXAMPLE },
        { index: 1, status: 'failed', error: SELF_ERROR_EXAMPLE },
      ],
      createdCount: 1,
      skippedCount: 0,
      failedCount: 1,
    },
  });

export const ConfirmationQuery = z.object({
  ...listFilters,
  eventType: z.enum(confirmableEventTypes).optional().meta({
    description: 'Only requests whose confirmation writes an event of this type.',
  }),
  campaignId: z
    .guid()
    .optional()
    .meta({ description: 'Only requests of this campaign.', example: CAMPAIGN_ID }),
  ...paging,
});

export const ConfirmationPage = z
  .object({ confirmations: z.array(Confirmation), nextCursor: z.string().nullable() })
  .meta({
    id: 'ConfirmationPage',
    description: 'A page of requests, newest first.',
    example: { confirmations: [CONFIRMATION_EXAMPLE], nextCursor: null },
  });

export const confirmationPath = z.object({
  id: pathText('Id of the confirmation.', ID),
});

const token = tokenField(TOKEN);

export const TokenQuery = z.object({ token });

export const ConfirmationPreview = z
  .object({
    id: z.uuid(),
    status: attestationStatus,
    platformName: z.string().meta({ description: 'The platform that asks.' }),
    userId: z.string().meta({ description: "The platform's own id of the subject." }),
    eventType: z.enum(confirmableEventTypes),
    description: z.string(),
    subjectName: z
      .string()
      .optional()
      .meta({ description: 'The name of the subject, where the platform gave one.' }),
    transactionValue: z.number().nullable(),
    dueDate: instant.nullable(),
    completedAt: instant.nullable(),
    expiresAt: instant,
  })
  .meta({
    id: 'ConfirmationPreview',
    description: 'What the counterparty needs to decide, and nothing more.',
    example: {
      id: ID,
      status: 'PENDING',
      platformName: 'Riverside Trades',
      userId,
      eventType,
      description,
      subjectName: CONFIRMATION_EXAMPLE.subjectName,
      transactionValue: 4800,
      dueDate: CONFIRMATION_EXAMPLE.dueDate,
      completedAt: CONFIRMATION_EXAMPLE.completedAt,
      expiresAt: CONFIRMATION_EXAMPLE.expiresAt,
    },
  });

/** Parsed by the handler, which checks the token first (RULES A5). */
export const ConfirmationAnswerBody = looseItems(
  z.object({ token, decision: decisionField }).meta({
    id: 'ConfirmationAnswer',
    description: 'The answer of the counterparty, with its token.',
    example: { token: TOKEN, decision: 'confirm' },
  }),
);

export const ConfirmationAnswered = z
  .object({
    status: z.enum(['CONFIRMED', 'DECLINED']),
    eventId: z.uuid().optional().meta({ description: 'The event that was written, if confirmed.' }),
  })
  .meta({
    id: 'ConfirmationResponse',
    description: 'The state of the request after the answer, and the event that a confirmation wrote.',
    example: { status: 'CONFIRMED', eventId: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34' },
  });
