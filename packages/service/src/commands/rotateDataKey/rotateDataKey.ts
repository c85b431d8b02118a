import { setTimeout as pause } from 'node:timers/promises';
import type { RotatingVault } from '#kit/crypto.js';
import type { Database, Queryable } from '#kit/db/database.js';
import { type Column, raw, rowsOf, sql } from '#kit/db/rows.js';
import { beginRotation, endRotation } from '#ledger/dataKey.js';
import { isGlobal } from '#ledger/groups/store.js';
import { openGroups } from '../../shape/groups/groups.js';
import { DATA_KEY_POLL_MS } from '../../start/firstStart.js';
import { type KeyType, type KeyValue, type SealedColumn, sealedColumns } from './sealedColumns.js';

export interface RotationDeps {
  db: Database;
  vault: RotatingVault;
  onProgress(label: string, done: number, total: number): void;
  /** Time until every process seals with the new key. Default: three polls of theirs. */
  graceMs?: number;
}

export interface Rotated {
  resealed: number;
  /** Texts that neither key opens, as `webhook secrets <id>`. They are left as they are. */
  unreadable: string[];
}

const PAGE = 500;

/**
 * Seals everything again that is not sealed under DATA_KEY. Each step is one statement that can be
 * lost or repeated, so the rotation may be killed at any time and run again, also twice at once.
 * Processes of the service may run: they read both keys, and seal with the new one soon after the
 * beginning. So the last round starts later than that and finds nothing.
 */
export async function rotateDataKey(deps: RotationDeps): Promise<Rotated> {
  const { db, vault, graceMs = 3 * DATA_KEY_POLL_MS } = deps;
  await beginRotation(db, vault);
  const unreadable = new Set<string>();
  let resealed = 0;
  for (;;) {
    await pause(graceMs);
    const count = await resealAll(deps, unreadable);
    if (count === 0) break;
    resealed += count;
  }
  await endRotation(db, vault);
  return { resealed, unreadable: [...unreadable] };
}

async function resealAll(deps: RotationDeps, unreadable: Set<string>): Promise<number> {
  let count = 0;
  for (const db of await openGroups(deps.db)) {
    const places = sealedColumns.filter(({ table }) => db.ledgers.own === 0 || !isGlobal(table));
    for (const place of places) count += await resealColumn({ ...deps, db }, place, unreadable);
  }
  return count;
}

async function resealColumn(
  { db, vault, onProgress }: RotationDeps,
  place: SealedColumn,
  unreadable: Set<string>,
): Promise<number> {
  const total = await countForeign(db, place, vault.currentKeyId);
  let count = 0;
  let after: readonly KeyValue[] | null = null;
  for (;;) {
    const rows = await findForeign(db, place, vault.currentKeyId, after, PAGE);
    const changed: ResealedRow[] = [];
    for (const row of rows) {
      const context = place.context(row.key);
      const isReadable = vault.keyOf(row.sealed, context) !== null;
      if (isReadable) {
        changed.push({ ...row, resealed: vault.seal(vault.open(row.sealed, context), context) });
      } else unreadable.add(`${place.label} ${row.key.map(printedKey).join(' ')}`);
    }
    if (changed.length > 0) {
      await saveResealed(db, place, changed);
      count += changed.length;
      onProgress(place.label, count, total);
    }
    after = rows.at(-1)?.key ?? null;
    if (rows.length < PAGE) return count;
  }
}

function printedKey(value: KeyValue): string {
  return typeof value === 'string' ? value : value.toString('hex');
}

interface SealedRow {
  key: readonly KeyValue[];
  sealed: Buffer;
}

interface ResealedRow extends SealedRow {
  resealed: Buffer;
}

function isForeign({ column }: SealedColumn): string {
  return `${column} is not null and substring(${column} for 8) <> $1`;
}

export async function countForeign(db: Queryable, place: SealedColumn, keyId: Buffer): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) as count from ${place.table} where ${isForeign(place)}`,
    [keyId],
  );
  return row?.count ?? 0;
}

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
async function saveResealed(db: Queryable, place: SealedColumn, rows: readonly ResealedRow[]): Promise<void> {
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
