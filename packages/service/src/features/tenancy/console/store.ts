import type { Queryable, Tx } from '../../../kit/db/database.js';
import { findActiveKeyById, type KnownKey } from '../platforms/keyStore.js';

/** A session as it is stored. */
export interface StoredSession {
  /** Null: the operator's. */
  readonly keyId: string | null;
  readonly operatorMark: Buffer | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

export async function findSession(db: Queryable, sessionHash: Buffer): Promise<StoredSession | null> {
  const [session] = await db.query<StoredSession>(
    'select key_id, operator_mark, created_at, last_used_at from console_session where session_hash = $1',
    [sessionHash],
  );
  return session ?? null;
}

export async function insertSession(
  tx: Tx,
  sessionHash: Buffer,
  { keyId, operatorMark, createdAt, lastUsedAt }: StoredSession,
): Promise<void> {
  await tx.execute(
    `insert into console_session (session_hash, key_id, operator_mark, created_at, last_used_at)
     values ($1, $2, $3, $4, $5)`,
    [sessionHash, keyId, operatorMark, createdAt, lastUsedAt],
  );
}

/** Keeps a later time that another process stored. */
export async function noteSessionUse(db: Queryable, sessionHash: Buffer, at: Date): Promise<void> {
  await db.query(
    `update console_session set last_used_at = $2 where session_hash = $1 and last_used_at < $2
     returning session_hash`,
    [sessionHash, at],
  );
}

export async function deleteSession(tx: Tx, sessionHash: Buffer): Promise<boolean> {
  const rows = await tx.query('delete from console_session where session_hash = $1 returning session_hash', [
    sessionHash,
  ]);
  return rows.length > 0;
}

/** Few rows, so no index: sessions created before `created` or not used since `used`. */
export async function deleteEndedSessions(tx: Tx, created: Date, used: Date): Promise<void> {
  await tx.execute('delete from console_session where created_at <= $1 or last_used_at <= $2', [
    created,
    used,
  ]);
}

/** @returns whether this is the first time in the session. */
export async function markViewed(tx: Tx, sessionHash: Buffer, view: string): Promise<boolean> {
  const rows = await tx.query(
    `update console_session set viewed = viewed || $2::text
     where session_hash = $1 and not $2::text = any(viewed) returning session_hash`,
    [sessionHash, view],
  );
  return rows.length > 0;
}

export async function insertSignInLink(
  tx: Tx,
  link: { tokenHash: Buffer; keyHash: Buffer; expiresAt: Date },
): Promise<void> {
  await tx.execute(
    `insert into console_sign_in (token_hash, key_id, expires_at)
     select $1, key_id, $3 from api_key where key_hash = $2`,
    [link.tokenHash, link.keyHash, link.expiresAt],
  );
}

/** The key that a link signs in with. The link is used up, also if it has expired. */
export async function takeSignInLink(tx: Tx, tokenHash: Buffer, now: Date): Promise<KnownKey | null> {
  const [link] = await tx.query<{ keyId: string; expiresAt: Date }>(
    'delete from console_sign_in where token_hash = $1 returning key_id, expires_at',
    [tokenHash],
  );
  return link && link.expiresAt > now ? findActiveKeyById(tx, link.keyId) : null;
}

type ViewedPlatform = Pick<
  KnownKey['caller'],
  'platformId' | 'platformName' | 'plan' | 'trustTier' | 'velocityExempt' | 'group'
>;

/** Also an inactive platform: the operator may have to see why. */
export async function findViewedPlatform(db: Queryable, platformId: string): Promise<ViewedPlatform | null> {
  const [platform] = await db.query<ViewedPlatform>(
    `select platform_id, name as "platformName", plan, trust_tier, velocity_exempt, group_id as "group"
     from platform where platform_id = $1`,
    [platformId],
  );
  return platform ?? null;
}
