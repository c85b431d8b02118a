import { userPath } from '../../../domain/externalId.js';
import { keyFor, type RouteTable, route } from '../../../kit/http/route.js';
import { addProject } from './addProject.js';
import type { ProfileDeps } from './deps.js';
import { listProjects } from './listProjects.js';
import { listQualifications } from './listQualifications.js';
import { readVerifiedProfile } from './readVerifiedProfile.js';
import { recordQualification } from './recordQualification.js';
import { removeProject } from './removeProject.js';
import {
  PageQuery,
  ProjectBody,
  ProjectPage,
  ProjectRecord,
  projectPath,
  QualificationBody,
  QualificationPage,
  QualificationRecorded,
  VerifiedProfile,
} from './schemas.js';

/** What is known of a subject beside its outcomes (RULES E11, R9). None of it ever reaches a score. */
export function profileRoutes(deps: ProfileDeps): RouteTable {
  const ofSubject = {
    access: keyFor('scores'),
    tag: 'Profile',
    params: userPath,
    errors: ['USER_NOT_FOUND'] as const,
  };
  return {
    'POST /users/{id}/qualifications': route({
      operationId: 'recordQualification',
      ...ofSubject,
      summary: 'Record a qualification',
      description:
        'Not an event: it moves no score and counts in no total. `isVerified` counts only with a `verifiedBy` that names another ' +
        'party (not the subject, who runs it, or your platform); else it is recorded as self-reported, with the warning `VERIFICATION_DOWNGRADED`. The subject ' +
        'is one that you have reported an event of, or that a confirmed reference of yours speaks of.',
      writesLedger: true,
      idempotent: true,
      body: QualificationBody,
      answers: { 201: QualificationRecorded },
      handle: (context) => recordQualification(deps, context),
    }),
    'GET /users/{id}/qualifications': route({
      operationId: 'listQualifications',
      ...ofSubject,
      summary: "List a subject's qualifications",
      description: 'Verified and self-reported ones, your own entries alone.',
      query: PageQuery,
      answers: { 200: QualificationPage },
      handle: (context) => listQualifications(deps, context),
    }),
    'POST /users/{id}/projects': route({
      operationId: 'addProject',
      ...ofSubject,
      summary: 'Add a link to own work',
      description: 'Shown as its owner presents it: never opened, never verified, never scored.',
      idempotent: true,
      body: ProjectBody,
      answers: { 201: ProjectRecord },
      handle: (context) => addProject(deps, context),
    }),
    'GET /users/{id}/projects': route({
      operationId: 'listProjects',
      ...ofSubject,
      summary: "List a subject's projects",
      description:
        'The links to own work that you have added for the subject, newest first. They are self-presented: never ' +
        'opened, never verified and never scored.',
      query: PageQuery,
      answers: { 200: ProjectPage },
      handle: (context) => listProjects(deps, context),
    }),
    'DELETE /users/{id}/projects/{projectId}': route({
      operationId: 'deleteProject',
      ...ofSubject,
      params: projectPath,
      summary: 'Delete a project',
      description:
        'Removes the link from the profile and from later exports. No score moves, since none of them was ever ' +
        'scored. 404 `NOT_FOUND` for a project that is already deleted.',
      answers: { 204: null },
      errors: ['USER_NOT_FOUND', 'NOT_FOUND'],
      handle: (context) => removeProject(deps, context),
    }),
    'GET /users/{id}/verified-profile': route({
      operationId: 'readVerifiedProfile',
      ...ofSubject,
      summary: 'Read the verified profile',
      description:
        'Counts of what others confirmed and of what is self-reported, kind by kind, with the verified qualifications ' +
        'themselves. A linked subject shows your own entries alone.',
      answers: { 200: VerifiedProfile },
      handle: (context) => readVerifiedProfile(deps, context),
    }),
  };
}
