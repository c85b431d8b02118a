import { failValidation } from '../../../domain/errors.js';
import { type Networks, refusalOf } from '../../../kit/addressGuard.js';

/**
 * Refuses what nothing would ever be sent to, as far as the URL tells by itself (RULES H8): VALIDATION_ERROR. What its
 * host's addresses are is judged when a delivery connects.
 */
export function assertTargetUrl(url: string, allowed: Networks): void {
  const message = refusalOf(url, allowed);
  if (message !== null) failValidation([{ path: 'url', code: 'custom', message }]);
}

/** A URL without its path and query, which may hold a secret of the receiver's: as far as the audit trail tells it. */
export function originOf(url: string): string {
  return new URL(url).origin;
}
