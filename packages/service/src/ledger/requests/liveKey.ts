import { fail } from '../../domain/errors.js';
import type { KeyCaller } from '../../kit/http/route.js';

/**
 * Throws TEST_MODE_NOT_ALLOWED for a test key: test data must never become a credential that others
 * can verify (RULES T2).
 */
export function refuseTestKey({ livemode }: KeyCaller): void {
  if (!livemode) fail('TEST_MODE_NOT_ALLOWED');
}
