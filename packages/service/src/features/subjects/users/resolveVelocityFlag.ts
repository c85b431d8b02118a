import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { userPath } from '../../../domain/externalId.js';
import type { Tx } from '../../../kit/db/database.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../../kit/http/route.js';
import { recordActivity } from '../../../ledger/activity.js';
import {
  type FrozenMember,
  findLiveSubject,
  type LiveSubject,
  thawRecord,
} from '../../../ledger/recompute/velocity.js';
import { addressedSubjectId } from '../../../ledger/requests/addressedSubject.js';
import type { UserDeps } from './deps.js';
import type { VelocityQuery } from './schemas.js';

type Context = RequestContext<
  OperatorAccess,
  undefined,
  z.output<typeof VelocityQuery>,
  z.output<typeof userPath>
>;

/**
 * POST /admin/users/{id}/resolve-velocity-flag: the score of the whole record moves again, and the guard counts from now on.
 * Each platform finds the fact in its own trail, about its own subject. Done twice, the second time changes nothing.
 */
export async function resolveVelocityFlag(deps: UserDeps, { params, query }: Context): Promise<Answer> {
  const subjectId = addressedSubjectId({ ...params, platformId: query.platformId, livemode: true });
  const { subject, frozen } = await deps.db.transaction((tx) => thaw(tx, deps, subjectId));
  if (frozen.length > 0) deps.signal.queued();
  return ok({
    userId: subject.externalId,
    subjectId: subject.subjectId,
    platformId: subject.platformId,
    cleared: frozen.length > 0,
    frozenSince: frozen[0]?.frozenAt ?? null,
  });
}

async function thaw(
  tx: Tx,
  { clock, ids }: UserDeps,
  subjectId: string,
): Promise<{ subject: LiveSubject; frozen: FrozenMember[] }> {
  const subject = await findLiveSubject(tx, subjectId);
  if (!subject) return fail('USER_NOT_FOUND', { message: 'No live subject has this id.' });
  const now = clock.now();
  const frozen = await thawRecord(tx, subject.subjectId, now);
  for (const member of frozen) {
    await recordActivity(tx, {
      id: ids.at(now),
      platformId: member.platformId,
      livemode: true,
      action: 'VELOCITY_FLAG_CLEARED',
      actor: 'operator',
      target: member.subjectId,
      subjectId: member.subjectId,
      details: { frozenSince: member.frozenAt },
      at: now,
    });
  }
  return { subject, frozen };
}
