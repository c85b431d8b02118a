import {
  type Checkpoint,
  equalBytes,
  fromBase64,
  HASH_BYTES,
  type Note,
  NoteError,
  parseCheckpoint,
  parseNote,
  treeRoot,
  verifyConsistency,
} from '@reliability/proof';
import { fail } from '../../../domain/errors.js';
import type { WitnessedLog } from '../../../ledger/log/witness/witnesses.js';

/** A checkpoint that a log asks to have cosigned (C2SP tlog-witness, add-checkpoint). */
export interface Submission {
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
export type Refusal =
  | { kind: 'conflict'; size: number }
  /** `isFork`: the log signed two roots of one size. Otherwise the proof alone may be wrong. */
  | { kind: 'inconsistent'; isFork: boolean };

/**
 * Compares a checkpoint with what was cosigned before.
 * @param known null: nothing was cosigned under this name.
 */
export function judge(
  { oldSize, proof, checkpoint }: Submission,
  known: WitnessedLog | null,
): Refusal | null {
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
