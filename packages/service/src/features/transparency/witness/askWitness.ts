import { checkSignatures, formatSignature, NoteError, parseNote } from '@reliability/proof';
import type { LogWitness } from '#domain/logWitnesses.js';
import { parseNetworks } from '#kit/addressGuard.js';
import type { Queryable } from '#kit/db/database.js';
import {
  createOutboundFetch,
  type OutboundAnswer,
  OutboundError,
  type OutboundFetch,
} from '#kit/outboundFetch.js';
import { readConsistencyProof } from '#ledger/log/blocks.js';
import { findSignedCheckpoint, type StoredCheckpoint } from '#ledger/log/checkpoints.js';

/** What became of the request for a cosignature. */
export type WitnessAnswer =
  | { kind: 'cosigned'; line: string }
  /** It knows a newer checkpoint of this log, which another process sent. */
  | { kind: 'overtaken'; size: number }
  /** It knows a log under this name that the database does not contain. @see size its leaves */
  | { kind: 'contradicts'; size: number; problem: string }
  | { kind: 'failed'; problem: string; retryAfterMs: number | null };

interface Asking {
  db: Queryable;
  outbound: OutboundFetch;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** A note has at most 100 signatures. */
const KEEP_BYTES = 64 * 1024;
/** Another process may ask the same witness at the same time. */
const MAX_ATTEMPTS = 3;
const SIZE = /^(0|[1-9]\d{0,14})\n?$/;

/**
 * Asks a witness to cosign a checkpoint (C2SP tlog-witness, add-checkpoint), and verifies the
 * cosignature.
 * @param oldSize the leaves that it knows, as far as we know. It answers with the right number.
 */
export async function askWitness(
  asking: Asking,
  witness: LogWitness,
  checkpoint: StoredCheckpoint,
  oldSize: number,
): Promise<WitnessAnswer> {
  let known = Math.min(oldSize, checkpoint.treeSize);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const answer = await post(asking, witness, checkpoint, known).catch(failureOf);
    if ('kind' in answer) return answer;
    if (answer.status === 200) return readCosignature(witness, checkpoint, answer.text);
    if (answer.status === 422) {
      const problem = `answered 422: the log of ${checkpoint.treeSize} leaves does not contain the log of ${known} leaves that it cosigned`;
      return { kind: 'contradicts', size: known, problem };
    }
    const size = answer.status === 409 && SIZE.test(answer.text) ? Number(answer.text) : null;
    if (size === null) return refused(answer);
    if (size > checkpoint.treeSize) return judgeLarger(asking.db, size);
    if (size === known && size === checkpoint.treeSize) {
      const problem = `answered 409: it cosigned another log of ${size} leaves under this name`;
      return { kind: 'contradicts', size, problem };
    }
    known = size;
  }
  return { kind: 'failed', problem: 'answered 409 to the size that it named', retryAfterMs: null };
}

async function post(
  { db, outbound, timeoutMs, signal }: Asking,
  { url }: LogWitness,
  { treeSize, note }: StoredCheckpoint,
  oldSize: number,
): Promise<OutboundAnswer> {
  const proof = await readConsistencyProof(db, oldSize, treeSize);
  const body = `old ${oldSize}\n${proof.map((hash) => `${hash}\n`).join('')}\n${note}`;
  const headers = { 'Content-Type': 'text/plain; charset=utf-8' };
  return outbound.post({
    url: `${url}/add-checkpoint`,
    headers,
    body,
    timeoutMs,
    keepBytes: KEEP_BYTES,
    signal,
  });
}

function failureOf(error: unknown): WitnessAnswer {
  if (!(error instanceof OutboundError)) throw error;
  return { kind: 'failed', problem: error.message, retryAfterMs: null };
}

const HINTS: Readonly<Record<number, string>> = {
  403: 'it does not know the key of this log',
  404: 'it does not witness this log, or its address is wrong',
  429: 'it is asked too often',
};

function refused({ status, headers }: OutboundAnswer): WitnessAnswer {
  const hint = HINTS[status];
  const seconds = /^\d{1,4}$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : null;
  return {
    kind: 'failed',
    problem: `answered ${status}${hint ? `: ${hint}` : ''}`,
    retryAfterMs: seconds === null ? null : seconds * 1000,
  };
}

async function judgeLarger(db: Queryable, size: number): Promise<WitnessAnswer> {
  const signedSize = (await findSignedCheckpoint(db))?.treeSize ?? 0;
  if (size <= signedSize) return { kind: 'overtaken', size };
  const problem = `knows a log of ${size} leaves under this name, and the database has signed ${signedSize}`;
  return { kind: 'contradicts', size, problem };
}

async function readCosignature(
  { key }: LogWitness,
  { note }: StoredCheckpoint,
  lines: string,
): Promise<WitnessAnswer> {
  const failed = (problem: string) => ({ kind: 'failed', problem, retryAfterMs: null }) as const;
  try {
    const { text, signatures } = parseNote(note + lines);
    const cosignature = signatures.find(({ name, keyId }) => name === key.name && keyId === key.id);
    if (!cosignature) return failed(`answered without a signature by the key ${key.name}+${key.id}`);
    const [checked] = await checkSignatures({ text, signatures: [cosignature] }, [key]);
    if (!checked?.isValid || !checked.unixSeconds)
      return failed('answered with a cosignature that is not valid');
    return { kind: 'cosigned', line: formatSignature(cosignature).trimEnd() };
  } catch (error) {
    if (error instanceof NoteError)
      return failed(`answered with lines that are no signatures. ${error.message}`);
    throw error;
  }
}

/**
 * Outgoing HTTP to witnesses. The operator names their addresses, not a caller, so they may be in a
 * private network and plain http.
 */
export function createWitnessOutbound(): OutboundFetch {
  return createOutboundFetch({ allowed: parseNetworks('0.0.0.0/0,::/0'), connectionsPerOrigin: 4 });
}
