import type { AnswerEvidence } from '../../../domain/answerEvidence.js';
import { fail } from '../../../domain/errors.js';
import { isAttester } from '../../../domain/evidence.js';
import { eventTypeOfKind } from '../../../domain/qualificationKinds.js';
import type { Database, Tx } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import { loadInsiders } from '../../../ledger/append/insiders.js';
import { insertQualification, type Qualification } from '../../../ledger/profile/qualifications.js';
import { type Answerer, evidenceOf } from '../attestations/answerEvidence.js';
import { actOn, answerOf, assertOpen } from '../attestations/attestation.js';
import { platformOfToken } from '../attestations/tokens.js';
import { type AskedReference, decideReference, lockAsked } from './store.js';

interface RespondDeps {
  db: Database;
  ids: IdSource;
}

export interface ReferenceAnswer {
  readonly id: string;
  /** As the counterparty presents it. */
  readonly token: unknown;
  /** `confirm` or `decline`; anything else is refused once the token has shown that its bearer may know. */
  readonly decision: unknown;
  readonly now: Date;
  readonly answerer: Answerer;
}

export type ReferenceResponse =
  | { readonly status: 'CONFIRMED'; readonly qualificationId: string }
  | { readonly status: 'DECLINED' };

/**
 * A counterparty's answer, taken once: of several at one instant the first to hold the reference wins. Confirmed, its qualification
 * commits with it; the ledger and the score know nothing of it. Throws REFERENCE_TOKEN_INVALID, VALIDATION_ERROR and
 * REFERENCE_NOT_PENDING, in this order, and REFERENCE_SELF.
 */
export async function respondToReference(
  { db, ids }: RespondDeps,
  { id, token, decision, now, answerer }: ReferenceAnswer,
): Promise<ReferenceResponse> {
  const platformId = await platformOfToken(db, 'reference', id, token);
  if (platformId === null) return fail('REFERENCE_TOKEN_INVALID');
  return db.transaction(async (tx) => {
    const asked = assertOpen(await lockAsked(tx, platformId, id), 'REFERENCE_TOKEN_INVALID');
    const act = answerOf(decision);
    actOn(asked, act, now, 'REFERENCE_NOT_PENDING');
    const answer = await evidenceOf(tx, asked, answerer, now);
    return act === 'confirm' ? confirm(tx, ids.at(now), asked, answer, now) : decline(tx, asked, answer, now);
  });
}

async function confirm(
  tx: Tx,
  qualificationId: string,
  asked: AskedReference,
  answer: AnswerEvidence,
  now: Date,
): Promise<ReferenceResponse> {
  // Somebody may have been declared to run the subject since the request was made.
  const insidersOf = await loadInsiders(tx, asked, [asked.userId]);
  if (!isAttester(asked.counterpartyRef, insidersOf(asked.userId))) fail('REFERENCE_SELF');
  await insertQualification(tx, asked, qualificationOf(qualificationId, asked, now));
  const decision = { status: 'CONFIRMED', qualificationId } as const;
  await decideReference(tx, asked.platformId, asked.id, { ...decision, respondedAt: now, answer });
  return decision;
}

async function decline(
  tx: Tx,
  asked: AskedReference,
  answer: AnswerEvidence,
  now: Date,
): Promise<ReferenceResponse> {
  const decision = { status: 'DECLINED' } as const;
  await decideReference(tx, asked.platformId, asked.id, {
    ...decision,
    qualificationId: null,
    respondedAt: now,
    answer,
  });
  return decision;
}

/** The claim, as the counterparty confirmed it: word for word. */
function qualificationOf(id: string, asked: AskedReference, now: Date): Qualification {
  const { title, organization, description, startDate, endDate } = asked;
  return {
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
  };
}
