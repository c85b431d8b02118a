import { utf8 } from './bytes.js';
import {
  cosignedMessage,
  type Note,
  NoteError,
  type NoteSignature,
  signatureTypes,
  type VerifierKey,
} from './note.js';

/** Verifies an Ed25519 signature (RFC 8032). */
export type Ed25519Verify = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>;

/** A signature by a known key. */
export interface CheckedSignature {
  key: VerifierKey;
  isValid: boolean;
  /** When the witness signed. Null for other signatures. */
  unixSeconds: number | null;
}

const ED25519_BYTES = 64;

/** The signatures of a note by these keys. Those of other keys are ignored, also if they share a name or an id. */
export async function checkSignatures(
  note: Note,
  keys: readonly VerifierKey[],
  verify: Ed25519Verify = verifyByWebCrypto,
): Promise<CheckedSignature[]> {
  const checked: CheckedSignature[] = [];
  for (const signature of note.signatures) {
    const key = keys.find(({ name, id }) => name === signature.name && id === signature.keyId);
    if (key) checked.push(await checkSignature(note.text, signature, key, verify));
  }
  return checked;
}

/**
 * The valid signatures of a note. Throws NoteError if a signature by a known key is not valid, or if there is none by a known key:
 * the text of such a note must not be used.
 */
export async function openNote(
  note: Note,
  keys: readonly VerifierKey[],
  verify: Ed25519Verify = verifyByWebCrypto,
): Promise<CheckedSignature[]> {
  const checked = await checkSignatures(note, keys, verify);
  const invalid = checked.find(({ isValid }) => !isValid);
  if (invalid) throw new NoteError(`The signature by ${invalid.key.name} is not valid`);
  if (checked.length === 0) throw new NoteError('The note is not signed by a known key');
  return checked;
}

async function checkSignature(
  text: string,
  { signature }: NoteSignature,
  key: VerifierKey,
  verify: Ed25519Verify,
): Promise<CheckedSignature> {
  if (key.type === signatureTypes.ed25519) {
    const isValid =
      signature.length === ED25519_BYTES && (await verify(key.publicKey, utf8(text), signature));
    return { key, isValid, unixSeconds: null };
  }
  if (signature.length !== 8 + ED25519_BYTES) return { key, isValid: false, unixSeconds: null };
  const time = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
  const isValid =
    time < 2n ** 63n && (await verify(key.publicKey, cosignedMessage(text, time), signature.subarray(8)));
  return { key, isValid, unixSeconds: Number(time) };
}

/** Node 20 and current browsers. False for a key that is no point of the curve. */
export async function verifyByWebCrypto(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', copy(publicKey), 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, copy(signature), copy(message));
  } catch (error) {
    if (error instanceof DOMException && error.name === 'DataError') return false;
    throw error;
  }
}

/** WebCrypto's types want bytes that no other thread shares. */
function copy(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes);
}
