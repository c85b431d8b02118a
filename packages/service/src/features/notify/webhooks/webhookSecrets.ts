import { randomBytes } from 'node:crypto';
import type { Vault } from '#kit/crypto.js';
import type { SigningSecrets } from './signDelivery.js';

/** The context under which signing secrets are sealed; see Vault. */
export const WEBHOOK_SECRET = 'webhook secret';

const SECRET_BYTES = 32;

/** `whsec_` and base64 of 32 random bytes (RULES H3). */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** The stored secrets of an endpoint. */
export interface SealedSecrets {
  readonly sealedSecret: Buffer;
  readonly sealedPreviousSecret: Buffer | null;
  /** Until then the previous secret signs as well. */
  readonly previousEndsAt: Date | null;
}

/**
 * Size of the cache of opened secrets. Each attempt needs one, and opening costs more than signing.
 */
const MAX_CACHED = 1000;

/** Opens the secrets that sign at a moment. Throws if they were sealed under another DATA_KEY. */
export function createSecretOpener(vault: Vault): (sealed: SealedSecrets, now: Date) => SigningSecrets {
  const opened = new Map<string, string>();
  return ({ sealedSecret, sealedPreviousSecret, previousEndsAt }, now) => {
    const current = open(sealedSecret);
    const hasPrevious = sealedPreviousSecret !== null && previousEndsAt !== null && previousEndsAt > now;
    return hasPrevious ? [current, open(sealedPreviousSecret)] : [current];
  };

  function open(sealed: Buffer): string {
    const key = sealed.toString('base64');
    const secret = opened.get(key) ?? vault.open(sealed, WEBHOOK_SECRET);
    // A Map iterates in the order of insertion, so the first key is the least recently used.
    opened.delete(key);
    opened.set(key, secret);
    const [oldest] = opened.keys();
    if (opened.size > MAX_CACHED && oldest !== undefined) opened.delete(oldest);
    return secret;
  }
}
