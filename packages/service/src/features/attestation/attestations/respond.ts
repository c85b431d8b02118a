import {
  type AnswerChannel,
  type AnswerEvidence,
  type BrowserFamily,
  browserFamilyOf,
  isSameNetwork,
} from '#domain/answerEvidence.js';
import { fail } from '#domain/errors.js';
import { coarseNetwork } from '#kit/addressGuard.js';
import { hashOfSecret } from '#kit/crypto.js';
import type { Queryable } from '#kit/db/database.js';
import { type AttestationStatus, assertOpen, assertPending, decided, statusAt } from './attestation.js';
import { recordAct } from './drafts.js';
import type { Asker, AttestationDeps, AttestationKind, KindTypes } from './kind.js';
import { findAsked, isHashOfKey, platformOfToken, saveDecision } from './store.js';

/** The preview (RULES A7), and what the hosted page needs besides. */
export interface Previewed<Question> {
  readonly preview: PreviewFields & Question;
  readonly counterpartyName: string | null;
  readonly respondedAt: Date | null;
  readonly returnUrl: string | null;
  readonly livemode: boolean;
}

interface PreviewFields {
  readonly id: string;
  readonly status: AttestationStatus;
  readonly platformName: string;
  readonly userId: string;
  readonly expiresAt: Date;
}

/** In every state. Throws `errors.token` for a wrong token and for an unknown request. */
export async function previewAttestation<K extends KindTypes>(
  { db, clock }: Pick<AttestationDeps, 'db' | 'clock'>,
  kind: AttestationKind<K>,
  id: string,
  token: unknown,
): Promise<Previewed<K['question']>> {
  const now = clock.now();
  const platformId = await platformOfToken(db, kind, id, token);
  const found = platformId === null ? null : await findAsked(db, kind, platformId, id);
  const asked = assertOpen(found, kind.errors.token);
  const { platformName, userId, expiresAt, counterpartyName, respondedAt, returnUrl, livemode } = asked;
  const status = statusAt(asked, now);
  return {
    preview: { id: asked.id, status, platformName, userId, ...kind.questionOf(asked), expiresAt },
    counterpartyName,
    respondedAt,
    returnUrl,
    livemode,
  };
}

/** An answer as the counterparty sends it, unchecked. */
export interface SentAnswer {
  readonly token?: unknown;
  readonly decision?: unknown;
}

type AnswerResult<RecordedId extends string> = {
  readonly status: 'CONFIRMED' | 'DECLINED';
} & { readonly [Id in RecordedId]?: string };

/**
 * Takes a counterparty's answer once: of simultaneous answers the first to lock the request wins.
 * What a confirmation records commits with the answer. Throws `errors.token`, VALIDATION_ERROR and
 * `errors.state`, in this order, and `errors.self` where the counterparty was declared to run the
 * subject since it was asked.
 */
export async function respondToAttestation<K extends KindTypes>(
  deps: AttestationDeps,
  kind: AttestationKind<K>,
  id: string,
  { token, decision }: SentAnswer,
  answerer: Answerer,
): Promise<AnswerResult<K['recordedId']>> {
  const now = deps.clock.now();
  const { errors } = kind;
  const platformId = await platformOfToken(deps.db, kind, id, token);
  if (platformId === null) return fail(errors.token);
  const result = await deps.db.transaction(async (tx) => {
    const asked = assertOpen(await findAsked(tx, kind, platformId, id, 'for update'), errors.token);
    const status = decided(decision);
    assertPending(asked, now, errors.state);
    const answer = await evidenceOf(tx, asked, answerer, now);
    const recordedId = status === 'CONFIRMED' ? await kind.record(tx, deps, asked, now) : null;
    await saveDecision(tx, kind, platformId, asked.id, { status, recordedId, respondedAt: now, answer });
    const recorded = recordedId === null ? {} : { [kind.recordedId]: recordedId };
    // The network stays with the request, which can be deleted.
    const { channel, answeredByAsker } = answer;
    await recordAct(tx, deps, kind, asked, {
      status,
      actor: 'counterparty',
      at: now,
      attestations: [asked],
      details: { channel, answeredByAsker, ...recorded },
    });
    return { status, ...recorded };
  });
  if (kind.movesScore && result.status === 'CONFIRMED') deps.wakes.raise('scores');
  return result as AnswerResult<K['recordedId']>;
}

/** What evidence needs of an HTTP request. */
interface Sent {
  readonly clientAddress: string;
  header(name: string): string | undefined;
}

/** Who answers, as far as the HTTP request shows it. */
export interface Answerer {
  readonly channel: AnswerChannel;
  readonly network: string | null;
  readonly browserFamily: BrowserFamily | null;
  /** SHA-256 of the API key that was sent along, although no key is needed. */
  readonly keyHash: Buffer | null;
}

const BEARER = /^Bearer (\S{1,300})$/i;

export function answererOf({ clientAddress, header }: Sent, channel: AnswerChannel): Answerer {
  const key = BEARER.exec(header('authorization') ?? '')?.[1];
  return {
    channel,
    network: coarseNetwork(clientAddress),
    browserFamily: browserFamilyOf(header('user-agent')),
    keyHash: key === undefined ? null : hashOfSecret(key),
  };
}

/** What is stored of an answer (RULES A10). */
async function evidenceOf(
  db: Queryable,
  { askedByKey, askedFrom }: Asker,
  { channel, network, browserFamily, keyHash }: Answerer,
  now: Date,
): Promise<AnswerEvidence> {
  const isWithAskersKey =
    askedByKey !== null && keyHash !== null && (await isHashOfKey(db, askedByKey, keyHash));
  const answeredByAsker = isSameNetwork(askedFrom, network) || isWithAskersKey;
  return { channel, answeredAt: now.toISOString(), answeredByAsker, network, browserFamily };
}
