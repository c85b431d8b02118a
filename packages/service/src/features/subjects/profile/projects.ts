import { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { insertRow, pick } from '../../../kit/db/rows.js';
import { created, type TypedAnswer } from '../../../kit/http/answer.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import { isUuid } from '../../../kit/ids.js';
import { assertProfiled, lockProfiled, type ProfileOwner } from '../../../ledger/profile/qualifications.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { findProjects, type Project } from '../projects.js';
import type { PageQuery, ProjectBody, ProjectPage, ProjectResponse } from './schemas.js';

/** POST /users/{id}/projects: a link as its owner presents it. The service never opens it. */
export function addProject(
  { clock, ids, withIdempotency }: Pick<ServiceDeps, 'clock' | 'ids' | 'withIdempotency'>,
  context: UserContext<undefined, z.output<typeof ProjectBody>>,
): Promise<TypedAnswer<201, ProjectResponse>> {
  const { body, claim, params } = context;
  const now = clock.now();
  const { platformId, livemode } = context.owner;
  const owner = { platformId, livemode, subjectId: subjectOf(context) };
  return withIdempotency(claim, { now }, async (tx) => {
    await lockProfiled(tx, owner);
    const project: Project = {
      id: ids.at(now),
      title: body.title,
      url: body.url,
      description: body.description ?? null,
      startedAt: body.startedAt ?? null,
      completedAt: body.completedAt ?? null,
      createdAt: now,
    };
    await insertProject(tx, owner, project);
    return created(toProject(params.id, project));
  });
}

const ProjectCursor = z.tuple([z.uuid()]);

/** GET /users/{id}/projects: newest first. Throws USER_NOT_FOUND. */
export async function listProjects(
  db: Queryable,
  context: UserContext<z.output<typeof PageQuery>>,
): Promise<ProjectPage> {
  const { query, params } = context;
  const [beforeId] = positionOf(query.cursor, ProjectCursor) ?? [null];
  const subjectId = subjectOf(context);
  await assertProfiled(db, subjectId);
  const rows = await findProjects(db, subjectId, beforeId, query.limit + 1);
  const page = pageOf(rows, query.limit, ({ id }) => [id]);
  return { projects: page.rows.map((row) => toProject(params.id, row)), nextCursor: page.nextCursor };
}

function toProject(userId: string, { id, ...rest }: Project): ProjectResponse {
  return { id, userId, ...rest };
}

/**
 * DELETE /users/{id}/projects/{projectId}. Throws USER_NOT_FOUND, or NOT_FOUND for an unknown
 * project.
 */
export async function deleteProject(db: Queryable, subjectId: string, id: string): Promise<void> {
  if (isUuid(id) && (await deleteProjectRow(db, subjectId, id))) return;
  await assertProfiled(db, subjectId);
  fail('NOT_FOUND', { message: 'The subject has no project with this id.' });
}

async function insertProject(
  tx: Tx,
  { subjectId, platformId, livemode }: ProfileOwner,
  project: Project,
): Promise<void> {
  await insertRow(tx, 'project', {
    ...pick(project, 'title', 'url', 'description', 'startedAt', 'completedAt', 'createdAt'),
    subjectId,
    projectId: project.id,
    platformId,
    livemode,
  });
}

export async function countProjects(db: Queryable, subjectId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::integer as count from project where subject_id = $1',
    [subjectId],
  );
  return row?.count ?? 0;
}

/** False if the subject has no such project. */
async function deleteProjectRow(db: Queryable, subjectId: string, id: string): Promise<boolean> {
  const count = await db.execute('delete from project where subject_id = $1 and project_id = $2', [
    subjectId,
    id,
  ]);
  return count === 1;
}
