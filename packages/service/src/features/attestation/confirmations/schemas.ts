import { stakeLevels } from '@reliability/scoring';
import { z } from 'zod';
import { AnswerEvidenceField } from '#domain/answerEvidence.js';
import { confirmableEventTypes } from '#domain/catalogues/enums.js';
import { type ServiceError, serviceError, type ValidationDetail, validationError } from '#domain/errors.js';
import { isReservedExternalId } from '#domain/externalId.js';
import { isStakeCapped } from '#domain/outcomeEvent.js';
import { completionError, EventInput } from '#domain/readOutcomeEvent.js';
import { detailsOf, misspellings } from '#domain/validationDetails.js';
import { looseItems } from '#kit/http/openapiSchemas.js';
import { instant } from '#kit/http/query.js';
import { attestationStatus, attesterFields, expiryOf, listFilters } from '../attestations/attestation.js';

const { userId, stakeLevel, transactionValue, dueDate, completedAt, metadata } = EventInput.shape;

/**
 * The body of POST /confirmations, each item of a batch and, with its rowKey, each row of a
 * campaign.
 */
export const ConfirmationInput = z
  .object({
    userId,
    eventType: z.enum(confirmableEventTypes),
    stakeLevel,
    transactionValue,
    dueDate,
    completedAt,
    metadata,
    description: z.string().min(1).max(2000),
    subjectName: z.string().min(1).max(255).nullish(),
    ...attesterFields,
  })
  .meta({ id: 'ConfirmationRequest' });

/** A request, checked and with its defaults. */
export type ConfirmationRequest = ReturnType<typeof requestOf>;

export interface ReadOptions {
  livemode: boolean;
  now: Date;
  /** The default window. */
  expiryHours: number;
  /** Whether nobody may be asked about the subject any more. */
  isErased(userId: string): boolean;
  /** Dotted path of the request in its body, for the details of a refusal. */
  path?: string;
  /** The schema whose field names are allowed: a row of a campaign also has a key. */
  names?: z.ZodType;
}

/** Parses one request for a confirmation, or says why it is refused. */
export function readConfirmationRequest(
  raw: unknown,
  { livemode, now, expiryHours, isErased, path = '', names = ConfirmationInput }: ReadOptions,
): { readonly request: ConfirmationRequest } | { readonly refusal: ServiceError } {
  const result = ConfirmationInput.safeParse(raw);
  const misspelt = misspellings(names, raw, path);
  if (!result.success) return invalid([...misspelt, ...detailsOf(result.error, raw, path)]);
  if (misspelt.length > 0) return invalid(misspelt);
  const input = result.data;
  if (livemode && isReservedExternalId(input.userId)) {
    return { refusal: serviceError('RESERVED_EXTERNAL_ID') };
  }
  if (isErased(input.userId)) return { refusal: serviceError('SUBJECT_ERASED') };
  const early = completionError(input.completedAt, now, path);
  if (early) return invalid([early]);
  return { request: requestOf(input, expiryOf(input.expiresInHours, expiryHours, now)) };
}

function requestOf(input: z.output<typeof ConfirmationInput>, expiresAt: Date) {
  const metadata = input.metadata ?? null;
  const stakeLevel = isStakeCapped(input.stakeLevel, metadata) ? 'MEDIUM' : (input.stakeLevel ?? 'MEDIUM');
  return {
    userId: input.userId,
    eventType: input.eventType,
    stakeLevel,
    transactionValue: input.transactionValue ?? null,
    dueDate: input.dueDate ?? null,
    completedAt: input.completedAt ?? null,
    metadata,
    counterpartyRef: input.counterpartyRef,
    counterpartyName: input.counterpartyName ?? null,
    description: input.description,
    subjectName: input.subjectName ?? null,
    returnUrl: input.returnUrl ?? null,
    expiresAt,
  };
}

function invalid(details: ValidationDetail[]): { refusal: ServiceError } {
  return { refusal: validationError(details) };
}

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

export const confirmationFilters = {
  ...listFilters,
  eventType: z.enum(confirmableEventTypes).optional(),
  campaignId: z.guid().optional(),
};

export const questionFields = Confirmation.pick({
  eventType: true,
  description: true,
  subjectName: true,
  transactionValue: true,
  dueDate: true,
  completedAt: true,
}).shape;
