import type { z } from 'zod';
import { fail } from '../../domain/errors.js';
import type { userPath } from '../../domain/externalId.js';
import type { Clock } from '../../kit/clock.js';
import type { Database } from '../../kit/db/database.js';
import { type Answer, ok } from '../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../kit/http/route.js';
import { type IdSource, isUuid } from '../../kit/ids.js';
import { recordActivity } from '../../ledger/activity.js';
import { subjectIdOf } from '../../ledger/subjectId.js';
import { findLiveSubject, thawRecord } from '../../ledger/velocity.js';
import type { VelocityQuery } from './schemas.js';

interface VelocityParts {
  db: Database;
  clock: Clock;
  ids: IdSource;
}

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
export function resolveVelocityFlag(parts: VelocityParts, { params, query }: Context): Promise<Answer> {
  const subjectId = query.platformId ? subjectIdOf(query.platformId, true, params.id) : params.id;
  if (!isUuid(subjectId)) {
    fail('USER_NOT_FOUND', {
      message: 'The path holds no id of a subject. To use an external id, name its platform in `platformId`.',
    });
  }
  const now = parts.clock.now();
  return parts.db.transaction(async (tx) => {
    const subject = await findLiveSubject(tx, subjectId);
    if (!subject) return fail('USER_NOT_FOUND', { message: 'No live subject has this id.' });
    const frozen = await thawRecord(tx, subject.recordId, now);
    for (const member of frozen) {
      await recordActivity(tx, {
        id: parts.ids.at(now),
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
    const [first] = frozen;
    return ok({
      userId: subject.externalId,
      subjectId: subject.subjectId,
      platformId: subject.platformId,
      cleared: first !== undefined,
      frozenSince: first?.frozenAt ?? null,
    });
  });
}
