import type { z } from 'zod';
import { created, type TypedAnswer } from '../../../kit/http/answer.js';
import type { ShareAct, ShareTokens } from '../../../ledger/issuing/shareTokens.js';
import {
  addressedSubjectId,
  refuseTestKey,
  subjectOf,
  type UserContext,
} from '../../../ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import type { MintedShareToken, OperatorShareQuery, ShareBody, WithdrawnShareToken } from './schemas.js';

export type ShareTokenDeps = Pick<ServiceDeps, 'db' | 'clock' | 'withIdempotency'> & {
  shareTokens: ShareTokens;
};

/**
 * POST /users/{id}/share-token: the active token, or a new one. Only the same caller can replay the
 * answer.
 */
export async function mintShareToken(
  { clock, withIdempotency, shareTokens }: ShareTokenDeps,
  context: UserContext<undefined, z.output<typeof ShareBody>>,
): Promise<TypedAnswer<201, MintedShareToken>> {
  const { caller, owner, body, claim } = context;
  refuseTestKey(caller);
  const now = clock.now();
  const act = { subjectId: subjectOf(context), actor: owner.actor, now };
  return withIdempotency(claim, { now, isSecret: true }, async (tx) => {
    const share = await shareTokens.ensure(tx, act, body.includeProfile);
    const { token: shareToken, verifyUrl, badgeUrl, includeProfile, createdAt } = share;
    return created({ shareToken, verifyUrl, badgeUrl, includeProfile, createdAt });
  });
}

/** DELETE /users/{id}/share-token */
export async function withdrawShareToken(
  deps: ShareTokenDeps,
  context: UserContext,
): Promise<WithdrawnShareToken> {
  refuseTestKey(context.caller);
  return withdraw(deps, { subjectId: subjectOf(context), actor: context.owner.actor });
}

/** DELETE /admin/users/{id}/share-token: the operator never sees the token. */
export async function withdrawAsOperator(
  deps: ShareTokenDeps,
  id: string,
  { platformId }: z.output<typeof OperatorShareQuery>,
): Promise<WithdrawnShareToken> {
  return withdraw(deps, {
    subjectId: addressedSubjectId({ id, platformId, livemode: true }),
    actor: 'operator',
  });
}

async function withdraw(
  { db, clock, shareTokens }: ShareTokenDeps,
  act: Omit<ShareAct, 'now'>,
): Promise<WithdrawnShareToken> {
  const now = clock.now();
  const wasActive = await db.transaction((tx) => shareTokens.withdraw(tx, { ...act, now }));
  return { revoked: true, alreadyRevoked: !wasActive };
}
