import { sign } from 'node:crypto';
import {
  checkSignatures,
  cosignNoteText,
  formatNote,
  formatSignature,
  type NoteSignature,
  signatureTypes,
  type VerifierKey,
  verifierKey,
} from '@reliability/proof';
import { fail } from '../../../domain/errors.js';
import { witnessNameOf } from '../../../ledger/log/logKey.js';
import { advanceWitnessedLog, findWitnessedLog } from '../../../ledger/log/witness/witnesses.js';
import type { KeyRing, PublicJwk } from '../../../ledger/signingKeys.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { judge, type Refusal, type Submission } from './submission.js';

export interface WitnessDeps extends Pick<ServiceDeps, 'db' | 'config' | 'clock'> {
  /** Keys of purpose 'witness'. */
  witnessKeys: KeyRing;
}

export interface Cosigned {
  kind: 'cosigned';
  /** Signature lines. */
  lines: string;
}

/** As often as somebody else was faster. */
const MAX_ATTEMPTS = 3;

/**
 * Cosigns a checkpoint of a log that this installation witnesses, if it continues the last one that
 * was cosigned. Throws NOT_FOUND, FORBIDDEN or BAD_REQUEST, as C2SP tlog-witness orders them.
 */
export async function cosign(deps: WitnessDeps, submission: Submission): Promise<Cosigned | Refusal> {
  const { db, clock } = deps;
  const { checkpoint, note } = submission;
  const { origin, size, root } = checkpoint;
  const ofLog = await checkedSignatures(deps, submission);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const known = await findWitnessedLog(db, origin);
    const refusal = judge(submission, known);
    if (refusal) return refusal;
    const now = clock.now();
    const own = await cosignatures(deps, note.text, now);
    const whole = formatNote({ text: note.text, signatures: [...ofLog, ...own] });
    const after = { size, root: Buffer.from(root), note: whole };
    if (await advanceWitnessedLog(db, origin, known, after, now))
      return { kind: 'cosigned', lines: own.map(formatSignature).join('') };
  }
  return fail('OVERLOADED', { message: `Checkpoints of ${origin} arrive faster than they are cosigned.` });
}

/** The signatures by the keys of the log. Those of others are ignored. */
async function checkedSignatures(
  { config: { logWitnessFor } }: WitnessDeps,
  { checkpoint: { origin }, note: { text, signatures } }: Submission,
): Promise<NoteSignature[]> {
  const keys = logWitnessFor.filter(({ name }) => name === origin);
  if (keys.length === 0) fail('NOT_FOUND', { message: `This service does not witness the log ${origin}.` });
  const known = signatures.filter(({ name, keyId }) =>
    keys.some((key) => key.name === name && key.id === keyId),
  );
  const checked = await checkSignatures({ text, signatures: known }, keys);
  if (checked.length === 0)
    fail('FORBIDDEN', { message: `The checkpoint is not signed by a known key of ${origin}.` });
  if (checked.some(({ isValid }) => !isValid))
    fail('FORBIDDEN', { message: `The signature of ${origin} is not valid.` });
  return known;
}

/** By the current key and by those that will follow it, so that logs can change over in time. */
async function cosignatures(
  { config, witnessKeys }: WitnessDeps,
  text: string,
  now: Date,
): Promise<NoteSignature[]> {
  const unixSeconds = Math.floor(now.getTime() / 1000);
  const keys = await witnessKeys.unretired();
  return Promise.all(
    keys.map(({ publicJwk, privateKey }) =>
      cosignNoteText(text, witnessKey(config.baseUrl, publicJwk), unixSeconds, (message) =>
        sign(null, message, privateKey),
      ),
    ),
  );
}

export function witnessKey(baseUrl: string, { x }: PublicJwk): VerifierKey {
  return verifierKey(witnessNameOf(baseUrl), Buffer.from(x, 'base64url'), signatureTypes.cosignature);
}
