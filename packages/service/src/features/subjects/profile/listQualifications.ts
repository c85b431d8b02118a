import { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import { assertProfiled, findQualifications } from '../../../ledger/profile/qualifications.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import type { ProfileDeps } from './deps.js';
import type { PageQuery } from './schemas.js';
import { toQualificationResponse } from './toResponse.js';

const QualificationCursor = z.tuple([z.uuid()]);

/** GET /users/{id}/qualifications: newest first, verified and self-reported alike. */
export async function listQualifications(
  { db }: ProfileDeps,
  context: UserContext<z.output<typeof PageQuery>>,
): Promise<Answer> {
  const { query, params } = context;
  const [beforeId] = positionOf(query.cursor, QualificationCursor) ?? [null];
  const subjectId = subjectOf(context);
  await assertProfiled(db, subjectId);
  const rows = await findQualifications(db, subjectId, beforeId, query.limit + 1);
  const page = pageOf(rows, query.limit, ({ id }) => [id]);
  const qualifications = page.rows.map((row) => toQualificationResponse(params.id, row));
  return ok({ qualifications, nextCursor: page.nextCursor });
}
