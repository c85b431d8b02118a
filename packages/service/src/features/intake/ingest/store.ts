import { z } from 'zod';
import { fail } from '../../../domain/errors.js';
import type { Queryable, Tx } from '../../../kit/db/database.js';
import { pageOf, positionOf } from '../../../kit/http/cursor.js';
import type { Owner } from '../../../kit/http/route.js';
import { isUuid } from '../../../kit/ids.js';
import type { MappingQuery, SavedMapping } from './schemas.js';

const SELECT_MAPPING = `select mapping_id as id, name, rules as mapping, created_at
  from saved_mapping where platform_id = $1`;

/** Throws NOT_FOUND. */
export async function readMapping(db: Queryable, owner: Owner, id: string): Promise<SavedMapping> {
  return (await findMapping(db, owner, id)) ?? failUnknownMapping();
}

export async function findMapping(
  db: Queryable,
  { platformId }: Owner,
  id: string,
): Promise<SavedMapping | undefined> {
  if (!isUuid(id)) return undefined;
  const [mapping] = await db.query<SavedMapping>(`${SELECT_MAPPING} and mapping_id = $2`, [platformId, id]);
  return mapping;
}

/** A page, newest first. */
export async function listMappings(
  db: Queryable,
  { platformId }: Owner,
  { cursor, limit }: z.output<typeof MappingQuery>,
) {
  const [beforeId] = positionOf(cursor, MappingCursor) ?? [null];
  const rows = await db.query<SavedMapping>(
    `${SELECT_MAPPING} and ($2::uuid is null or mapping_id < $2) order by mapping_id desc limit $3`,
    [platformId, beforeId, limit + 1],
  );
  const page = pageOf(rows, limit, ({ id }) => [id]);
  return { mappings: page.rows, nextCursor: page.nextCursor };
}

const MappingCursor = z.tuple([z.guid()]);

/**
 * The number of the owner's mappings, and whether one has this name. Other transactions cannot add
 * one before this one ends.
 */
export async function lockMappings(
  tx: Tx,
  { platformId }: Owner,
  name: string,
): Promise<{ count: number; hasName: boolean }> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`mappings ${platformId}`]);
  const [row] = await tx.query<{ count: number; hasName: boolean }>(
    `select count(*)::integer as count, coalesce(bool_or(name = $2), false) as has_name
     from saved_mapping where platform_id = $1`,
    [platformId, name],
  );
  return row ?? { count: 0, hasName: false };
}

/** Throws NOT_FOUND. Its events stay. Running imports have a copy of it. */
export async function deleteMapping(db: Queryable, { platformId }: Owner, id: string): Promise<void> {
  const text = 'delete from saved_mapping where platform_id = $1 and mapping_id = $2';
  const deleted = isUuid(id) ? await db.execute(text, [platformId, id]) : 0;
  if (deleted === 0) failUnknownMapping();
}

export function failUnknownMapping(): never {
  return fail('NOT_FOUND', { message: 'There is no mapping with this id.' });
}
