import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/**
 * SHA-256 of the parts. The length of each part is hashed before it, so two different lists never
 * hash the same bytes.
 */
export function sha256(...parts: readonly (string | Buffer)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest();
}

/** SHA-256 of a text, the form in which keys and tokens are stored. */
export function hashOfSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/**
 * A UUIDv8 (RFC 9562) derived from its parts: the same parts always give the same id. It consists
 * of the first bytes of `sha256`, computed in one call on text, since every request about a subject
 * needs one.
 */
export function derivedUuid(...parts: readonly string[]): string {
  const preceded = parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join('');
  const hex = hash('sha256', preceded, 'hex');
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Random bytes (default: 32) as base64url, after the prefix. */
export function randomSecret(prefix: string, bytes = 32): string {
  return prefix + randomBytes(bytes).toString('base64url');
}

/** Compares in constant time. Both texts are hashed first, so the lengths never differ. */
export function isSameSecret(left: string, right: string): boolean {
  return timingSafeEqual(hashOfSecret(left), hashOfSecret(right));
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with AES-256-GCM under a key derived (HKDF-SHA-256) from secrets that are not stored.
 * Layout: nonce, tag, ciphertext.
 */
export function seal(plaintext: string, secret: string, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealingKey(secret, context), nonce);
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Decrypts the output of `seal`; null if the secret or the context differs. */
export function unseal(sealed: Buffer, secret: string, context: string): string | null {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(secret, context), nonce);
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const opened = decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function sealingKey(secret: string, context: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', context, 32));
}
