import { stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { AnswerEvidenceField } from '../../../domain/answerEvidence.js';
import {
  confirmableEventTypes,
  requestDecisions,
  requestStatuses,
} from '../../../domain/catalogues/enums.js';
import { externalId } from '../../../domain/externalId.js';
import { looseItems } from '../../../kit/http/looseItems.js';
import { cursorParam, instant, pageLimit } from '../../../kit/http/query.js';
import { ConfirmationInput } from './confirmationRequest.js';

const ID = '0199a3c2-9d10-7b44-8c2e-000000000007';
/** Of the campaign in the examples. */
export const CAMPAIGN_ID = '0199a3c2-9d10-7b44-8c2e-000000000008';
const TOKEN = 'cft_RVhBTVBMRS1leGFtcGxlLUVYQU1QTEUtZXhhbXBsZS0';
const ADDRESS = `https://reliability.example.com/api/v1/confirmations/${ID}`;

const CONFIRMATION_EXAMPLE = {
  id: ID,
  status: 'PENDING',
  userId: 'worker-4711',
  eventType: 'CONTRACT_FULFILLED',
  stakeLevel: 'HIGH',
  transactionValue: 4800,
  dueDate: '2026-03-01T17:00:00.000Z',
  completedAt: '2026-03-01T15:42:10.000Z',
  counterpartyRef: 'customer-88',
  counterpartyName: 'R. Okafor',
  description: 'Kitchen fitted at 12 Mill Lane',
  returnUrl: 'https://platform.example/orders/A-1009',
  campaignId: null,
  eventId: null,
  createdAt: '2026-03-01T16:00:00.000Z',
  expiresAt: '2026-03-15T16:00:00.000Z',
  respondedAt: null,
  answer: null,
};

const status = z.enum(requestStatuses).meta({
  description: 'PENDING until it is answered, taken back or its window is over; what it is then stays.',
});

export const ConfirmationRecord = z
  .object({
    id: z.uuid(),
    status,
    userId: z.string().meta({ description: 'Whom it is about.' }),
    eventType: z.enum(confirmableEventTypes),
    stakeLevel: z.enum(stakeLevels),
    transactionValue: z.number().nullable(),
    dueDate: instant.nullable(),
    completedAt: instant.nullable(),
    counterpartyRef: z.string(),
    counterpartyName: z.string().nullable(),
    description: z.string(),
    returnUrl: z.string().nullable(),
    campaignId: z.uuid().nullable().meta({ description: 'The campaign it is a row of.' }),
    eventId: z.uuid().nullable().meta({ description: 'The event that its confirmation wrote.' }),
    createdAt: instant,
    expiresAt: instant.meta({ description: 'From here on nobody can answer it.' }),
    respondedAt: instant.nullable().meta({ description: 'When the counterparty answered.' }),
    answer: AnswerEvidenceField,
  })
  .meta({
    id: 'Confirmation',
    description: 'A question to somebody other than the subject: did this outcome happen?',
    example: CONFIRMATION_EXAMPLE,
  });

/** What is handed on, in the answer to whoever asked and nowhere else. */
export const handedOutFields = {
  confirmationToken: z.string().meta({
    description: 'Shown this once: only its hash is kept. Hand it to the counterparty, and to nobody else.',
  }),
  confirmUrl: z.string().meta({ description: 'The hosted page, token included: a link to send as it is.' }),
  previewUrl: z.string().meta({ description: 'What there is to answer, for a page of your own.' }),
  respondUrl: z.string().meta({ description: 'Where the answer goes; the token goes in the body.' }),
};

export const HANDED_OUT_EXAMPLE = {
  confirmationToken: TOKEN,
  confirmUrl: `https://reliability.example.com/confirm/${ID}?token=${TOKEN}`,
  previewUrl: `${ADDRESS}/preview?token=${TOKEN}`,
  respondUrl: `${ADDRESS}/respond`,
};

export const ConfirmationBody = looseItems(ConfirmationInput);

export const ConfirmationCreated = z.object({ confirmation: ConfirmationRecord, ...handedOutFields }).meta({
  id: 'ConfirmationCreated',
  description: 'The request, and what to hand to the counterparty over a channel of your own.',
  example: { confirmation: CONFIRMATION_EXAMPLE, ...HANDED_OUT_EXAMPLE },
});

const { userId, eventType, counterpartyRef, description } = CONFIRMATION_EXAMPLE;

export const ConfirmationBatchBody = z
  .object({ confirmations: z.array(looseItems(ConfirmationInput)).min(1).max(100) })
  .meta({
    id: 'ConfirmationBatch',
    description: '1 to 100 requests for confirmation; each is made or refused by itself.',
    example: {
      confirmations: [
        { userId, eventType, counterpartyRef, description },
        { userId, eventType, counterpartyRef: 'customer-92', description },
      ],
    },
  });

/** Why an item or a row was not taken. */
export const itemError = z.object({
  code: z.string(),
  message: z.string(),
  details: z.unknown().optional(),
});

export const SELF_ERROR_EXAMPLE = {
  code: 'CONFIRMATION_SELF',
  message: 'The counterparty is the subject. A subject cannot confirm its own outcome; name somebody else.',
};

export const ConfirmationBatchCreated = z
  .object({
    results: z.array(
      z.object({
        index: z.int().min(0),
        status: z.enum(['created', 'skipped', 'failed']),
        confirmation: ConfirmationRecord.optional(),
        ...z.object(handedOutFields).partial().shape,
        error: itemError.optional(),
      }),
    ),
    createdCount: z.int().min(0),
    skippedCount: z.int().min(0),
    failedCount: z.int().min(0),
  })
  .meta({
    id: 'ConfirmationBatchCreated',
    description:
      'What became of each item. The status is 200 even where some were refused, so look at `failedCount`.',
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
  status: z.enum(requestStatuses).optional().meta({ description: 'Only requests that are so now.' }),
  userId: externalId
    .optional()
    .meta({ description: 'Only requests about this subject.', example: 'worker-4711' }),
  eventType: z.enum(confirmableEventTypes).optional().meta({
    description: 'Only requests whose confirmation writes an event of this type.',
  }),
  campaignId: z
    .guid()
    .optional()
    .meta({ description: 'Only requests of this campaign.', example: CAMPAIGN_ID }),
  limit: pageLimit(100, 25),
  cursor: cursorParam,
});

export const ConfirmationPage = z
  .object({ confirmations: z.array(ConfirmationRecord), nextCursor: z.string().nullable() })
  .meta({
    id: 'ConfirmationPage',
    description: 'A page of requests, newest first.',
    example: { confirmations: [CONFIRMATION_EXAMPLE], nextCursor: null },
  });

export const confirmationPath = z.object({
  id: z.string().meta({ description: 'Id of the confirmation.', example: ID }),
});

const presentedToken = z
  .string()
  .meta({ description: 'The token that the counterparty was handed.', example: TOKEN });

export const TokenQuery = z.object({ token: presentedToken });

export const Preview = z
  .object({
    id: z.uuid(),
    status,
    platformName: z.string().meta({ description: 'Who asks.' }),
    userId: z.string().meta({ description: 'About whom: the name that the platform has for the subject.' }),
    eventType: z.enum(confirmableEventTypes),
    description: z.string(),
    transactionValue: z.number().nullable(),
    dueDate: instant.nullable(),
    completedAt: instant.nullable(),
    expiresAt: instant,
  })
  .meta({
    id: 'ConfirmationPreview',
    description: 'What the counterparty must know to decide.',
    example: {
      id: ID,
      status: 'PENDING',
      platformName: 'Riverside Trades',
      userId,
      eventType,
      description,
      transactionValue: 4800,
      dueDate: CONFIRMATION_EXAMPLE.dueDate,
      completedAt: CONFIRMATION_EXAMPLE.completedAt,
      expiresAt: CONFIRMATION_EXAMPLE.expiresAt,
    },
  });

/** Taken as it comes: the token is looked at before anything else. */
export const RespondBody = looseItems(
  z
    .object({
      token: presentedToken,
      decision: z
        .enum(requestDecisions)
        .meta({ description: '`decline` writes nothing and is no evidence.' }),
    })
    .meta({
      id: 'ConfirmationAnswer',
      description: 'The answer of the counterparty, with its token.',
      example: { token: TOKEN, decision: 'confirm' },
    }),
);

export const Responded = z
  .object({
    status: z.enum(['CONFIRMED', 'DECLINED']),
    eventId: z.uuid().optional().meta({ description: 'The event that was written; only when confirmed.' }),
  })
  .meta({
    id: 'ConfirmationResponse',
    description: 'The state of the request after the answer, and the event that a confirmation wrote.',
    example: { status: 'CONFIRMED', eventId: '0199a3c2-7b1e-7c40-8d21-5f0c9b7a1e34' },
  });
