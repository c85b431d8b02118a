import { eventTypeOfKind } from '../../../domain/verifiedProfile.js';
import type { Tx } from '../../../kit/db/database.js';
import { insertQualification } from '../../../ledger/profile/qualifications.js';
import { statusAt } from '../attestations/attestation.js';
import { loadSelfRefusal } from '../attestations/drafts.js';
import type { AttestationKind, RecordDeps } from '../attestations/kind.js';
import type { Claim, Reference } from './schemas.js';
import { type ReferenceTypes, referenceTable, type StoredReference } from './store.js';

/** A counterparty confirms a qualification; the ledger and the score are not involved. */
export const reference: AttestationKind<ReferenceTypes> = {
  name: 'reference',
  tokenPrefix: 'rft_',
  path: '/references',
  pagePath: '/reference',
  errors: { token: 'REFERENCE_TOKEN_INVALID', state: 'REFERENCE_NOT_PENDING', self: 'REFERENCE_SELF' },
  table: referenceTable,
  activity: null,
  toResponse: toReferenceResponse,
  questionOf: (stored) => ({ claim: claimOf(stored) }),
  record: recordQualification,
  recordedId: 'qualificationId',
  movesScore: false,
};

function toReferenceResponse(stored: StoredReference, now: Date): Reference {
  const { id, userId, counterpartyRef, counterpartyName, returnUrl, qualificationId } = stored;
  const { createdAt, expiresAt, respondedAt, answer } = stored;
  return {
    id,
    status: statusAt(stored, now),
    userId,
    claim: claimOf(stored),
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

function claimOf({ kind, title, organization, startDate, endDate, description }: StoredReference): Claim {
  return { kind, title, organization, startDate, endDate, description };
}

/** The qualification holds the claim word for word, as the counterparty confirmed it. */
async function recordQualification(
  tx: Tx,
  { ids }: RecordDeps,
  asked: ReferenceTypes['asked'],
  now: Date,
): Promise<string> {
  const refusal = (await loadSelfRefusal(tx, reference, asked, [asked]))(asked);
  if (refusal) throw refusal;
  const { title, organization, description, startDate, endDate } = asked;
  const id = ids.at(now);
  await insertQualification(tx, asked, {
    id,
    eventType: eventTypeOfKind[asked.kind],
    title,
    issuer: organization,
    description,
    startDate,
    endDate,
    issuedAt: null,
    expiresAt: null,
    url: null,
    isVerified: true,
    verifiedBy: asked.counterpartyRef,
    referenceId: asked.id,
    createdAt: now,
  });
  return id;
}
