import type { Queryable, Tx } from '../../kit/db/database.js';

/** The numbers of all groups: 0, 1, 2 … without gaps. */
export async function findGroups(db: Queryable): Promise<number[]> {
  const rows = await db.query<{ groupId: number }>('select group_id from ledger_group order by group_id');
  return rows.map(({ groupId }) => groupId);
}

/** True if this call added the group. */
export async function insertGroup(db: Queryable, group: number, now: Date): Promise<boolean> {
  const count = await db.execute(
    'insert into ledger_group (group_id, created_at) values ($1, $2) on conflict (group_id) do nothing',
    [group, now],
  );
  return count === 1;
}

/** The schema of group 0, which has the tables that all groups share. */
export async function readSharedSchema(db: Queryable): Promise<string> {
  const [row] = await db.query<{ schema: string }>('select current_schema()::text as schema');
  if (!row) throw new Error('the database does not name its schema');
  return row.schema;
}

/** Every group with the number of its platforms. */
export function countPlatforms(db: Queryable): Promise<{ group: number; platforms: number }[]> {
  return db.query(
    `select g.group_id as "group", count(p.platform_id)::integer as platforms
     from ledger_group g left join platform p using (group_id) group by g.group_id order by g.group_id`,
  );
}

/** The group with the fewest platforms; the first of those. */
export async function findEmptiestGroup(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ groupId: number }>(
    `select group_id from ledger_group
     order by (select count(*) from platform p where p.group_id = ledger_group.group_id), group_id limit 1`,
  );
  return row?.groupId ?? 0;
}

export async function insertTokens(
  tx: Tx,
  tokenHashes: readonly Buffer[],
  expiresAt: Date | null,
): Promise<void> {
  await tx.execute(
    `insert into token_group (token_hash, group_id, expires_at)
     select token_hash, $2, $3 from unnest($1::bytea[]) as new (token_hash)`,
    [tokenHashes, tx.group, expiresAt],
  );
}

/** The group of a token; 0 for one that is not listed. */
export async function findTokenGroup(db: Queryable, tokenHash: Buffer): Promise<number> {
  const [row] = await db.query<{ groupId: number }>(
    'select group_id from token_group where token_hash = $1',
    [tokenHash],
  );
  return row?.groupId ?? 0;
}

/** Deletes up to `limit` entries of tokens that expired by `before`. Returns their number. */
export function deleteTokens(tx: Tx, before: Date, limit: number): Promise<number> {
  return tx.execute(
    `delete from token_group where token_hash in (
       select token_hash from token_group where expires_at <= $1 order by expires_at limit $2
     )`,
    [before, limit],
  );
}

/** The group of a platform; null for one that does not exist. */
export async function findPlatformGroup(db: Queryable, platformId: string): Promise<number | null> {
  const [row] = await db.query<{ groupId: number }>('select group_id from platform where platform_id = $1', [
    platformId,
  ]);
  return row?.groupId ?? null;
}

export async function hasSubject(db: Queryable, subjectId: string): Promise<boolean> {
  return (await db.query('select 1 from subject where subject_id = $1', [subjectId])).length > 0;
}
