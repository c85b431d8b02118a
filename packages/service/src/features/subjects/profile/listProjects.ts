import { z } from 'zod';
import { type Answer, ok } from '../../../kit/http/answer.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import { assertProfiled } from '../../../ledger/profile/qualifications.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/userContext.js';
import { findProjects } from '../projects.js';
import type { ProfileDeps } from './deps.js';
import type { PageQuery } from './schemas.js';
import { toProjectResponse } from './toResponse.js';

const ProjectCursor = z.tuple([z.uuid()]);

/** GET /users/{id}/projects: newest first. */
export async function listProjects(
  { db }: ProfileDeps,
  context: UserContext<z.output<typeof PageQuery>>,
): Promise<Answer> {
  const { query, params } = context;
  const [beforeId] = positionOf(query.cursor, ProjectCursor) ?? [null];
  const subjectId = subjectOf(context);
  await assertProfiled(db, subjectId);
  const rows = await findProjects(db, subjectId, beforeId, query.limit + 1);
  const page = pageOf(rows, query.limit, ({ id }) => [id]);
  return ok({
    projects: page.rows.map((row) => toProjectResponse(params.id, row)),
    nextCursor: page.nextCursor,
  });
}
