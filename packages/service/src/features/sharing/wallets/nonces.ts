import { hashOfSecret, SEAL_BYTES, type Vault } from '../../../kit/crypto.js';

const NONCE_SECONDS = 300;
const CONTEXT = 'wallet nonce';

/** A valid nonce of this service. Used nonces are stored by their hash. */
export interface OpenedNonce {
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

/**
 * The nonce is its own expiry, sealed. So unused nonces need no storage, and every process can read
 * them.
 */
export function makeNonce(vault: Vault, now: Date): string {
  return vault.seal(digitsOf(now.getTime() + NONCE_SECONDS * 1000), CONTEXT).toString('base64url');
}

/** Milliseconds since 1970, with a fixed number of digits. */
function digitsOf(ms: number): string {
  return String(ms).padStart(EXPIRY_DIGITS, '0');
}

const EXPIRY_DIGITS = 15;

/** Null for a nonce that is not from this service or has expired. */
export function openNonce(vault: Vault, nonce: string, now: Date): OpenedNonce | null {
  const sealed = Buffer.from(nonce, 'base64url');
  // Each nonce has one text: another encoding of the same bytes would count as unused.
  if (sealed.length !== SEAL_BYTES + EXPIRY_DIGITS || sealed.toString('base64url') !== nonce) return null;
  const expiresAt = expiryOf(vault, sealed);
  return expiresAt && expiresAt > now ? { hash: hashOfSecret(nonce), expiresAt } : null;
}

function expiryOf(vault: Vault, sealed: Buffer): Date | null {
  try {
    return new Date(Number(vault.open(sealed, CONTEXT)));
  } catch {
    return null;
  }
}
