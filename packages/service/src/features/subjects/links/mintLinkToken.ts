import { hashOfSecret, randomSecret } from '../../../kit/crypto.js';
import { type Answer, created } from '../../../kit/http/answer.js';
import { refuseTestKey } from '../../../ledger/requests/liveKey.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { LinkDeps } from './deps.js';
import { assertKnown } from './liveSubject.js';
import { insertLinkToken } from './store.js';

const LIFETIME_MS = 15 * 60 * 1000;

/** POST /users/{id}/link-token: shown this once, kept as a hash, good for one link within a quarter of an hour. */
export async function mintLinkToken(
  { clock, withIdempotency }: LinkDeps,
  context: UserContext,
): Promise<Answer> {
  refuseTestKey(context.caller);
  const now = clock.now();
  const subjectId = subjectOf(context);
  return withIdempotency(context.claim, { now, isSecret: true }, async (tx) => {
    await assertKnown(tx, subjectId);
    const linkToken = randomSecret('lkt_');
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    await insertLinkToken(tx, { tokenHash: hashOfSecret(linkToken), subjectId, expiresAt });
    return created({ linkToken, expiresAt });
  });
}
