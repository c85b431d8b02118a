import { z } from 'zod';
import { isAttester } from '../../../domain/declaredSubject.js';
import type { Warning } from '../../../domain/readOutcomeEvent.js';
import { kindOfEventType, verifiedProfile } from '../../../domain/verifiedProfile.js';
import type { Queryable } from '../../../kit/db/database.js';
import { created, type TypedAnswer } from '../../../kit/http/answer.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import { loadInsiders } from '../../../ledger/append/knownDeclarations.js';
import {
  assertProfiled,
  countQualifications,
  findQualifications,
  findVerifiedQualifications,
  insertQualification,
  lockProfiled,
  type Qualification,
} from '../../../ledger/profile/qualifications.js';
import { subjectOf, type UserContext } from '../../../ledger/requests/addressedSubject.js';
import type { ServiceDeps } from '../../serviceDeps.js';
import { countProjects } from './projects.js';
import type {
  PageQuery,
  QualificationBody,
  QualificationPage,
  QualificationRecorded,
  VerifiedProfile,
} from './schemas.js';

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

const QualificationCursor = z.tuple([z.uuid()]);

/**
 * GET /users/{id}/qualifications: newest first, verified and self-reported ones. Throws
 * USER_NOT_FOUND.
 */
export async function listQualifications(
  db: Queryable,
  context: UserContext<z.output<typeof PageQuery>>,
): Promise<QualificationPage> {
  const { query, params } = context;
  const [beforeId] = positionOf(query.cursor, QualificationCursor) ?? [null];
  const subjectId = subjectOf(context);
  await assertProfiled(db, subjectId);
  const rows = await findQualifications(db, subjectId, beforeId, query.limit + 1);
  const page = pageOf(rows, query.limit, ({ id }) => [id]);
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
