import { derivedUuid } from '../../kit/crypto.js';
import type { Queryable, Tx } from '../../kit/db/database.js';
import { insertInto, rowsOf } from '../../kit/db/rows.js';

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

const itemKeys = rowsOf<ItemKeyRow>({
  uuid: ['keyId', 'platformId', 'subjectId', 'eventId'],
  boolean: ['livemode'],
  bytea: ['fingerprint'],
});

/**
 * Claims the unused keys and returns them. Sorted, so that concurrent groups lock in the same
 * order.
 */
export async function takeItemKeys(tx: Tx, rows: readonly ItemKeyRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const sorted = [...rows].sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
  const rest = 'on conflict (key_id) do nothing returning key_id';
  const taken = await insertInto('item_key', itemKeys, sorted, rest).query<{ keyId: string }>(tx);
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
