import { fail } from '#domain/errors.js';
import {
  LISTED_QUALIFICATIONS,
  type QualificationCount,
  type VerifiedQualification,
} from '#domain/verifiedProfile.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow, pick } from '#kit/db/rows.js';
import { type PageQuery, pageById } from '../reads/ownedRows.js';

export interface ProfileOwner {
  readonly platformId: string;
  readonly livemode: boolean;
  readonly subjectId: string;
}

/** It is not an event: it affects neither the score nor any total. */
export interface Qualification extends VerifiedQualification {
  readonly description: string | null;
  /** True only if `verifiedBy` names another party than the subject. */
  readonly isVerified: boolean;
  /** The reference that a counterparty confirmed; null where the platform reported it. */
  readonly referenceId: string | null;
}

/** Runs in the transaction of its cause, such as a confirmed reference. */
export async function insertQualification(
  tx: Tx,
  { subjectId, platformId, livemode }: ProfileOwner,
  qualification: Qualification,
): Promise<void> {
  await insertRow(tx, 'qualification', {
    ...pick(qualification, 'eventType', 'title', 'issuer', 'description', 'startDate', 'endDate', 'issuedAt'),
    ...pick(qualification, 'expiresAt', 'url', 'isVerified', 'verifiedBy', 'referenceId', 'createdAt'),
    subjectId,
    qualificationId: qualification.id,
    platformId,
    livemode,
  });
}

/** What a subject says about itself. */
export type Claim = Pick<
  Qualification,
  'eventType' | 'title' | 'issuer' | 'startDate' | 'endDate' | 'issuedAt' | 'expiresAt' | 'url'
>;

/**
 * Adds claims as unverified qualifications, except those that the subject has already, verified or
 * not. Those of requests at the same time follow one another. Returns how many were added.
 */
export async function addClaims(
  tx: Tx,
  owner: ProfileOwner,
  claims: readonly Claim[],
  stamp: () => Pick<Qualification, 'id' | 'createdAt'>,
): Promise<number> {
  if (claims.length === 0) return 0;
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`claims ${owner.subjectId}`]);
  const rows = await tx.query<Claim>(
    `select event_type, title, issuer, start_date, end_date, issued_at, expires_at, url
     from qualification where subject_id = $1`,
    [owner.subjectId],
  );
  const known = new Set(rows.map(claimKey));
  const added = claims.filter((claim) => known.size < known.add(claimKey(claim)).size);
  for (const claim of added) {
    const unverified = { description: null, isVerified: false, verifiedBy: null, referenceId: null };
    await insertQualification(tx, owner, { ...claim, ...unverified, ...stamp() });
  }
  return added.length;
}

function claimKey({ eventType, title, issuer, startDate, endDate, issuedAt, expiresAt, url }: Claim): string {
  return JSON.stringify([eventType, title, issuer, startDate, endDate, issuedAt, expiresAt, url]);
}

/** A page, newest first. */
export function findQualifications(db: Queryable, subjectId: string, query: PageQuery) {
  const select = `select qualification_id as id, event_type, title, issuer, description, start_date,
      end_date, issued_at, expires_at, url, is_verified,
      verified_by, reference_id, created_at
    from qualification where subject_id = $1`;
  return pageById<Qualification>(db, select, 'qualification_id', [subjectId], query);
}

/** The verified qualifications that a profile lists, newest first, plus one if there are more. */
export function findVerifiedQualifications(
  db: Queryable,
  subjectId: string,
): Promise<VerifiedQualification[]> {
  return db.query<VerifiedQualification>(
    `select qualification_id as id, event_type, title, issuer, start_date,
       end_date, issued_at, expires_at, url, verified_by,
       created_at
     from qualification where subject_id = $1 and is_verified
     order by qualification_id desc limit $2`,
    [subjectId, LISTED_QUALIFICATIONS + 1],
  );
}

export function countQualifications(
  db: Queryable,
  subjectId: string,
  asOf: Date,
): Promise<QualificationCount[]> {
  return db.query<QualificationCount>(
    `select event_type, is_verified, coalesce(expires_at <= $2, false) as "isExpired",
       count(*)::integer as count
     from qualification where subject_id = $1 group by 1, 2, 3`,
    [subjectId, asOf],
  );
}

export async function assertProfiled(db: Queryable, subjectId: string): Promise<void> {
  const rows = await db.query('select 1 from subject where subject_id = $1', [subjectId]);
  if (rows.length === 0) fail('USER_NOT_FOUND');
}

/** A reset of test data waits for the write and then deletes it too. Throws USER_NOT_FOUND. */
export async function lockProfiled(tx: Tx, { subjectId }: ProfileOwner): Promise<void> {
  const rows = await tx.query('select 1 from subject where subject_id = $1 for key share', [subjectId]);
  if (rows.length === 0) fail('USER_NOT_FOUND');
}
