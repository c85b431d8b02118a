import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import { hashOfSecret } from '../../../kit/crypto.js';
import { type Answer, created } from '../../../kit/http/answer.js';
import { linkSubjects } from '../../../ledger/links/links.js';
import { refuseTestKey } from '../../../ledger/requests/liveKey.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { LinkDeps } from './deps.js';
import { assertKnown } from './liveSubject.js';
import type { LinkBody } from './schemas.js';
import { takeLinkToken } from './store.js';

/**
 * POST /users/{id}/links: the caller's subject and the one that the token was made for become one record. A link that is refused
 * leaves the token as it was.
 */
export async function linkUser(
  { clock, ids, withIdempotency, signal }: LinkDeps,
  context: UserContext<undefined, z.output<typeof LinkBody>>,
): Promise<Answer> {
  const { caller, body, claim } = context;
  refuseTestKey(caller);
  const now = clock.now();
  const subjectId = subjectOf(context);
  const answer = await withIdempotency(claim, { now }, async (tx) => {
    await assertKnown(tx, subjectId);
    const hostId = await takeLinkToken(tx, hashOfSecret(body.linkToken), now);
    if (hostId === null) return fail('LINK_TOKEN_INVALID');
    const act = { ids, now, actor: `key:${caller.keyId}` };
    return created({ linked: true, platforms: await linkSubjects(tx, act, subjectId, hostId) });
  });
  signal.queued();
  return answer;
}
