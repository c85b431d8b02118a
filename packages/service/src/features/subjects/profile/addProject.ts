import type { z } from 'zod';
import { type Answer, created } from '../../../kit/http/answer.js';
import { lockProfiled } from '../../../ledger/profile/qualifications.js';
import type { UserContext } from '../../../ledger/requests/userContext.js';
import type { Project } from '../projects.js';
import { ownerOf, type ProfileDeps } from './deps.js';
import type { ProjectBody } from './schemas.js';
import { insertProject } from './store.js';
import { toProjectResponse } from './toResponse.js';

/** POST /users/{id}/projects: a link as its owner presents it. Nobody opens it, and nothing is made of it. */
export async function addProject(
  { clock, ids, withIdempotency }: ProfileDeps,
  context: UserContext<undefined, z.output<typeof ProjectBody>>,
): Promise<Answer> {
  const { body, claim, params } = context;
  const now = clock.now();
  const owner = ownerOf(context);
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
    return created(toProjectResponse(params.id, project));
  });
}
