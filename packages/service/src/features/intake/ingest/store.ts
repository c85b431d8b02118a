import type { Queryable, Tx } from '../../../kit/db/database.js';
import { type MappingOwner, SAVED_MAPPING, type SavedMapping } from '../savedMappings.js';

/**
 * How many mappings there are, and whether one of them has the name. From here to the end of the transaction nobody else
 * adds one.
 */
export async function countMappingsAlone(
  tx: Tx,
  { platformId, livemode }: MappingOwner,
  name: string,
): Promise<{ mappings: number; hasName: boolean }> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `mappings ${platformId} ${livemode}`,
  ]);
  const [row] = await tx.query<{ mappings: number; hasName: boolean | null }>(
    `select count(*)::integer as mappings, bool_or(name = $3) as has_name
     from saved_mapping where platform_id = $1 and livemode = $2`,
    [platformId, livemode, name],
  );
  return { mappings: row?.mappings ?? 0, hasName: row?.hasName ?? false };
}

export async function insertMapping(
  tx: Tx,
  { platformId, livemode }: MappingOwner,
  { id, name, mapping, createdAt }: SavedMapping,
): Promise<void> {
  await tx.execute(
    `insert into saved_mapping (platform_id, mapping_id, livemode, name, rules, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [platformId, id, livemode, name, JSON.stringify(mapping), createdAt],
  );
}

/** Newest first, at most one more than `limit`. */
export function findMappings(
  db: Queryable,
  { platformId, livemode }: MappingOwner,
  beforeId: string | null,
  limit: number,
): Promise<SavedMapping[]> {
  return db.query<SavedMapping>(
    `select ${SAVED_MAPPING} from saved_mapping
     where platform_id = $1 and livemode = $2 and ($3::uuid is null or mapping_id < $3)
     order by mapping_id desc limit $4`,
    [platformId, livemode, beforeId, limit + 1],
  );
}

/** False when there was none. */
export async function deleteMapping(
  db: Queryable,
  { platformId, livemode }: MappingOwner,
  id: string,
): Promise<boolean> {
  const deleted = await db.execute(
    'delete from saved_mapping where platform_id = $1 and mapping_id = $2 and livemode = $3',
    [platformId, id, livemode],
  );
  return deleted > 0;
}
