import {
  type AnswerChannel,
  type AnswerEvidence,
  type BrowserFamily,
  browserFamilyOf,
  isSameNetwork,
} from '../../../domain/answerEvidence.js';
import { coarseNetwork } from '../../../kit/addressGuard.js';
import { hashOfSecret } from '../../../kit/crypto.js';
import type { Queryable } from '../../../kit/db/database.js';
import type { Asker } from './kind.js';
import { isHashOfKey } from './store.js';

/** What evidence needs of an HTTP request. */
interface Sent {
  readonly clientAddress: string;
  header(name: string): string | undefined;
}

export function askerOf({
  caller,
  clientAddress,
}: Pick<Sent, 'clientAddress'> & { caller: { keyId: string } }): Asker {
  return { askedByKey: caller.keyId, askedFrom: coarseNetwork(clientAddress) };
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
export async function evidenceOf(
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
