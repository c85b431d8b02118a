import { z } from 'zod';
import { type ConfirmableEventType, confirmableEventTypes } from '../../../domain/catalogues/enums.js';
import {
  type ServiceError,
  serviceError,
  type ValidationDetail,
  validationError,
} from '../../../domain/errors.js';
import { isReservedExternalId } from '../../../domain/externalId.js';
import { isStakeCapped, type OutcomeEvent } from '../../../domain/outcomeEvent.js';
import { completionError, EventInput } from '../../../domain/readOutcomeEvent.js';
import { detailsOf, misspellings } from '../../../domain/validationDetails.js';
import { attesterFields, expiryOf } from '../attestations/fields.js';

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
export interface ConfirmationRequest
  extends Pick<OutcomeEvent, 'stakeLevel' | 'transactionValue' | 'dueDate' | 'completedAt' | 'metadata'> {
  readonly userId: string;
  readonly eventType: ConfirmableEventType;
  readonly counterpartyRef: string;
  readonly counterpartyName: string | null;
  readonly description: string;
  readonly subjectName: string | null;
  readonly returnUrl: string | null;
  readonly expiresAt: Date;
}

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
  const metadata = input.metadata ?? null;
  return {
    request: {
      userId: input.userId,
      eventType: input.eventType,
      stakeLevel: isStakeCapped(input.stakeLevel, metadata) ? 'MEDIUM' : (input.stakeLevel ?? 'MEDIUM'),
      transactionValue: input.transactionValue ?? null,
      dueDate: input.dueDate ?? null,
      completedAt: input.completedAt ?? null,
      metadata,
      counterpartyRef: input.counterpartyRef,
      counterpartyName: input.counterpartyName ?? null,
      description: input.description,
      subjectName: input.subjectName ?? null,
      returnUrl: input.returnUrl ?? null,
      expiresAt: expiryOf(input.expiresInHours, expiryHours, now),
    },
  };
}

function invalid(details: ValidationDetail[]): { refusal: ServiceError } {
  return { refusal: validationError(details) };
}
