import { hashOfSecret } from '../../../kit/crypto.js';
import type { Vault } from '../../../kit/vault.js';

const NONCE_SECONDS = 300;
const CONTEXT = 'wallet nonce';

/** A nonce that was made here and still holds; whether it has been used before is written down under its hash. */
export interface OpenedNonce {
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

/** Says itself until when it holds, sealed: nothing is kept of a nonce that nobody uses, and any process can read it. */
export function makeNonce(vault: Vault, now: Date): string {
  return vault.seal(digitsOf(now.getTime() + NONCE_SECONDS * 1000), CONTEXT).toString('base64url');
}

/** Milliseconds since 1970, of one length. */
function digitsOf(ms: number): string {
  return String(ms).padStart(EXPIRY_DIGITS, '0');
}

const EXPIRY_DIGITS = 15;
/** What sealing adds to a text. */
const SEAL_BYTES = 28;

/** Null for a nonce that was not made here, and for one that has ended. */
export function openNonce(vault: Vault, nonce: string, now: Date): OpenedNonce | null {
  const sealed = Buffer.from(nonce, 'base64url');
  // One text for each nonce: another spelling of the same bytes would pass for an unused one.
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
