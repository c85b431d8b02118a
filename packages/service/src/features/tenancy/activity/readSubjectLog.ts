import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { userPath } from '../../../domain/externalId.js';
import { type Answer, ok } from '../../../kit/http/answer.js';
import type { OperatorAccess, RequestContext } from '../../../kit/http/route.js';
import { newestPositionOf } from '../../../ledger/reads/newestPage.js';
import { addressedSubjectId } from '../../../ledger/requests/addressedSubject.js';
import type { ActivityDeps } from './deps.js';
import { entryOf } from './entry.js';
import type { AuditLogQuery } from './schemas.js';
import { hasSubject, readAuditLog } from './store.js';

type Context = RequestContext<
  OperatorAccess,
  undefined,
  z.output<typeof AuditLogQuery>,
  z.output<typeof userPath>
>;

/** GET /admin/users/{id}/audit-log: all that happened to one subject, newest first. */
export async function readSubjectLog({ db }: ActivityDeps, { params, query }: Context): Promise<Answer> {
  const { platformId, livemode = true, cursor, limit } = query;
  const subjectId = addressedSubjectId({ ...params, platformId, livemode });
  if (!(await hasSubject(db, subjectId))) {
    fail('USER_NOT_FOUND', { message: 'There is no subject with this id.' });
  }
  const { rows, nextCursor } = await readAuditLog(db, subjectId, newestPositionOf(cursor), limit);
  return ok({ activity: rows.map(entryOf), nextCursor });
}
