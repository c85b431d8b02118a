import { type Database, isDatabaseUnavailable, type Queryable } from '../../kit/db/database.js';
import { findOthersOf } from '../links/recordReads.js';
import { AT_START, type Cursor } from './cursors.js';
import { type CountedSubject, chainKey, readChains } from './factStore.js';
import type { SnapshotFactRow } from './facts.js';

/** What is known of chains before a batch is made. */
export interface KnownChains {
  cursors: ReadonlyMap<string, Cursor>;
  /** Of members in other ledger groups, by `chainKey`. What is logged never changes. */
  elsewhere: ReadonlyMap<string, string>;
}

/** A subject of the batch, with its cursor before it. */
interface Batched {
  readonly subjectId: string;
  readonly cursor: Cursor;
  readonly snapshots: readonly SnapshotFactRow[];
}

/**
 * The chains that the snapshots of a batch name, as far as the batch itself does not make them, by
 * `chainKey`. `missing`: this group has not logged these events.
 */
export async function findChains(
  db: Queryable,
  subjects: readonly Batched[],
  known: KnownChains,
): Promise<{ chains: Map<string, string>; missing: CountedSubject[] }> {
  const chains = new Map<string, string>();
  const wanted = new Map<string, CountedSubject>();
  let inBatch: Map<string, Cursor> | undefined;
  for (const { subjectId, cursor, snapshots } of subjects) {
    for (const { positions } of snapshots) {
      for (const memberId in positions) {
        const position = positions[memberId] ?? 0;
        if (memberId === subjectId && position >= cursor.eventPosition) continue;
        inBatch ??= new Map(subjects.map((each) => [each.subjectId, each.cursor]));
        if (position >= (inBatch.get(memberId)?.eventPosition ?? Number.POSITIVE_INFINITY)) continue;
        const key = chainKey(memberId, position);
        const chain = chainIn(known, memberId, position);
        if (chain === undefined) wanted.set(key, [memberId, position]);
        else chains.set(key, chain);
      }
    }
  }
  for (const [key, chain] of await readChains(db, [...wanted.values()])) {
    chains.set(key, chain);
    wanted.delete(key);
  }
  return { chains, missing: [...wanted.values()] };
}

function chainIn(
  { cursors, elsewhere }: KnownChains,
  memberId: string,
  position: number,
): string | undefined {
  if (position === 0) return AT_START.chain;
  const cursor = cursors.get(memberId);
  return cursor?.eventPosition === position ? cursor.chain : elsewhere.get(chainKey(memberId, position));
}

/** Those that other ledger groups have logged. */
export async function findChainsElsewhere(
  db: Database,
  missing: readonly CountedSubject[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const other of await findOthersOf(db, [...new Set(missing.map(([id]) => id))])) {
    try {
      for (const [key, chain] of await readChains(other, missing)) found.set(key, chain);
    } catch (error) {
      // Its node is away: these snapshots wait, and the log of this group goes on.
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }
  return found;
}
