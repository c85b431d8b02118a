import {
  type AnswerChannel,
  type AnswerEvidence,
  type BrowserFamily,
  browserFamilyOf,
  isSameNetwork,
} from '../../../domain/answerEvidence.js';
import { hashOfSecret } from '../../../kit/crypto.js';
import type { Queryable } from '../../../kit/db/database.js';
import { coarseNetwork } from '../../../kit/networks.js';

/** Of a request, as far as evidence needs it. */
interface Sent {
  readonly clientAddress: string;
  header(name: string): string | undefined;
}

/** Who asks a counterparty: kept with the request, to compare the answer with. */
export interface Asker {
  readonly askedByKey: string | null;
  /** Coarse. */
  readonly askedFrom: string | null;
}

export function askerOf({
  caller,
  clientAddress,
}: Pick<Sent, 'clientAddress'> & { caller: { keyId: string } }): Asker {
  return { askedByKey: caller.keyId, askedFrom: coarseNetwork(clientAddress) };
}

/** Who answers, as far as it can be seen. */
export interface Answerer {
  readonly channel: AnswerChannel;
  readonly network: string | null;
  readonly browserFamily: BrowserFamily | null;
  /** SHA-256 of the API key that was sent along, which nobody needs to. */
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

/** What is kept of an answer. */
export async function evidenceOf(
  db: Queryable,
  { askedByKey, askedFrom }: Asker,
  { channel, network, browserFamily, keyHash }: Answerer,
  now: Date,
): Promise<AnswerEvidence> {
  const isFromThere = isSameNetwork(askedFrom, network);
  const answeredByAsker = isFromThere || (await isKey(db, askedByKey, keyHash));
  return { channel, answeredAt: now.toISOString(), answeredByAsker, network, browserFamily };
}

async function isKey(db: Queryable, keyId: string | null, keyHash: Buffer | null): Promise<boolean> {
  if (keyId === null || keyHash === null) return false;
  const rows = await db.query('select 1 from api_key where key_id = $1 and key_hash = $2', [keyId, keyHash]);
  return rows.length > 0;
}

/** Of a table of requests under its alias: `answer`, as it is shown. */
export function answerColumn(alias: string): string {
  return `case when ${alias}.answer_channel is not null then json_build_object(
    'channel', ${alias}.answer_channel,
    'answeredAt', to_char(${alias}.responded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'answeredByAsker', ${alias}.answered_by_asker,
    'network', ${alias}.answer_network,
    'browserFamily', ${alias}.answer_browser) end as "answer"`;
}

/** Of the same: an Asker. */
export function askerColumns(alias: string): string {
  return `${alias}.asked_by_key, ${alias}.asked_from`;
}

/** Keeps an answer, its values being those from $6 on. */
export const SET_ANSWER =
  'answer_channel = $6, answered_by_asker = $7, answer_network = $8, answer_browser = $9';

export function answerValues(answer: AnswerEvidence | null): unknown[] {
  const { channel = null, answeredByAsker = null, network = null, browserFamily = null } = answer ?? {};
  return [channel, answeredByAsker, network, browserFamily];
}
