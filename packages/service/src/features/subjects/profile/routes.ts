import { userPath } from '../../../domain/externalId.js';
import { noContent, ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { subjectOf } from '../../../ledger/requests/userContext.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { addProject, deleteProject, listProjects } from './projects.js';
import { listQualifications, readVerifiedProfile, recordQualification } from './qualifications.js';
import {
  PageQuery,
  ProjectBody,
  ProjectPage,
  ProjectResponse,
  projectPath,
  QualificationBody,
  QualificationPage,
  QualificationRecorded,
  VerifiedProfile,
} from './schemas.js';

type ProfileDeps = Pick<ServiceDeps, 'db' | 'clock' | 'ids' | 'withIdempotency'>;

/** Qualifications and projects of a subject (RULES E11, R9). They never affect a score. */
export function profileRoutes(deps: ProfileDeps): RouteTable {
  const ofSubject = {
    access: keyFor('scores'),
    tag: 'Profile',
    params: userPath,
    errors: ['USER_NOT_FOUND'],
  } as const;
  return {
    'POST /users/{id}/qualifications': route({
      operationId: 'recordQualification',
      ...ofSubject,
      summary: 'Record a qualification',
      description:
        'A qualification is not an event: it affects no score and no total. `isVerified` takes effect only if `verifiedBy` names ' +
        'another party (not the subject, who runs it, or your platform). Otherwise the qualification is recorded as ' +
        'self-reported, with the warning `VERIFICATION_DOWNGRADED`. You must have reported an event of the subject, or have ' +
        'a confirmed reference about it.',
      idempotent: true,
      body: QualificationBody,
      answers: { 201: QualificationRecorded },
      handle: (context) => recordQualification(deps, context),
    }),
    'GET /users/{id}/qualifications': route({
      operationId: 'listQualifications',
      ...ofSubject,
      summary: "List a subject's qualifications",
      description: 'Verified and self-reported ones. You see only your own entries.',
      query: PageQuery,
      answers: { 200: QualificationPage },
      handle: async (context) => ok(await listQualifications(deps.db, context)),
    }),
    'POST /users/{id}/projects': route({
      operationId: 'addProject',
      ...ofSubject,
      summary: 'Add a link to own work',
      description: 'The link is shown as its owner presents it. It is never opened, verified or scored.',
      idempotent: true,
      body: ProjectBody,
      answers: { 201: ProjectResponse },
      handle: (context) => addProject(deps, context),
    }),
    'GET /users/{id}/projects': route({
      operationId: 'listProjects',
      ...ofSubject,
      summary: "List a subject's projects",
      description:
        'The links to own work that you have added for the subject, newest first. They are never opened, verified or ' +
        'scored.',
      query: PageQuery,
      answers: { 200: ProjectPage },
      handle: async (context) => ok(await listProjects(deps.db, context)),
    }),
    'DELETE /users/{id}/projects/{projectId}': route({
      operationId: 'deleteProject',
      ...ofSubject,
      params: projectPath,
      summary: 'Delete a project',
      description:
        'Removes the link from the profile and from later exports. No score changes, since projects are never scored. ' +
        '404 `NOT_FOUND` for a project that is already deleted.',
      answers: { 204: null },
      errors: ['USER_NOT_FOUND', 'NOT_FOUND'],
      async handle({ owner, params }) {
        await deleteProject(deps.db, subjectOf({ owner, params }), params.projectId);
        return noContent();
      },
    }),
    'GET /users/{id}/verified-profile': route({
      operationId: 'readVerifiedProfile',
      ...ofSubject,
      summary: 'Read the verified profile',
      description:
        'Counts of verified and self-reported qualifications by kind, with the verified qualifications themselves. For ' +
        'a linked subject you see only your own entries.',
      answers: { 200: VerifiedProfile },
      handle: async (context) => ok(await readVerifiedProfile(deps, context)),
    }),
  };
}
