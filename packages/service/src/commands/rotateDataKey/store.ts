import type { Queryable } from '../../kit/db/database.js';
import { type Column, raw, rowsOf, sql } from '../../kit/db/rows.js';
import type { KeyType, KeyValue, SealedColumn } from './sealedColumns.js';

export interface SealedRow {
  key: readonly KeyValue[];
  sealed: Buffer;
}

export interface ResealedRow extends SealedRow {
  resealed: Buffer;
}

/** The first parameter is the id of the key. */
function isForeign({ column }: SealedColumn): string {
  return `${column} is not null and substring(${column} for 8) <> $1`;
}

/** Texts that do not begin with the id of the key. */
export async function countForeign(db: Queryable, place: SealedColumn, keyId: Buffer): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from ${place.table} where ${isForeign(place)}`,
    [keyId],
  );
  return row?.count ?? 0;
}

/** Up to `limit` of these texts behind a key, in the order of keys. */
export async function findForeign(
  db: Queryable,
  place: SealedColumn,
  keyId: Buffer,
  after: readonly KeyValue[] | null,
  limit: number,
): Promise<SealedRow[]> {
  const names = place.key.map(([name]) => name).join(', ');
  const values = place.key.map(([, type], index) => `$${index + 3}::${type}`).join(', ');
  const rows = await db.query<{ sealed: Buffer } & Record<string, KeyValue>>(
    `select ${place.key.map(([name], index) => `${name} as key${index}`).join(', ')}, ${place.column} as sealed
     from ${place.table} where ${isForeign(place)} ${after ? `and (${names}) > (${values})` : ''}
     order by ${names} limit $2`,
    [keyId, limit, ...(after ?? [])],
  );
  return rows.map((row) => ({
    key: place.key.map((_, index) => row[`key${index}`] ?? ''),
    sealed: row.sealed,
  }));
}

/** Leaves a text as it is if somebody has replaced it meanwhile. */
export async function saveResealed(
  db: Queryable,
  place: SealedColumn,
  rows: readonly ResealedRow[],
): Promise<void> {
  const changed = rowsOf<ResealedRow>(
    { bytea: ['sealed', 'resealed'] },
    Object.fromEntries(place.key.map(([name, type], index) => [name, keyColumn(type, index)])),
  );
  const isSame = place.key.map(([name]) => `stored.${name} = changed.${name}`).join(' and ');
  await sql`update ${raw(place.table)} stored set ${raw(place.column)} = changed.resealed from ${changed.as('changed', rows)}
    where ${raw(isSame)} and stored.${raw(place.column)} = changed.sealed`.execute(db);
}

function keyColumn(type: KeyType, index: number): Column<ResealedRow> {
  const part = ({ key }: ResealedRow) => key[index] ?? '';
  if (type === 'bytea') return [type, (row) => Buffer.from(part(row))];
  return [type, (row) => String(part(row))];
}
