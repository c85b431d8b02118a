import { int2s, uuids } from '../../kit/db/arrays.js';
import type { Queryable } from '../../kit/db/database.js';
import { factKinds } from './kinds.js';

/** Up to where a subject is logged. */
export interface Cursor {
  readonly eventPosition: number;
  /** The id of the last logged event; null: none, or not known. */
  readonly eventId: string | null;
  /** Its commitment: the head of the subject's chain. */
  readonly head: Uint8Array | null;
  readonly snapshotNo: number;
}

/** Cursors by subject, the least recently set first. */
export type KnownCursors = Map<string, Cursor>;

/** About 10 MB. */
const MAX_KNOWN = 50_000;

export function keepCursors(known: KnownCursors, moved: ReadonlyMap<string, Cursor>): void {
  for (const [subjectId, cursor] of moved) {
    known.delete(subjectId);
    known.set(subjectId, cursor);
  }
  for (const subjectId of known.keys()) {
    if (known.size <= MAX_KNOWN) return;
    known.delete(subjectId);
  }
}

/** The cursors of these subjects, from memory or from the last leaves of each. */
export async function cursorsOf(
  db: Queryable,
  known: ReadonlyMap<string, Cursor>,
  subjectIds: readonly string[],
): Promise<Map<string, Cursor>> {
  const unknown = subjectIds.filter((subjectId) => !known.has(subjectId));
  const read = unknown.length === 0 ? new Map<string, Cursor>() : await readCursors(db, unknown);
  return new Map(
    subjectIds.map((subjectId) => [subjectId, known.get(subjectId) ?? read.get(subjectId) ?? AT_START]),
  );
}

const AT_START: Cursor = { eventPosition: 0, eventId: null, head: null, snapshotNo: 0 };

const CURSOR_KINDS = [factKinds.event, factKinds.snapshot];

async function readCursors(db: Queryable, subjectIds: readonly string[]): Promise<Map<string, Cursor>> {
  const rows = await db.query<{ subjectId: string; kind: number; ref: number; d: Buffer }>(
    `select wanted.subject_id, kinds.kind, f.ref, f.d from unnest($1::uuid[]) as wanted (subject_id)
     cross join unnest($2::smallint[]) as kinds (kind)
     cross join lateral (
       select ref, d from log_fact where log_fact.subject_id = wanted.subject_id and log_fact.kind = kinds.kind
       order by ref desc limit 1
     ) f`,
    [uuids(subjectIds, (id) => id), int2s(CURSOR_KINDS, (kind) => kind)],
  );
  const found = new Map<string, Cursor>();
  for (const { subjectId, kind, ref, d } of rows) {
    const cursor = found.get(subjectId) ?? AT_START;
    const isEvent = kind === factKinds.event;
    found.set(
      subjectId,
      isEvent ? { ...cursor, eventPosition: ref, head: d } : { ...cursor, snapshotNo: ref },
    );
  }
  return found;
}
