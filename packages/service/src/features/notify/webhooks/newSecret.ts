import { randomBytes } from 'node:crypto';
import { DAY_MS } from '../../../domain/timestamp.js';

const SECRET_BYTES = 32;

/** `whsec_` and base64 of 32 random bytes (RULES H3). */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** How long a rotated secret signs along. */
export const PREVIOUS_SECRET_MS = DAY_MS;
