import type { z } from 'zod';
import type { userPath } from '../../../domain/externalId.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../../kit/http/route.js';
import { addressedSubjectId } from '../../../ledger/requests/addressedSubject.js';
import { refuseTestKey } from '../../../ledger/requests/liveKey.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { ShareAct } from '../issuing/shareTokens.js';
import type { SharingDeps } from './deps.js';
import type { OperatorShareQuery } from './schemas.js';

/** DELETE /users/{id}/share-token */
export async function withdrawShareToken(deps: SharingDeps, context: UserContext): Promise<Answer> {
  refuseTestKey(context.caller);
  return withdraw(deps, { subjectId: subjectOf(context), actor: `key:${context.caller.keyId}` });
}

type OperatorContext = RequestContext<
  OperatorAccess,
  undefined,
  z.output<typeof OperatorShareQuery>,
  z.output<typeof userPath>
>;

/** DELETE /admin/users/{id}/share-token: the same by the operator, who is never shown the token. */
export async function withdrawAsOperator(
  deps: SharingDeps,
  { params, query }: OperatorContext,
): Promise<Answer> {
  const subjectId = addressedSubjectId({ ...params, platformId: query.platformId, livemode: true });
  return withdraw(deps, { subjectId, actor: 'operator' });
}

async function withdraw(
  { db, clock, shareTokens }: SharingDeps,
  act: Omit<ShareAct, 'now'>,
): Promise<Answer> {
  const now = clock.now();
  const wasActive = await db.transaction((tx) => shareTokens.withdraw(tx, { ...act, now }));
  return ok({ revoked: true, alreadyRevoked: !wasActive });
}
