import type { AnswerEvidence } from '../../../domain/answerEvidence.js';
import { fail } from '../../../domain/errors.js';
import { namesOf } from '../../../domain/sameParty.js';
import type { Database, Tx } from '../../../kit/db/database.js';
import type { IdSource } from '../../../kit/ids.js';
import { recordActivity } from '../../../ledger/activity.js';
import type { Ledger } from '../../../ledger/append/append.js';
import type { RecomputeSignal } from '../../../ledger/recompute/signal.js';
import { confirmedOutcome } from '../confirmations/confirmationRequest.js';
import { type AskedConfirmation, decideConfirmation, lockAsked } from '../confirmations/store.js';
import { type Answerer, evidenceOf } from './answerEvidence.js';
import { actOn, answerOf, assertOpen } from './attestation.js';
import { platformOfToken } from './tokens.js';

interface RespondDeps {
  db: Database;
  ids: IdSource;
  ledger: Ledger;
  signal: RecomputeSignal;
}

export interface ConfirmationAnswer {
  readonly id: string;
  /** As the counterparty presents it. */
  readonly token: unknown;
  /** `confirm` or `decline`; anything else is refused once the token has shown that its bearer may know. */
  readonly decision: unknown;
  readonly now: Date;
  readonly answerer: Answerer;
}

export type ConfirmationResponse =
  | { readonly status: 'CONFIRMED'; readonly eventId: string }
  | { readonly status: 'DECLINED' };

/**
 * A counterparty's answer, taken once: of several at one instant the first to hold the request wins. Confirmed, its event commits
 * with it. Throws CONFIRMATION_TOKEN_INVALID, VALIDATION_ERROR and CONFIRMATION_NOT_PENDING, in this order, and CONFIRMATION_SELF
 * where the counterparty has been declared to run the subject since it was asked.
 */
export async function respondToConfirmation(
  deps: RespondDeps,
  { id, token, decision, now, answerer }: ConfirmationAnswer,
): Promise<ConfirmationResponse> {
  const platformId = await platformOfToken(deps.db, 'confirmation', id, token);
  if (platformId === null) return fail('CONFIRMATION_TOKEN_INVALID');
  const response = await deps.db.transaction(async (tx) => {
    const asked = assertOpen(await lockAsked(tx, platformId, id), 'CONFIRMATION_TOKEN_INVALID');
    const act = answerOf(decision);
    actOn(asked, act, now, 'CONFIRMATION_NOT_PENDING');
    const answer = await evidenceOf(tx, asked, answerer, now);
    return act === 'confirm' ? confirm(tx, deps, asked, answer, now) : decline(tx, deps, asked, answer, now);
  });
  if (response.status === 'CONFIRMED') deps.signal.queued();
  return response;
}

async function confirm(
  tx: Tx,
  deps: RespondDeps,
  asked: AskedConfirmation,
  answer: AnswerEvidence,
  now: Date,
): Promise<ConfirmationResponse> {
  const outcome = confirmedOutcome({ ...asked, externalId: asked.userId });
  const evidence = { by: 'counterparty', platform: namesOf([asked.platformName]) } as const;
  const [written] = await deps.ledger.appendIn(tx, asked, [outcome], evidence);
  if (!written) throw new Error('the ledger answered for no event');
  const { eventId } = written;
  await decideConfirmation(tx, asked, asked.id, { status: 'CONFIRMED', eventId, respondedAt: now, answer });
  await recordAnswer(tx, deps, asked, 'CONFIRMATION_REQUEST_CONFIRMED', answer, { eventId }, now);
  return { status: 'CONFIRMED', eventId };
}

async function decline(
  tx: Tx,
  deps: RespondDeps,
  asked: AskedConfirmation,
  answer: AnswerEvidence,
  now: Date,
): Promise<ConfirmationResponse> {
  await decideConfirmation(tx, asked, asked.id, {
    status: 'DECLINED',
    eventId: null,
    respondedAt: now,
    answer,
  });
  await recordAnswer(tx, deps, asked, 'CONFIRMATION_REQUEST_DECLINED', answer, {}, now);
  return { status: 'DECLINED' };
}

function recordAnswer(
  tx: Tx,
  { ids }: RespondDeps,
  { id, platformId, livemode, subjectId, userId, eventType, counterpartyRef }: AskedConfirmation,
  action: 'CONFIRMATION_REQUEST_CONFIRMED' | 'CONFIRMATION_REQUEST_DECLINED',
  { channel, answeredByAsker }: AnswerEvidence,
  more: object,
  now: Date,
): Promise<void> {
  return recordActivity(tx, {
    id: ids.at(now),
    platformId,
    livemode,
    action,
    actor: 'counterparty',
    target: id,
    subjectId,
    // Its network stays with the request, which can be deleted.
    details: { userId, eventType, counterpartyRef, channel, answeredByAsker, ...more },
    at: now,
  });
}
