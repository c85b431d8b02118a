import type { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { Answer } from '../../../kit/http/answer.js';
import type { KeyAccess, RequestContext } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import { assertProfiled } from '../../../ledger/profile/qualifications.js';
import { subjectOf } from '../../../ledger/requests/userContext.js';
import type { ProfileDeps } from './deps.js';
import type { projectPath } from './schemas.js';
import { deleteProject } from './store.js';

/** DELETE /users/{id}/projects/{projectId} */
export async function removeProject(
  { db }: ProfileDeps,
  context: RequestContext<KeyAccess, undefined, undefined, z.output<typeof projectPath>>,
): Promise<Answer> {
  const { projectId } = context.params;
  const subjectId = subjectOf(context);
  if (isUuid(projectId) && (await deleteProject(db, subjectId, projectId)))
    return { status: 204, body: null };
  await assertProfiled(db, subjectId);
  return fail('NOT_FOUND', { message: 'The subject has no project with this id.' });
}
