import { fail } from '../../domain/errors.js';
import type { KeyCaller } from '../../kit/http/route.js';

/** What is made up in test mode never becomes trust that others can check: TEST_MODE_NOT_ALLOWED (RULES T2). */
export function refuseTestKey({ livemode }: KeyCaller): void {
  if (!livemode) fail('TEST_MODE_NOT_ALLOWED');
}
