import type { z } from 'zod';
import { type Answer, created } from '../../../kit/http/answer.js';
import { refuseTestKey } from '../../../ledger/requests/liveKey.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { SharingDeps } from './deps.js';
import type { ShareBody } from './schemas.js';

/** POST /users/{id}/share-token: the active token, or a new one. A replay under an Idempotency-Key is for the same caller alone. */
export async function mintShareToken(
  { clock, withIdempotency, shareTokens }: SharingDeps,
  context: UserContext<undefined, z.output<typeof ShareBody>>,
): Promise<Answer> {
  const { caller, body, claim } = context;
  refuseTestKey(caller);
  const now = clock.now();
  const act = { subjectId: subjectOf(context), actor: `key:${caller.keyId}`, now };
  return withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const { token, verifyUrl, badgeUrl, includeProfile, createdAt } = await shareTokens.ensure(
      tx,
      act,
      body.includeProfile,
    );
    return created({ shareToken: token, verifyUrl, badgeUrl, includeProfile, createdAt });
  });
}
