import { type ServiceError, serviceError } from '#domain/errors.js';
import type { Queryable, Tx } from '#kit/db/database.js';
import { schemaOfGroup } from '#kit/db/groups.js';
import { insertRow, updateRow } from '#kit/db/rows.js';

/** The numbers of all groups: 0, 1, 2 … without gaps. */
export async function findGroups(db: Queryable): Promise<number[]> {
  const rows = await db.query<{ groupId: number }>('select group_id from ledger_group order by group_id');
  return rows.map(({ groupId }) => groupId);
}

export async function insertGroup(db: Queryable, group: number, now: Date): Promise<boolean> {
  const row = { groupId: group, createdAt: now };
  return (await insertRow(db, 'ledger_group', row, 'on conflict (group_id) do nothing')) === 1;
}

/** The schema of group 0, which has the tables that all groups share. */
export async function readSharedSchema(db: Queryable): Promise<string> {
  const [row] = await db.query<{ schema: string }>('select current_schema()::text as schema');
  if (!row) throw new Error('the database does not name its schema');
  return row.schema;
}

/** No new platform is placed in the group from now on. */
export async function closeGroup(db: Queryable, group: number): Promise<void> {
  await db.execute('update ledger_group set is_open = false where group_id = $1', [group]);
}

/** Which of these groups have a schema that the current role may not use. Not for group 0. */
export async function findUngrantedGroups(db: Queryable, groups: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ groupId: number }>(
    `select group_id from unnest($1::integer[], $2::text[]) as known (group_id, name)
     where not has_schema_privilege(to_regnamespace(name)::oid, 'usage') order by group_id`,
    [groups, groups.map(schemaOfGroup)],
  );
  return rows.map(({ groupId }) => groupId);
}

export function countPlatforms(db: Queryable): Promise<{ group: number; platforms: number }[]> {
  return db.query(
    `select g.group_id as "group", count(p.platform_id)::integer as platforms
     from ledger_group g left join platform p using (group_id) group by g.group_id order by g.group_id`,
  );
}

/** Of those that this process has opened, without those that are away. */
export async function findEmptiestGroup(tx: Tx, away: ReadonlySet<number> = new Set()): Promise<number> {
  const [row] = await tx.query<{ groupId: number }>(
    `select group_id from ledger_group where is_open and group_id = any($1::integer[])
     order by (select count(*) from platform p where p.group_id = ledger_group.group_id), group_id limit 1`,
    [tx.ledgers.all.filter((group) => !away.has(group))],
  );
  return row?.groupId ?? 0;
}

export async function findOpenGroups(db: Queryable): Promise<number[]> {
  const rows = await db.query<{ groupId: number }>(
    'select group_id from ledger_group where is_open and group_id = any($1::integer[]) order by group_id',
    [db.ledgers.all],
  );
  return rows.map(({ groupId }) => groupId);
}

export async function findPlatformGroup(db: Queryable, platformId: string): Promise<number | null> {
  const [row] = await db.shared.query<{ groupId: number }>(
    'select group_id from platform where platform_id = $1',
    [platformId],
  );
  return row?.groupId ?? null;
}

interface PlatformState {
  readonly group: number;
  readonly isActive: boolean;
  readonly updatedAt: Date;
}

/** Locks the platform until the transaction ends. Null: it does not exist. */
export async function lockPlatformGroup(tx: Tx, platformId: string): Promise<PlatformState | null> {
  const [row] = await tx.query<PlatformState>(
    'select group_id as "group", is_active, updated_at from platform where platform_id = $1 for update',
    [platformId],
  );
  return row ?? null;
}

export async function setPlatformGroup(tx: Tx, platformId: string, group: number, now: Date): Promise<void> {
  await updateRow(tx, 'platform', { platformId }, { groupId: group, updatedAt: now });
}

export async function platformTables(
  db: Queryable,
  schema: string,
): Promise<{ name: string; columns: string[] }[]> {
  const tables = await db.query<{ name: string; columns: string[] }>(
    `select table_name::text as name, array_agg(column_name::text order by ordinal_position) as columns
     from information_schema.columns where table_schema = $1
     group by table_name having bool_or(column_name = 'platform_id') order by table_name`,
    [schema],
  );
  return tables.filter(({ name }) => !isGlobal(name));
}

export async function hasSubject(db: Queryable, subjectId: string): Promise<boolean> {
  return (await db.query('select 1 from subject where subject_id = $1', [subjectId])).length > 0;
}

/** 0: unknown. A group that does not answer throws only if no other one knows the subject. */
export async function findSubjectGroup(groups: readonly Queryable[], subjectId: string): Promise<number> {
  const asked = await Promise.allSettled(groups.map((db) => hasSubject(db, subjectId)));
  const found = asked.findIndex((answer) => answer.status === 'fulfilled' && answer.value);
  const failed = asked.find((answer) => answer.status === 'rejected');
  if (found < 0 && failed) throw failed.reason;
  return Math.max(0, found);
}

/**
 * Tables that exist once, in the schema of the first ledger group: a handle of another group does not
 * find them, and on a cluster they are plain tables of the coordinator. Every other table of
 * `tablePrivileges` is in the schema of each group, with the rows of its platforms. A test compares
 * both with the migrated schemas.
 */
export const globalTables = [
  // Few rows, and needed before the group of a request is known.
  'platform',
  'api_key',
  'ledger_group',
  // About the installation.
  'installation',
  'signing_key',
  'worker_heartbeat',
  'status_sample',
  // The logs of other installations. The first group cosigns them.
  'witnessed_log',
  // A nonce is used once, in whichever group. Few rows: the nonces used in recent minutes.
  'wallet_nonce',
  // Needed before the group of a request is known.
  'console_user',
  'console_session',
  'console_sign_in',
  // About the installation: one row for all groups.
  'audit_run',
] as const;

export function isGlobal(table: string): boolean {
  return (globalTables as readonly string[]).includes(table);
}

/** Run once, on the schema that all groups share. All others create tables of each group. */
export const SHARED_MIGRATIONS: ReadonlySet<string> = new Set(['0001_shared.sql']);

/** The groups cannot be changed so. The message is for the operator. */
export class GroupsError extends Error {
  override readonly name = 'GroupsError';
}

/** The group was added a moment ago, its node was away at the start, or the role has no rights on it. */
export function unopenedGroup(group: number): ServiceError {
  return serviceError('SERVICE_UNAVAILABLE', {
    message: `This process has not opened ledger group ${group} yet. Try again in a moment.`,
  });
}
