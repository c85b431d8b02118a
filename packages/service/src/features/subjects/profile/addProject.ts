import type { z } from 'zod';
import { type Answer, created } from '../../../kit/http/answer.js';
import { holdProfiled } from '../../../ledger/qualifications.js';
import type { UserContext } from '../../../ledger/userContext.js';
import type { Project } from '../projects.js';
import { ownerOf, type ProfileParts } from './parts.js';
import type { ProjectBody } from './schemas.js';
import { shownProject } from './shown.js';
import { insertProject } from './store.js';

/** POST /users/{id}/projects: a link as its owner presents it. Nobody opens it, and nothing is made of it. */
export async function addProject(
  { clock, ids, once }: ProfileParts,
  context: UserContext<undefined, z.output<typeof ProjectBody>>,
): Promise<Answer> {
  const { body, claim, params } = context;
  const now = clock.now();
  const owner = ownerOf(context);
  return once.run(claim, { now }, async (tx) => {
    await holdProfiled(tx, owner);
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
    return created(shownProject(params.id, project));
  });
}
