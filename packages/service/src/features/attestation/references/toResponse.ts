import { statusAt } from '../attestations/attestation.js';
import type { Reference } from './store.js';

/** A reference as its platform reads it at a moment. */
export function toReferenceResponse(reference: Reference, now: Date) {
  const { id, userId, counterpartyRef, counterpartyName, returnUrl, qualificationId } = reference;
  const { createdAt, expiresAt, respondedAt, answer } = reference;
  return {
    id,
    status: statusAt(reference, now),
    userId,
    claim: claimOf(reference),
    counterpartyRef,
    counterpartyName,
    returnUrl,
    qualificationId,
    createdAt,
    expiresAt,
    respondedAt,
    answer,
  };
}

/** What the counterparty is asked to vouch for. */
export function claimOf({ kind, title, organization, startDate, endDate, description }: Reference) {
  return { kind, title, organization, startDate, endDate, description };
}
