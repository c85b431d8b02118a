import { z } from 'zod';
import type { AnswerEvidence } from '#domain/answerEvidence.js';
import { requestDecisions, requestStatuses } from '#domain/catalogues/enums.js';
import type { ErrorCode } from '#domain/errorCatalog.js';
import { fail, failValidation } from '#domain/errors.js';
import { externalId } from '#domain/externalId.js';
import { isHttpsUrl } from '#domain/parsedUrl.js';
import { namesSomebody } from '#domain/sameParty.js';
import { HOUR_MS } from '#domain/timestamp.js';
import { misspellings } from '#domain/validationDetails.js';
import { cursorParam, MAX_ADDRESS, pageLimit } from '#kit/http/query.js';

export type AttestationStatus = (typeof requestStatuses)[number];

/**
 * A request that a party other than the subject is asked to answer: a confirmation or a reference
 * (RULES A1).
 */
export interface Attestation {
  readonly id: string;
  /** As stored; `statusAt` says what it is at a moment. */
  readonly status: AttestationStatus;
  readonly userId: string;
  readonly counterpartyRef: string;
  readonly counterpartyName: string | null;
  readonly returnUrl: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** When the counterparty answered; null where the platform cancelled. */
  readonly respondedAt: Date | null;
  readonly answer: AnswerEvidence | null;
}

type Expiring = Pick<Attestation, 'status' | 'expiresAt'>;

/** A request expires when its window ends, before a sweep stores it (RULES A2). */
export function statusAt({ status, expiresAt }: Expiring, now: Date): AttestationStatus {
  return status === 'PENDING' && expiresAt.getTime() <= now.getTime() ? 'EXPIRED' : status;
}

/** The response of a row whose response differs in its status alone. */
export function withStatusAt<Row extends Expiring>(row: Row, now: Date): Row {
  return { ...row, status: statusAt(row, now) };
}

/** Only a pending request is answered or cancelled (RULES A2). Throws `refusal`. */
export function assertPending(stored: Expiring, now: Date, refusal: ErrorCode): void {
  const status = statusAt(stored, now);
  if (status !== 'PENDING') fail(refusal, { details: { status } });
}

const AnswerFields = z.object({ token: z.unknown(), decision: z.unknown() });

/** `respond` has the token in its body or in its query. */
export const AnswerQuery = z.object({
  token: z.unknown().optional().meta({ type: 'string' }),
});

/**
 * The token and the decision of a request with a body of any form. Throws VALIDATION_ERROR for a
 * misspelt name, and for two different tokens, whether one of them is right or not.
 */
export function answerIn(
  body: unknown,
  query: z.output<typeof AnswerQuery>,
): { token: unknown; decision: unknown } {
  const misspelt = misspellings(AnswerFields, body);
  if (misspelt.length > 0) failValidation(misspelt);
  const { token = query.token, decision }: Record<string, unknown> = Object(body);
  if (query.token !== undefined && token !== query.token) {
    const message = 'differs from the token of the query. Send the token once';
    failValidation([{ path: 'token', code: 'custom', message }]);
  }
  return { token, decision };
}

/** The status that a decision makes of a pending request. Throws VALIDATION_ERROR. */
export function decided(decision: unknown): 'CONFIRMED' | 'DECLINED' {
  if (decision === 'confirm') return 'CONFIRMED';
  if (decision === 'decline') return 'DECLINED';
  const code = decision === undefined ? 'required' : 'invalid_value';
  const expected = ['confirm', 'decline'];
  return failValidation([{ path: 'decision', code, message: 'must be "confirm" or "decline"', expected }]);
}

/** The cause of a refusal of a right token: the hosted page has its own text for it. */
export class PlatformIsClosed extends Error {
  override readonly name = 'PlatformIsClosed';
}

/** The request that a token opens. Throws `refusal` if there is none, CONFLICT if its platform is closed. */
export function assertOpen<T extends { readonly platformIsActive: boolean }>(
  asked: T | null,
  refusal: ErrorCode,
): T {
  if (!asked) return fail(refusal);
  if (asked.platformIsActive) return asked;
  const message = 'The platform that asks is closed and accepts no answers. Nothing was recorded.';
  return fail('CONFLICT', { message, cause: new PlatformIsClosed() });
}

const MAX_EXPIRY_HOURS = 2160;

/** The fields that the bodies of both kinds share. */
export const attesterFields = {
  counterpartyRef: z
    .string()
    .min(1, { abort: true })
    .max(255, { abort: true })
    .refine(namesSomebody, 'must name somebody'),
  counterpartyName: z.string().min(1).max(255).nullish(),
  returnUrl: z
    .string()
    .max(2048, { abort: true })
    .refine(isHttpsUrl, 'must be an https URL without user name and password')
    .meta({ format: 'uri' })
    .nullish(),
  expiresInHours: z.number().min(1).max(MAX_EXPIRY_HOURS).nullish(),
};

/** The end of the window of a request that is made now. */
export function expiryOf(expiresInHours: number | null | undefined, defaultHours: number, now: Date): Date {
  return new Date(now.getTime() + Math.round((expiresInHours ?? defaultHours) * HOUR_MS));
}

export const attestationStatus = z.enum(requestStatuses);

/** The filters of both listings. */
export const listFilters = {
  status: z.enum(requestStatuses).optional(),
  userId: externalId.optional(),
};
export const paging = { limit: pageLimit(100, 25), cursor: cursorParam };

/** What a counterparty sends: the token, and with an answer the decision. */
export function tokenField() {
  return z.string().max(MAX_ADDRESS);
}

export const decisionField = z.enum(requestDecisions);
