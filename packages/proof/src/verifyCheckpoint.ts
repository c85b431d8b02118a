import { equalBytes, toHex } from './bytes.js';
import { type Checkpoint, parseCheckpoint } from './checkpoint.js';
import { type Note, NoteError, parseNote, type VerifierKey } from './note.js';
import { type CheckedSignature, checkSignatures, type Ed25519Verify } from './noteVerification.js';
import { failed, passed, type Step, unchecked } from './step.js';

export type CheckedCheckpoint = Pick<Checkpoint, 'origin' | 'size' | 'root'>;

/** The checkpoint is null where it cannot be read. */
export async function checkCheckpoint(
  text: string,
  logKeys: readonly VerifierKey[],
  verifySignature: Ed25519Verify,
): Promise<{ checkpoint: CheckedCheckpoint | null; step: Step }> {
  let note: Note;
  let checkpoint: Checkpoint;
  try {
    note = parseNote(text);
    checkpoint = parseCheckpoint(note.text);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return {
      checkpoint: null,
      step: failed('checkpoint', 'checkpointUnreadable', { reason: error.message }),
    };
  }
  return { checkpoint, step: await checkLogSignature(note, checkpoint, logKeys, verifySignature) };
}

async function checkLogSignature(
  note: Note,
  { origin, size }: Checkpoint,
  logKeys: readonly VerifierKey[],
  verifySignature: Ed25519Verify,
): Promise<Step> {
  const [logKey] = logKeys;
  if (!logKey) return unchecked('checkpoint', 'signerUnchecked', { origin });
  if (!logKeys.some(({ name }) => name === origin))
    return failed('checkpoint', 'otherLog', { origin, keyName: logKey.name });
  const signatures = await checkSignatures(
    note,
    logKeys.filter(({ name }) => name === origin),
    verifySignature,
  );
  if (signatures.length === 0)
    return failed('checkpoint', 'notSigned', { keys: logKeys.map(({ name, id }) => `${name}+${id}`) });
  if (signatures.some(({ isValid }) => !isValid)) return failed('checkpoint', 'badSignature', { origin });
  return passed('checkpoint', 'signed', { origin, size });
}

interface Cosigned {
  checkpoint: string;
  cosignatures: readonly string[];
}

/** The step is null if nobody asked for witnesses. The times are those of the valid cosignatures. */
export async function checkWitnesses(
  { checkpoint, cosignatures }: Cosigned,
  {
    witnesses = [],
    quorum = witnesses.length,
  }: { witnesses?: readonly VerifierKey[] | undefined; quorum?: number | undefined },
  logKeys: readonly VerifierKey[],
  verifySignature: Ed25519Verify,
): Promise<{ times: Date[]; step: Step | null }> {
  if (witnesses.length === 0 && quorum === 0) return { times: [], step: null };
  const own = witnesses.find((key) => isOfLog(key, checkpoint, logKeys));
  if (own) return { times: [], step: failed('witnesses', 'ownWitness', { witness: own.name }) };
  let signatures: CheckedSignature[];
  try {
    const note = parseNote(checkpoint + cosignatures.map((line) => `${line.replace(/\n$/, '')}\n`).join(''));
    signatures = await checkSignatures(note, witnesses, verifySignature);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return { times: [], step: failed('witnesses', 'cosignatureUnreadable', { reason: error.message }) };
  }
  const wrong = signatures.find(({ isValid }) => !isValid);
  if (wrong) return { times: [], step: failed('witnesses', 'badCosignature', { witness: wrong.key.name }) };
  const times = signatures.flatMap(({ unixSeconds }) =>
    unixSeconds === null ? [] : [new Date(1000 * unixSeconds)],
  );
  // A key counts once, whatever its names are.
  const byKey = new Map(signatures.map(({ key }) => [toHex(key.publicKey), key.name]));
  const names = [...byKey.values()];
  const of = witnesses.length;
  const step =
    names.length < quorum
      ? failed('witnesses', 'tooFewWitnesses', { count: names.length, of, quorum })
      : passed('witnesses', 'cosigned', { of, witnesses: names });
  return { times, step };
}

/** A log that signs as its own witness would seem to be watched. */
function isOfLog({ name, publicKey }: VerifierKey, note: string, logKeys: readonly VerifierKey[]): boolean {
  return note.startsWith(`${name}\n`) || logKeys.some((logKey) => equalBytes(logKey.publicKey, publicKey));
}
