import type { UserRole } from '#domain/catalogues/enums.js';
import { scopeResources } from '#domain/scopes.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow, pick, updateRow } from '#kit/db/rows.js';
import type { Owner } from '#kit/http/route.js';
import type { IdSource } from '#kit/ids.js';
import { recordActivities } from '#ledger/activity.js';
import { callerOf, type KnownKey, PLATFORM_TERMS, type PlatformTerms } from './keyStore.js';

/** Somebody who may sign in to the console through the issuer. */
export interface ConsoleUser {
  readonly id: string;
  readonly email: string;
  readonly role: UserRole;
  readonly createdAt: Date;
  readonly createdBy: string;
  readonly lastSignedInAt: Date | null;
}

const READS = scopeResources.map((resource) => `${resource}:read`);
const SCOPES: Readonly<Record<UserRole, readonly string[]>> = {
  viewer: READS,
  support: [...READS, 'events:write'],
  admin: [],
};

/** As of a key: empty is full access. */
export function scopesOfRole(role: UserRole): readonly string[] {
  return SCOPES[role];
}

export const USER_COLUMNS = 'user_id as id, email, role, created_at, created_by, last_signed_in_at';
/** Null: the operator's. */
export type UserPlace = string | null;
const OF_PLACE = 'platform_id is not distinct from $1::uuid';

/** False: the address is taken there. */
export async function insertUser(tx: Tx, platformId: UserPlace, user: ConsoleUser): Promise<boolean> {
  const columns = pick(user, 'email', 'role', 'createdAt', 'createdBy', 'lastSignedInAt');
  const row = { ...columns, userId: user.id, platformId };
  return (await insertRow(tx, 'console_user', row, 'on conflict do nothing')) === 1;
}

export async function countUsers(tx: Tx, platformId: UserPlace): Promise<number> {
  const text = `select count(*)::integer as users from console_user where ${OF_PLACE}`;
  const [row] = await tx.query<{ users: number }>(text, [platformId]);
  return row?.users ?? 0;
}

/** In the order of their ids: two users that change each other at the same moment cannot deadlock. */
export function lockUsers(tx: Tx, platformId: UserPlace, ids: readonly string[]): Promise<ConsoleUser[]> {
  return tx.query<ConsoleUser>(
    `select ${USER_COLUMNS} from console_user where ${OF_PLACE} and user_id = any($2::uuid[])
     order by user_id for update`,
    [platformId, ids],
  );
}

/** Ends the sessions of the user: they were opened with another role. */
export async function saveRole(
  tx: Tx,
  { id: userId, role }: Pick<ConsoleUser, 'id' | 'role'>,
): Promise<void> {
  await updateRow(tx, 'console_user', { userId }, { role });
  await tx.execute('delete from console_session where user_id = $1', [userId]);
}

/** Their sessions end with them. */
export function removeUsers(tx: Tx, platformId: UserPlace, ids: readonly string[]): Promise<ConsoleUser[]> {
  return tx.query<ConsoleUser>(
    `delete from console_user where ${OF_PLACE} and user_id = any($2::uuid[]) returning ${USER_COLUMNS}`,
    [platformId, ids],
  );
}

/** Of the keys and users of a platform that was closed. */
export async function endSessionsOf(tx: Tx, platformId: string): Promise<void> {
  await tx.execute(
    `delete from console_session where key_id in (select key_id from api_key where platform_id = $1)
       or user_id in (select user_id from console_user where platform_id = $1)`,
    [platformId],
  );
}

/** In the live trail: a user belongs to both modes. */
export function recordUsers(
  tx: Tx,
  ids: IdSource,
  { platformId, actor }: Pick<Owner, 'platformId' | 'actor'>,
  users: readonly ConsoleUser[],
  { action, at, details }: { action: UserAction; at: Date; details: object },
): Promise<void> {
  const entries = users.map(({ id: target, email, role }) => {
    const about = { action, actor, target, details: { email, role, ...details }, at };
    return { id: ids.at(at), platformId, livemode: true, ...about };
  });
  return recordActivities(tx, entries);
}

type UserAction = 'CONSOLE_USER_ADDED' | 'CONSOLE_USER_CHANGED' | 'CONSOLE_USER_REMOVED';

/** A user as whom an email address may sign in. */
export interface Choice {
  readonly userId: string;
  readonly role: UserRole;
  /** Null: the operator's. */
  readonly platform: { readonly id: string; readonly name: string } | null;
}

/** More than a person has. */
const MAX_CHOICES = 100;

/** The users of active platforms with this address. @param withOperator also the operator's. */
export async function findChoices(db: Queryable, email: string, withOperator: boolean): Promise<Choice[]> {
  const rows = await db.query<{ userId: string; role: UserRole; id: string | null; name: string | null }>(
    `select u.user_id, u.role, u.platform_id as id, p.name
     from console_user u left join platform p on p.platform_id = u.platform_id
     where u.email = $1 and case when u.platform_id is null then $2 else p.is_active end
     order by p.name nulls last, u.user_id limit $3`,
    [email, withOperator, MAX_CHOICES],
  );
  return rows.map(({ id, name, ...user }) => ({
    ...user,
    platform: id === null || name === null ? null : { id, name },
  }));
}

/** A user of an active platform as a caller, in live mode; null for the operator's. */
export async function findUserAsKey(db: Queryable, userId: string): Promise<KnownKey | null> {
  const [row] = await db.query<PlatformTerms & Pick<ConsoleUser, 'email' | 'role'>>(
    `select u.user_id as key_id, u.platform_id, u.email, u.role, ${PLATFORM_TERMS}
     from console_user u join platform p on p.platform_id = u.platform_id where u.user_id = $1 and p.is_active`,
    [userId],
  );
  if (!row) return null;
  const { email, role, ...terms } = row;
  const own = { actor: `user:${email}`, livemode: true, scopes: scopesOfRole(role), isUser: true } as const;
  return { caller: callerOf(terms, own), expiresAt: null, allowedNetworks: null };
}
