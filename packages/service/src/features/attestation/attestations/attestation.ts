import { z } from 'zod';
import type { requestStatuses } from '../../../domain/catalogues/enums.js';
import type { ErrorCode } from '../../../domain/errorCatalog.js';
import { assertNever, fail, failValidation } from '../../../domain/errors.js';
import { misspellings } from '../../../domain/misspelt.js';

/** Of a request that somebody other than the subject is asked to answer: a confirmation or a reference (RULES A2). */
export type RequestStatus = (typeof requestStatuses)[number];

/** `remind` tells the platform, and leaves the request as it is. */
export const requestActs = ['confirm', 'decline', 'expire', 'cancel', 'remind'] as const;
export type RequestAct = (typeof requestActs)[number];

/** As a request stands in the database. */
export interface StoredStatus {
  readonly status: RequestStatus;
  readonly expiresAt: Date;
}

/** What a request is at a moment: one whose window is over has expired at once, whether or not the sweep has been there. */
export function statusAt({ status, expiresAt }: StoredStatus, now: Date): RequestStatus {
  return status === 'PENDING' && expiresAt.getTime() <= now.getTime() ? 'EXPIRED' : status;
}

/** What an act makes of a request now. One that is decided or has expired is refused with a code of its own kind. */
export function actOn(stored: StoredStatus, act: RequestAct, now: Date, refusal: ErrorCode): RequestStatus {
  const status = statusAt(stored, now);
  const decision = decide(status, act);
  return 'refused' in decision ? fail(refusal, { details: { status } }) : decision.next;
}

const AnswerFields = z.object({ token: z.unknown(), decision: z.unknown() });

/** What a body holds of a counterparty's answer, whatever else it is. Throws VALIDATION_ERROR for a misspelt name. */
export function answerIn(body: unknown): { token: unknown; decision: unknown } {
  const misspelt = misspellings(AnswerFields, body);
  if (misspelt.length > 0) failValidation(misspelt);
  const { token, decision }: Record<string, unknown> = Object(body);
  return { token, decision };
}

/** What a counterparty decided, as it came. */
export function answerOf(decision: unknown): 'confirm' | 'decline' {
  if (decision === 'confirm' || decision === 'decline') return decision;
  const code = decision === undefined ? 'required' : 'invalid_value';
  const expected = ['confirm', 'decline'];
  return failValidation([{ path: 'decision', code, message: 'must be "confirm" or "decline"', expected }]);
}

/** What an act makes of a request. Only a pending one can be acted upon; the rest is decided for good. */
export function decide(
  status: RequestStatus,
  act: RequestAct,
): { readonly next: RequestStatus } | { readonly refused: true } {
  if (status !== 'PENDING') return { refused: true };
  switch (act) {
    case 'confirm':
      return { next: 'CONFIRMED' };
    case 'decline':
      return { next: 'DECLINED' };
    case 'expire':
      return { next: 'EXPIRED' };
    case 'cancel':
      return { next: 'CANCELLED' };
    case 'remind':
      return { next: 'PENDING' };
    default:
      return assertNever(act);
  }
}

/** Why a right token is refused. The page says it to the token's bearer; the API answers as to a wrong token. */
export class PlatformIsInactive extends Error {
  override readonly name = 'PlatformIsInactive';
}

/** The request that a token opens; throws `refusal` where there is none, or its platform is switched off. */
export function assertOpen<T extends { readonly platformIsActive: boolean }>(
  asked: T | null,
  refusal: ErrorCode,
): T {
  if (!asked) return fail(refusal);
  return asked.platformIsActive ? asked : fail(refusal, { cause: new PlatformIsInactive() });
}
