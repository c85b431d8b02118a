import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../kit/db/database.js';
import type { RotatingVault } from '../../kit/vault.js';
import { beginRotation, endRotation } from '../../ledger/dataKey.js';
import { isGlobal } from '../../ledger/groups/tables.js';
import { openGroups } from '../../shape/groups/groups.js';
import { DATA_KEY_POLL_MS } from '../../start/dataKey.js';
import { type KeyValue, type SealedColumn, sealedColumns } from './sealedColumns.js';
import { countForeign, findForeign, type ResealedRow, saveResealed } from './store.js';

export interface RotationDeps {
  db: Database;
  vault: RotatingVault;
  /** Called for each column that has texts to seal again, and after each step. */
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
