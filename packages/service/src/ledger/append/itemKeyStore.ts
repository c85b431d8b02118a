import { derivedUuid } from '../../kit/crypto.js';
import { booleans, byteas, uuids } from '../../kit/db/arrays.js';
import type { Queryable, Tx } from '../../kit/db/database.js';

export interface ItemKeyRow {
  keyId: string;
  platformId: string;
  livemode: boolean;
  subjectId: string;
  eventId: string;
  fingerprint: Buffer;
}

/** The id of a key that a platform chose for one of its events. */
export function itemKeyId(
  { platformId, livemode }: { platformId: string; livemode: boolean },
  itemKey: string,
): string {
  return derivedUuid('item', platformId, livemode ? 'live' : 'test', itemKey);
}

/**
 * Claims the unused keys and returns them. Sorted, so that concurrent groups lock in the same
 * order.
 */
export async function takeItemKeys(tx: Tx, rows: readonly ItemKeyRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const sorted = [...rows].sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
  const taken = await tx.query<{ keyId: string }>(
    `insert into item_key (key_id, platform_id, livemode, subject_id, event_id, fingerprint)
     select * from unnest($1::uuid[], $2::uuid[], $3::boolean[], $4::uuid[], $5::uuid[], $6::bytea[])
     on conflict (key_id) do nothing
     returning key_id`,
    [
      uuids(sorted, (row) => row.keyId),
      uuids(sorted, (row) => row.platformId),
      booleans(sorted, (row) => row.livemode),
      uuids(sorted, (row) => row.subjectId),
      uuids(sorted, (row) => row.eventId),
      byteas(sorted, (row) => row.fingerprint),
    ],
  );
  return new Set(taken.map((row) => row.keyId));
}

/** The first event of each used key. */
export async function findItemKeys(
  db: Queryable,
  keyIds: readonly string[],
): Promise<Map<string, { eventId: string; fingerprint: Buffer }>> {
  if (keyIds.length === 0) return new Map();
  const rows = await db.query<{ keyId: string; eventId: string; fingerprint: Buffer }>(
    'select key_id, event_id, fingerprint from item_key where key_id = any($1::uuid[])',
    [keyIds],
  );
  return new Map(rows.map((row) => [row.keyId, { eventId: row.eventId, fingerprint: row.fingerprint }]));
}

/**
 * Those of these events that are stored as unverified. The subject ids limit the shards to query.
 */
export async function findUnverified(
  db: Queryable,
  subjectIds: readonly string[],
  eventIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db.query<{ eventId: string }>(
    'select event_id from event where subject_id = any($1::uuid[]) and event_id = any($2::uuid[]) and not is_verified',
    [[...new Set(subjectIds)], eventIds],
  );
  return new Set(rows.map((row) => row.eventId));
}
