import type { Queryable, Tx } from '../../kit/db/database.js';
import { groupBy } from '../../kit/groupBy.js';
import {
  type CountedSubject,
  type Cursor,
  chainKey,
  type EventsBehind,
  readChains,
  readCursors,
  readEventsBehind,
  readNextEvents,
  readSnapshotsBehind,
  START_CHAIN,
} from './factStore.js';
import type { EventFactRow, OtherFactRow, SnapshotFactRow } from './facts.js';
import { readUnloggedFacts } from './otherFacts.js';
import { type QueueRow, queuedKinds } from './queue.js';

/** What is known before a batch is made. */
export interface KnownFacts {
  /** By subject, those first that were kept first. */
  cursors: ReadonlyMap<string, Cursor>;
  /** The chains of members in other ledger groups, by `chainKey`. What is logged never changes. */
  elsewhere: ReadonlyMap<string, string>;
}

/** A queued subject with its facts that are not in the log. */
export interface FoundFacts {
  readonly cursor: Cursor;
  /** By position, perhaps with gaps. */
  readonly events: readonly EventFactRow[];
  /** By number. */
  readonly snapshots: readonly SnapshotFactRow[];
  readonly others: readonly OtherFactRow[];
  /** The position of the last event; infinite: not known. */
  readonly lastPosition: number;
  /** The limit left out some of its snapshots or other facts, perhaps. */
  readonly isCut: boolean;
}

export interface Found {
  /** Each queued subject once. */
  subjects: readonly FoundFacts[];
  /** The chains that the snapshots name, as far as the batch itself does not make them, by `chainKey`. */
  chains: ReadonlyMap<string, string>;
  /** This group has not logged these events. */
  missing: readonly CountedSubject[];
}

/** The facts of queued subjects that are not in the log: at most `limit` of each kind. */
export async function findFacts(
  tx: Tx,
  queue: readonly QueueRow[],
  known: KnownFacts,
  limit: number,
): Promise<Found> {
  const waiting = new Map<string, number>();
  for (const { subjectIds, kinds } of queue)
    for (const subjectId of subjectIds) waiting.set(subjectId, (waiting.get(subjectId) ?? 0) | kinds);
  const ids = [...waiting.keys()];
  const read = await readCursors(
    tx,
    ids.filter((id) => !known.cursors.has(id)),
  );
  const all = ids.map((id) => known.cursors.get(id) ?? (read.get(id) as Cursor));
  const announces = ({ subjectId }: Cursor, kind: number) => ((waiting.get(subjectId) ?? 0) & kind) !== 0;
  const withSnapshots = all.filter((cursor) => announces(cursor, queuedKinds.snapshots));
  const withOthers = ids.filter((id) => (waiting.get(id) ?? 0) & queuedKinds.others);
  const [snapshots, others] = await Promise.all([
    readSnapshotsBehind(tx, withSnapshots, limit),
    readUnloggedFacts(tx, withOthers, limit),
  ]);
  const snapshotsOf = groupBy(snapshots, ({ subjectId }) => subjectId);
  const othersOf = groupBy(others, ({ subjectId }) => subjectId);
  // A snapshot can rest on events whose own queue row is in a later batch.
  const restsOn = (subjectId: string) => snapshotsOf.get(subjectId)?.at(-1)?.positions[subjectId] ?? 0;
  const withEvents = all.filter(
    (cursor) => announces(cursor, queuedKinds.events) || restsOn(cursor.subjectId) > cursor.eventPosition,
  );
  const behind = await readEventsBehind(tx, withEvents, limit);
  const eventsOf = await withoutGaps(tx, withEvents, behind, limit);
  const mayHaveEvents = new Set(behind.isCut ? withEvents : []);
  const subjects = all.map((cursor): FoundFacts => {
    const { subjectId } = cursor;
    const unread = mayHaveEvents.has(cursor) ? Number.POSITIVE_INFINITY : cursor.eventPosition;
    return {
      cursor,
      events: eventsOf.get(subjectId) ?? [],
      snapshots: snapshotsOf.get(subjectId) ?? [],
      others: othersOf.get(subjectId) ?? [],
      lastPosition: behind.lengths.get(subjectId) ?? unread,
      isCut:
        (snapshots.length === limit && announces(cursor, queuedKinds.snapshots)) ||
        (others.length === limit && announces(cursor, queuedKinds.others)),
    };
  });
  return { subjects, ...(await findChains(tx, subjects, known)) };
}

/**
 * Reads on where those found do not reach a subject's end. Stops at the limit, but never before the
 * first such subject, so that each batch gets on.
 */
async function withoutGaps(
  tx: Tx,
  subjects: readonly Cursor[],
  found: EventsBehind,
  limit: number,
): Promise<ReadonlyMap<string, EventFactRow[]>> {
  const bySubject = groupBy(found.events, ({ subjectId }) => subjectId);
  const reaches = ({ subjectId, eventPosition }: Cursor, rows: readonly EventFactRow[]) =>
    eventPosition + rows.length >= (found.lengths.get(subjectId) ?? 0);
  let count = found.events.length;
  for (const subject of subjects) {
    const { subjectId, eventPosition } = subject;
    if (reaches(subject, bySubject.get(subjectId) ?? [])) continue;
    const next = await readNextEvents(tx, subject, 'event_id', limit);
    const isGapless = next.every(({ position }) => position <= eventPosition + next.length);
    const isWhole = isGapless && (next.length === limit || reaches(subject, next));
    bySubject.set(subjectId, isWhole ? next : await readNextEvents(tx, subject, 'position', limit));
    count += next.length;
    if (count >= limit) break;
  }
  for (const rows of bySubject.values()) rows.sort((a, b) => a.position - b.position);
  return bySubject;
}

async function findChains(
  db: Queryable,
  subjects: readonly FoundFacts[],
  { cursors, elsewhere }: KnownFacts,
): Promise<Pick<Found, 'chains' | 'missing'>> {
  const chains = new Map<string, string>();
  const wanted = new Map<string, CountedSubject>();
  const inBatch = new Map(subjects.map(({ cursor }) => [cursor.subjectId, cursor.eventPosition]));
  for (const { positions } of subjects.flatMap(({ snapshots }) => snapshots)) {
    for (const [memberId, position] of Object.entries(positions)) {
      if (position >= (inBatch.get(memberId) ?? Number.POSITIVE_INFINITY)) continue;
      const key = chainKey(memberId, position);
      const cursor = cursors.get(memberId);
      const own = cursor?.eventPosition === position ? cursor.chain : elsewhere.get(key);
      const chain = position === 0 ? START_CHAIN : own;
      if (chain === undefined) wanted.set(key, [memberId, position]);
      else chains.set(key, chain);
    }
  }
  for (const [key, chain] of await readChains(db, [...wanted.values()])) {
    chains.set(key, chain);
    wanted.delete(key);
  }
  return { chains, missing: [...wanted.values()] };
}
