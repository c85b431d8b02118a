import { sign } from 'node:crypto';
import {
  type Checkpoint,
  checkSignatures,
  cosignNoteText,
  equalBytes,
  formatNote,
  formatSignature,
  fromBase64,
  HASH_BYTES,
  type Note,
  NoteError,
  type NoteSignature,
  parseCheckpoint,
  parseNote,
  signatureTypes,
  treeRoot,
  type VerifierKey,
  verifierKey,
  verifyConsistency,
} from '@reliability/proof';
import { fail } from '#domain/errors.js';
import { witnessNameOf } from '#ledger/log/logKey.js';
import { advanceWitnessedLog, findWitnessedLog, type WitnessedLog } from '#ledger/log/witness/witnesses.js';
import type { KeyRing, PublicJwk } from '#ledger/signingKeys.js';
import type { ServiceDeps } from '../../serviceDeps.js';

export interface WitnessDeps extends Pick<ServiceDeps, 'db' | 'config' | 'clock'> {
  /** Keys of purpose 'witness'. */
  witnessKeys: KeyRing;
}

interface Cosigned {
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

/** A checkpoint that a log asks to have cosigned (C2SP tlog-witness, add-checkpoint). */
interface Submission {
  /** Leaves of the checkpoint that the log believes to be the last cosigned one. */
  oldSize: number;
  /** From the old size to that of the checkpoint. */
  proof: Uint8Array[];
  checkpoint: Checkpoint;
  note: Note;
}

const MAX_PROOF_LINES = 63;

/** Throws BAD_REQUEST with what is malformed. */
export function readSubmission(body: string): Submission {
  const end = body.indexOf('\n\n');
  if (end < 0) return malformed('There is no empty line between the proof and the checkpoint.');
  const [old = '', ...lines] = body.slice(0, end).split('\n');
  const oldSize = /^old (0|[1-9]\d{0,14})$/.exec(old)?.[1];
  if (oldSize === undefined) return malformed('The first line must be "old" and the size of a log.');
  if (lines.length > MAX_PROOF_LINES)
    return malformed(`The proof has ${lines.length} lines. At most ${MAX_PROOF_LINES} are read.`);
  return { oldSize: Number(oldSize), proof: lines.map(hashOf), ...readCheckpoint(body.slice(end + 2)) };
}

function hashOf(line: string): Uint8Array {
  const hash = fromBase64(line);
  return hash?.length === HASH_BYTES ? hash : malformed('A line of the proof is not the base64 of 32 bytes.');
}

function readCheckpoint(text: string): Pick<Submission, 'checkpoint' | 'note'> {
  try {
    const note = parseNote(text);
    return { note, checkpoint: parseCheckpoint(note.text) };
  } catch (error) {
    if (error instanceof NoteError) return malformed(`The checkpoint cannot be read. ${error.message}.`);
    throw error;
  }
}

function malformed(message: string): never {
  return fail('BAD_REQUEST', { message });
}

/** Why a checkpoint is not cosigned, after its signature was found valid. */
type Refusal =
  | { kind: 'conflict'; size: number }
  /** `isFork`: the log signed two roots of one size. Otherwise the proof alone may be wrong. */
  | { kind: 'inconsistent'; isFork: boolean };

/**
 * Compares a checkpoint with what was cosigned before.
 * @param known null: nothing was cosigned under this name.
 */
function judge({ oldSize, proof, checkpoint }: Submission, known: WitnessedLog | null): Refusal | null {
  const { size, root } = checkpoint;
  if (oldSize > size) return malformed(`The old size ${oldSize} exceeds the size ${size} of the checkpoint.`);
  const from = known?.size ?? 0;
  if (oldSize !== from) return { kind: 'conflict', size: from };
  const fromRoot = known?.root ?? treeRoot(0, noHashes);
  const isConsistent = verifyConsistency({ from, to: size, fromRoot, toRoot: root, proof });
  const isFork = size === from && !equalBytes(fromRoot, root);
  return isConsistent ? null : { kind: 'inconsistent', isFork };
}

function noHashes(): never {
  throw new Error('an empty tree has no hashes');
}
