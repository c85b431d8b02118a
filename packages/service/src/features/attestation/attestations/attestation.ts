import { z } from 'zod';
import type { AnswerEvidence } from '../../../domain/answerEvidence.js';
import type { requestStatuses } from '../../../domain/catalogues/enums.js';
import type { ErrorCode } from '../../../domain/errorCatalog.js';
import { fail, failValidation } from '../../../domain/errors.js';
import { misspellings } from '../../../domain/misspelt.js';

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

/**
 * What each act makes of a pending request. `remind` tells the platform and leaves the request as
 * it is.
 */
const nextOf = {
  confirm: 'CONFIRMED',
  decline: 'DECLINED',
  expire: 'EXPIRED',
  cancel: 'CANCELLED',
  remind: 'PENDING',
} as const satisfies Record<string, AttestationStatus>;

export type AttestationAct = keyof typeof nextOf;
export const attestationActs = Object.keys(nextOf) as AttestationAct[];

/**
 * The status after an act; null where it is refused: only a pending request can be acted upon
 * (RULES A2).
 */
export function nextStatus<Act extends AttestationAct>(
  status: AttestationStatus,
  act: Act,
): (typeof nextOf)[Act] | null {
  return status === 'PENDING' ? nextOf[act] : null;
}

/** The status after an act at a moment. Throws `refusal` where the request is not pending. */
export function actOn<Act extends AttestationAct>(
  stored: Expiring,
  act: Act,
  now: Date,
  refusal: ErrorCode,
): (typeof nextOf)[Act] {
  const status = statusAt(stored, now);
  return nextStatus(status, act) ?? fail(refusal, { details: { status } });
}

const AnswerFields = z.object({ token: z.unknown(), decision: z.unknown() });

/**
 * The token and the decision of a body of any form. Throws VALIDATION_ERROR for a misspelt name.
 */
export function answerIn(body: unknown): { token: unknown; decision: unknown } {
  const misspelt = misspellings(AnswerFields, body);
  if (misspelt.length > 0) failValidation(misspelt);
  const { token, decision }: Record<string, unknown> = Object(body);
  return { token, decision };
}

/** Parses a decision. Throws VALIDATION_ERROR. */
export function decisionOf(decision: unknown): 'confirm' | 'decline' {
  if (decision === 'confirm' || decision === 'decline') return decision;
  const code = decision === undefined ? 'required' : 'invalid_value';
  const expected = ['confirm', 'decline'];
  return failValidation([{ path: 'decision', code, message: 'must be "confirm" or "decline"', expected }]);
}

/**
 * The cause of a refusal of a right token. The hosted page shows it; the API answers as to a wrong
 * token.
 */
export class PlatformIsInactive extends Error {
  override readonly name = 'PlatformIsInactive';
}

/**
 * The request that a token opens. Throws `refusal` where there is none, or its platform is switched
 * off.
 */
export function assertOpen<T extends { readonly platformIsActive: boolean }>(
  asked: T | null,
  refusal: ErrorCode,
): T {
  if (!asked) return fail(refusal);
  return asked.platformIsActive ? asked : fail(refusal, { cause: new PlatformIsInactive() });
}
