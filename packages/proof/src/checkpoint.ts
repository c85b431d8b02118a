import { fromBase64, toBase64 } from './bytes.js';
import { NoteError } from './note.js';
import { HASH_BYTES } from './sha256.js';

/** The head of a log: the text of a signed note (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** The identity of the log. */
  origin: string;
  /** leaves */
  size: number;
  root: Uint8Array;
  /** Further lines, which no rule gives a meaning. */
  extensions: string[];
}

export function formatCheckpoint({ origin, size, root, extensions }: Checkpoint): string {
  const text = [origin, size, toBase64(root), ...extensions].map((line) => `${line}\n`).join('');
  parseCheckpoint(text);
  return text;
}

/** Reads the text of a checkpoint's note. Throws NoteError with what is wrong. */
export function parseCheckpoint(text: string): Checkpoint {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length < 3 || lines.includes(''))
    throw new NoteError('A checkpoint has at least three lines, each with a newline and none empty');
  const [origin = '', sizeLine = '', rootLine = '', ...extensions] = lines;
  const size = Number(sizeLine);
  if (!/^(0|[1-9]\d*)$/.test(sizeLine) || !Number.isSafeInteger(size))
    throw new NoteError(`Not the size of a log: ${JSON.stringify(sizeLine)}`);
  const root = fromBase64(rootLine);
  if (root?.length !== HASH_BYTES)
    throw new NoteError(`Not the base64 of ${HASH_BYTES} bytes: ${JSON.stringify(rootLine)}`);
  return { origin, size, root, extensions };
}
