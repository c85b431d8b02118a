import { userPath } from '../../../domain/externalId.js';
import { noContent, ok } from '../../../kit/http/answer.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { subjectOf } from '../../../ledger/requests/addressedSubject.js';
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
      idempotent: true,
      body: QualificationBody,
      answers: { 201: QualificationRecorded },
      handle: (context) => recordQualification(deps, context),
    }),
    'GET /users/{id}/qualifications': route({
      operationId: 'listQualifications',
      ...ofSubject,
      query: PageQuery,
      answers: { 200: QualificationPage },
      handle: async (context) => ok(await listQualifications(deps.db, context)),
    }),
    'POST /users/{id}/projects': route({
      operationId: 'addProject',
      ...ofSubject,
      idempotent: true,
      body: ProjectBody,
      answers: { 201: ProjectResponse },
      handle: (context) => addProject(deps, context),
    }),
    'GET /users/{id}/projects': route({
      operationId: 'listProjects',
      ...ofSubject,
      query: PageQuery,
      answers: { 200: ProjectPage },
      handle: async (context) => ok(await listProjects(deps.db, context)),
    }),
    'DELETE /users/{id}/projects/{projectId}': route({
      operationId: 'deleteProject',
      ...ofSubject,
      params: projectPath,
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
      answers: { 200: VerifiedProfile },
      handle: async (context) => ok(await readVerifiedProfile(deps, context)),
    }),
  };
}
