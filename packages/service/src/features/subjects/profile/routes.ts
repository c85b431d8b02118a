import type { z } from 'zod';
import { isAttester } from '#domain/declaredSubject.js';
import { fail } from '#domain/errors.js';
import { userPath } from '#domain/externalId.js';
import type { Warning } from '#domain/readOutcomeEvent.js';
import { kindOfEventType, verifiedProfile } from '#domain/verifiedProfile.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow, pick } from '#kit/db/rows.js';
import { created, noContent, ok, type TypedAnswer } from '#kit/http/answer.js';
import { keyFor, type RouteTable, route } from '#kit/http/route.js';
import { isUuid } from '#kit/ids.js';
import { loadInsiders } from '#ledger/append/knownDeclarations.js';
import {
  assertProfiled,
  countQualifications,
  findQualifications,
  findVerifiedQualifications,
  insertQualification,
  lockProfiled,
  type ProfileOwner,
  type Qualification,
} from '#ledger/profile/qualifications.js';
import { subjectOf, type UserContext } from '#ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { findProjects, type Project } from '../projects.js';
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

/** GET /users/{id}/projects: newest first. Throws USER_NOT_FOUND. */
export async function listProjects(
  db: Queryable,
  context: UserContext<z.output<typeof PageQuery>>,
): Promise<ProjectPage> {
  const { query, params } = context;
  const subjectId = subjectOf(context);
  const page = await findProjects(db, subjectId, query);
  await assertProfiled(db, subjectId);
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

type Body = z.output<typeof QualificationBody>;

/**
 * POST /users/{id}/qualifications. A qualification counts as verified only if `verifiedBy` names
 * another party, and never if the platform runs the subject itself. Otherwise it is recorded as
 * self-reported, with a warning.
 */
export function recordQualification(
  { clock, ids, withIdempotency }: Pick<ServiceDeps, 'clock' | 'ids' | 'withIdempotency'>,
  context: UserContext<undefined, Body>,
): Promise<TypedAnswer<201, QualificationRecorded>> {
  const { body, caller, claim, params } = context;
  const now = clock.now();
  const { platformId, livemode } = context.owner;
  const owner = { platformId, livemode, subjectId: subjectOf(context) };
  return withIdempotency(claim, { now }, async (tx) => {
    await lockProfiled(tx, owner);
    const insiders = (await loadInsiders(tx, caller, [params.id]))(params.id);
    const isAttested = !insiders.declared.isOwn && isAttester(body.verifiedBy ?? null, insiders);
    const isVerified = body.isVerified === true && isAttested;
    const warnings = body.isVerified === true && !isVerified ? [DOWNGRADED] : [];
    const qualification = { ...fieldsOf(body), id: ids.at(now), isVerified, createdAt: now };
    await insertQualification(tx, owner, qualification);
    return created({ ...toQualification(params.id, qualification), warnings });
  });
}

const DOWNGRADED: Warning = {
  code: 'VERIFICATION_DOWNGRADED',
  message:
    'Recorded as self-reported: `verifiedBy` names nobody, or the subject, who runs it, or your own platform.',
};

function fieldsOf(body: Body): Omit<Qualification, 'id' | 'isVerified' | 'createdAt'> {
  return {
    eventType: body.eventType,
    title: body.title,
    issuer: body.issuer ?? null,
    description: null,
    startDate: null,
    endDate: null,
    issuedAt: body.issuedAt ?? null,
    expiresAt: body.expiresAt ?? null,
    url: body.url ?? null,
    verifiedBy: body.verifiedBy ?? null,
    referenceId: null,
  };
}

/**
 * GET /users/{id}/qualifications: newest first, verified and self-reported ones. Throws
 * USER_NOT_FOUND.
 */
export async function listQualifications(
  db: Queryable,
  context: UserContext<z.output<typeof PageQuery>>,
): Promise<QualificationPage> {
  const { query, params } = context;
  const subjectId = subjectOf(context);
  const page = await findQualifications(db, subjectId, query);
  await assertProfiled(db, subjectId);
  const qualifications = page.rows.map((row) => toQualification(params.id, row));
  return { qualifications, nextCursor: page.nextCursor };
}

function toQualification(userId: string, { id, eventType, ...rest }: Qualification) {
  return { id, userId, kind: kindOfEventType[eventType], eventType, ...rest };
}

/**
 * GET /users/{id}/verified-profile: the platform's own entries, also for a linked subject. Throws
 * USER_NOT_FOUND.
 */
export async function readVerifiedProfile(
  { db, clock }: Pick<ServiceDeps, 'db' | 'clock'>,
  context: UserContext,
): Promise<VerifiedProfile> {
  const now = clock.now();
  const subjectId = subjectOf(context);
  await assertProfiled(db, subjectId);
  const [counts, verified, projects] = await Promise.all([
    countQualifications(db, subjectId, now),
    findVerifiedQualifications(db, subjectId),
    countProjects(db, subjectId),
  ]);
  const profile = verifiedProfile(counts, verified, projects, now);
  return { userId: context.params.id, ...profile, disclosures: [...profile.disclosures] };
}
