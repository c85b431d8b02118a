import { EMPTY_CHAIN, toBase64 } from '@reliability/proof';
import { int2s, uuids } from '../../kit/db/arrays.js';
import type { Queryable } from '../../kit/db/database.js';
import { factKinds } from './kinds.js';

/** Up to where a subject is logged. */
export interface Cursor {
  readonly eventPosition: number;
  /** The id of the last logged event; null: none, or not known. */
  readonly eventId: string | null;
  /** Its commitment as base64: the head of the subject's chain. */
  readonly head: string | null;
  /** The hash over the commitments of its logged events, as base64. */
  readonly chain: string;
  readonly snapshotNo: number;
}

/** Cursors by subject, those first that were kept first. */
export type KnownCursors = Map<string, Cursor>;

/** About 10 MB. */
const MAX_KNOWN = 50_000;

export function keepCursors(known: KnownCursors, moved: ReadonlyMap<string, Cursor>): void {
  for (const [subjectId, cursor] of moved) known.set(subjectId, cursor);
  for (const subjectId of known.keys()) {
    if (known.size <= MAX_KNOWN) return;
    known.delete(subjectId);
  }
}

/** Of a subject that has no leaves. */
export const AT_START: Cursor = {
  eventPosition: 0,
  eventId: null,
  head: null,
  chain: toBase64(EMPTY_CHAIN),
  snapshotNo: 0,
};

const CURSOR_KINDS = [factKinds.event, factKinds.snapshot];

/** The cursors of those of these subjects that have leaves, from the last leaves of each. */
export async function readCursors(
  db: Queryable,
  subjectIds: readonly string[],
): Promise<Map<string, Cursor>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await db.query<{
    subjectId: string;
    ref: number;
    d: Buffer;
    chain: Buffer | null;
  }>(
    `select wanted.subject_id, f.ref, f.d, f.chain from unnest($1::uuid[]) as wanted (subject_id)
     cross join unnest($2::smallint[]) as kinds (kind)
     cross join lateral (
       select ref, d, chain from log_fact where log_fact.subject_id = wanted.subject_id and log_fact.kind = kinds.kind
       order by ref desc limit 1
     ) f`,
    [uuids(subjectIds, (id) => id), int2s(CURSOR_KINDS, (kind) => kind)],
  );
  const found = new Map<string, Cursor>();
  for (const { subjectId, ref, d, chain } of rows) {
    const cursor = found.get(subjectId) ?? AT_START;
    found.set(
      subjectId,
      chain
        ? { ...cursor, eventPosition: ref, head: d.toString('base64'), chain: chain.toString('base64') }
        : { ...cursor, snapshotNo: ref },
    );
  }
  return found;
}
