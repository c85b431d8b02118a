import type { Vault } from '../../../kit/vault.js';
import type { SigningSecrets } from './hmacSignature.js';

/** What the signing secrets of endpoints are sealed as; see Vault. */
export const WEBHOOK_SECRET = 'webhook secret';

/** The secrets of an endpoint as they are stored. */
export interface SealedSecrets {
  readonly sealedSecret: Buffer;
  readonly sealedPreviousSecret: Buffer | null;
  /** Until then the previous one signs along. */
  readonly previousEndsAt: Date | null;
}

/** Secrets opened last are remembered: every attempt needs one, and opening it costs more than a signature with it. */
const MAX_REMEMBERED = 1000;

/** Opens the secrets that sign at a moment. Throws when they were sealed under another DATA_KEY. */
export function createSecretOpener(vault: Vault): (sealed: SealedSecrets, now: Date) => SigningSecrets {
  const opened = new Map<string, string>();
  return ({ sealedSecret, sealedPreviousSecret, previousEndsAt }, now) => {
    const current = open(sealedSecret);
    const signsAlong = sealedPreviousSecret !== null && previousEndsAt !== null && previousEndsAt > now;
    return signsAlong ? [current, open(sealedPreviousSecret)] : [current];
  };

  function open(sealed: Buffer): string {
    const key = sealed.toString('base64');
    const secret = opened.get(key) ?? vault.open(sealed, WEBHOOK_SECRET);
    // What was used last stands last, and what stands first goes first.
    opened.delete(key);
    opened.set(key, secret);
    const [oldest] = opened.keys();
    if (opened.size > MAX_REMEMBERED && oldest !== undefined) opened.delete(oldest);
    return secret;
  }
}
