import { fail } from '../../../domain/errors.js';

/** One answer to every key that does not open: which of the reasons it is, is nobody's business but its owner's. */
export function refuseKey(): never {
  return fail('UNAUTHORIZED', {
    message:
      'A valid API key is needed: Authorization: Bearer crd_live_... or crd_test_... A key that is missing, malformed, unknown, ' +
      'revoked, expired or of an inactive platform opens nothing.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
