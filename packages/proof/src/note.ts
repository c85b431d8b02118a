import { concat, fromBase64, toBase64, toHex, utf8 } from './bytes.js';
import { sha256 } from './sha256.js';

/** A note, key or checkpoint that is not as C2SP signed-note and tlog-checkpoint want it, or not signed as it should be. */
export class NoteError extends Error {
  override name = 'NoteError';
}

/** The types of signatures that are read: Ed25519 over the text, and Ed25519 with the time of a witness (cosignature/v1). */
export const signatureTypes = { ed25519: 0x01, cosignature: 0x04 } as const;

export type SignatureType = (typeof signatureTypes)[keyof typeof signatureTypes];

export interface VerifierKey {
  name: string;
  /** 8 hexadecimal digits */
  id: string;
  type: SignatureType;
  /** 32 bytes */
  publicKey: Uint8Array;
}

export interface NoteSignature {
  name: string;
  keyId: string;
  signature: Uint8Array;
}

export interface Note {
  /** with its last newline */
  text: string;
  signatures: NoteSignature[];
}

/** Signs with Ed25519 (RFC 8032): 64 bytes. */
export type Ed25519Sign = (message: Uint8Array) => Uint8Array | Promise<Uint8Array>;

const PUBLIC_KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const MAX_SIGNATURES = 100;
const DASH = '\u2014 ';

export function verifierKey(
  name: string,
  publicKey: Uint8Array,
  type: SignatureType = signatureTypes.ed25519,
): VerifierKey {
  if (!isKeyName(name))
    throw new NoteError(`A key name is not empty and has no white space and no "+": ${JSON.stringify(name)}`);
  if (publicKey.length !== PUBLIC_KEY_BYTES)
    throw new NoteError(`An Ed25519 public key has ${PUBLIC_KEY_BYTES} bytes, not ${publicKey.length}`);
  const hash = sha256(concat(utf8(`${name}\n`), Uint8Array.of(type), publicKey));
  return { name, id: toHex(hash.subarray(0, KEY_ID_BYTES)), type, publicKey };
}

/** `name+id+base64(type ‖ public key)`, the form in which keys are published and configured. */
export function formatVerifierKey({ name, id, type, publicKey }: VerifierKey): string {
  return `${name}+${id}+${toBase64(concat(Uint8Array.of(type), publicKey))}`;
}

/** Throws NoteError with what is wrong. */
export function parseVerifierKey(text: string): VerifierKey {
  const [, name = '', id, encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/s.exec(text) ?? [];
  const material = fromBase64(encoded);
  if (!material?.length)
    throw new NoteError(
      `A verifier key has the form name+8 hexadecimal digits+base64: ${JSON.stringify(text)}`,
    );
  const type = Object.values(signatureTypes).find((known) => known === material[0]);
  if (type === undefined)
    throw new NoteError(`The verifier key ${name} has the unknown signature type ${material[0]}`);
  const key = verifierKey(name, material.slice(1), type);
  if (key.id !== id) throw new NoteError(`The id of the verifier key ${name} is ${key.id}, not ${id}`);
  return key;
}

function isKeyName(name: string): boolean {
  return /^[^\p{White_Space}\p{Cc}+]+$/u.test(name) && name.isWellFormed();
}

/** Reads a signed note (C2SP signed-note). Verifies nothing. Throws NoteError with what is wrong. */
export function parseNote(note: string): Note {
  if (!note.isWellFormed()) throw new NoteError('The note is not valid Unicode');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what a note must not have
  const control = /[\x00-\x09\x0b-\x1f]/.exec(note);
  if (control) throw new NoteError(`The note has the control character ${JSON.stringify(control[0])}`);
  const end = note.lastIndexOf('\n\n');
  if (end < 0) throw new NoteError('The note has no empty line between its text and its signatures');
  if (!note.endsWith('\n')) throw new NoteError('The last signature line of the note has no newline');
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES)
    throw new NoteError(`The note has ${lines.length} signatures, at most ${MAX_SIGNATURES} are read`);
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignatureLine) };
}

function parseSignatureLine(line: string): NoteSignature {
  const [, name = '', encoded = ''] = /^\u2014 ([^ ]+) ([^ ]+)$/.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  if (!isKeyName(name) || !bytes || bytes.length <= KEY_ID_BYTES)
    throw new NoteError(`Not a signature line: ${JSON.stringify(line)}`);
  return { name, keyId: toHex(bytes.subarray(0, KEY_ID_BYTES)), signature: bytes.slice(KEY_ID_BYTES) };
}

/** Writes a note. Throws NoteError for a text or a name that a note cannot hold. */
export function formatNote({ text, signatures }: Note): string {
  const note = `${text}\n${signatures.map(formatSignature).join('')}`;
  // An empty line between signatures, or none after the text, would move the border between the two.
  if (parseNote(note).text !== text) throw new NoteError('The text of a note ends with a newline');
  return note;
}

/** A line of a note, with its newline. */
export function formatSignature({ name, keyId, signature }: NoteSignature): string {
  const id = Uint8Array.from(keyId.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  return `${DASH}${name} ${toBase64(concat(id, signature))}\n`;
}

/** The signature of a log (type Ed25519). */
export async function signNoteText(
  text: string,
  key: VerifierKey,
  sign: Ed25519Sign,
): Promise<NoteSignature> {
  return { name: key.name, keyId: key.id, signature: await sign(utf8(text)) };
}

/** The signature of a witness at a time (type cosignature/v1). */
export async function cosignNoteText(
  text: string,
  key: VerifierKey,
  unixSeconds: number,
  sign: Ed25519Sign,
): Promise<NoteSignature> {
  const time = new Uint8Array(8);
  new DataView(time.buffer).setBigUint64(0, BigInt(unixSeconds));
  const signature = concat(time, await sign(cosignedMessage(text, BigInt(unixSeconds))));
  return { name: key.name, keyId: key.id, signature };
}

/** What a witness signs (C2SP tlog-cosignature). */
export function cosignedMessage(text: string, unixSeconds: bigint): Uint8Array {
  return utf8(`cosignature/v1\ntime ${unixSeconds}\n${text}`);
}
