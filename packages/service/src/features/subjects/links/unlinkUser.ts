import { type Answer, ok } from '../../../kit/http/answer.js';
import { unlinkSubject } from '../../../ledger/links/links.js';
import { refuseTestKey } from '../../../ledger/requests/liveKey.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { LinkDeps } from './deps.js';
import { assertKnown } from './liveSubject.js';

/** DELETE /users/{id}/links: the caller's own alias leaves the record. What others have there stays with them. */
export async function unlinkUser(
  { config, db, clock, ids, signal }: LinkDeps,
  context: UserContext,
): Promise<Answer> {
  const { caller } = context;
  refuseTestKey(caller);
  const now = clock.now();
  const subjectId = subjectOf(context);
  await db.transaction(async (tx) => {
    await assertKnown(tx, subjectId);
    const { velocityMaxPerHour } = config;
    await unlinkSubject(tx, { ids, now, actor: `key:${caller.keyId}`, velocityMaxPerHour }, subjectId);
  });
  signal.queued();
  return ok({ unlinked: true });
}
