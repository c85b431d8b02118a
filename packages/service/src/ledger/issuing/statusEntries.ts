import { randomInt } from 'node:crypto';
import type { Queryable, Tx } from '#kit/db/database.js';
import { insertRow } from '#kit/db/rows.js';

/** The fewest that hide one credential among others (Bitstring Status List, "Herd privacy"). */
export const LIST_BITS = 131_072;

/** The bit that says whether credentials issued under a share token are revoked. */
export interface StatusEntry {
  readonly list: number;
  readonly index: number;
}

/** In a list that is nine tenths full, one of so many is free 32 times out of 33. */
const CANDIDATES = 32;
/** Another transaction can be taking the very bit that was drawn. */
const DRAWS_PER_LIST = 3;

/** The number of a list names its ledger group: lists 1 to 999999 are of group 0. */
const LISTS_PER_GROUP = 1_000_000;

export function groupOfList(list: number): number {
  return Math.floor(list / LISTS_PER_GROUP);
}

/** Takes a free bit of a list, permanently; opens the next list when the newest is almost full. */
export async function takeStatusEntry(tx: Tx, now: Date): Promise<StatusEntry> {
  const newest = await newestList(tx);
  for (let list = Math.max(newest, tx.ledgers.own * LISTS_PER_GROUP + 1); ; list += 1) {
    if (list > newest) await openList(tx, list, now);
    for (let draw = 0; draw < DRAWS_PER_LIST; draw += 1) {
      const index = await takeOneOf(
        tx,
        list,
        Array.from({ length: CANDIDATES }, () => randomInt(LIST_BITS)),
      );
      if (index !== null) return { list, index };
    }
  }
}

/** Sets a bit, permanently (RULES C6): a revocation that was once published must stay true. */
export async function revokeStatusEntry(tx: Tx, { list, index }: StatusEntry, now: Date): Promise<void> {
  const set = await tx.execute(
    'update status_entry set revoked_at = $3 where list_no = $1 and entry_index = $2 and revoked_at is null',
    [list, index, now],
  );
  if (set > 0) await tx.execute('update status_list set revision = revision + 1 where list_no = $1', [list]);
}

/** Rises with each bit that is set; null for a list that was never opened. */
export async function findListRevision(db: Queryable, list: number): Promise<number | null> {
  const [row] = await db.query<{ revision: number }>('select revision from status_list where list_no = $1', [
    list,
  ]);
  return row?.revision ?? null;
}

/** Which bits of the list are set, at least as of every revision read before. */
export async function findRevokedIndexes(db: Queryable, list: number): Promise<number[]> {
  const rows = await db.query<{ entryIndex: number }>(
    'select entry_index from status_entry where list_no = $1 and revoked_at is not null',
    [list],
  );
  return rows.map((row) => row.entryIndex);
}

async function newestList(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ listNo: number | null }>('select max(list_no) as list_no from status_list');
  return row?.listNo ?? 0;
}

async function openList(tx: Tx, list: number, now: Date): Promise<void> {
  await insertRow(tx, 'status_list', { listNo: list, createdAt: now }, 'on conflict (list_no) do nothing');
}

async function takeOneOf(tx: Tx, list: number, indexes: readonly number[]): Promise<number | null> {
  const [row] = await tx.query<{ entryIndex: number }>(
    `insert into status_entry (list_no, entry_index)
     select $1::integer, candidate from unnest($2::integer[]) as drawn (candidate)
     where not exists (select 1 from status_entry taken where taken.list_no = $1 and taken.entry_index = candidate)
     limit 1
     on conflict (list_no, entry_index) do nothing
     returning entry_index`,
    [list, indexes],
  );
  return row?.entryIndex ?? null;
}
