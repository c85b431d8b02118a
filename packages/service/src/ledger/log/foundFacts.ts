import type { Tx } from '../../kit/db/database.js';
import { groupBy } from '../../kit/groupBy.js';
import { findChains, type KnownChains } from './countedChains.js';
import { AT_START, type Cursor, readCursors } from './cursors.js';
import {
  type CountedSubject,
  type EventsBehind,
  readEventsBehind,
  readEventsByPosition,
  readEventsFrom,
  readSnapshotsBehind,
  type SubjectCursor,
} from './factStore.js';
import type { EventFactRow, OtherFactRow, SnapshotFactRow } from './facts.js';
import { readUnloggedFacts } from './otherFacts.js';
import { type QueueRow, queuedKinds } from './queue.js';

/** A queued subject. */
export interface WaitingSubject {
  readonly subjectId: string;
  /** `queuedKinds` of all its queue rows. */
  readonly kinds: number;
}

/** A queued subject with its facts that are not in the log. */
export interface FoundFacts {
  readonly subjectId: string;
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
  /** What `findChains` found for the snapshots. */
  chains: ReadonlyMap<string, string>;
  missing: readonly CountedSubject[];
}

/** The subjects of the rows, each once. */
export function waitingSubjects(queue: readonly QueueRow[]): WaitingSubject[] {
  const waiting = new Map<string, number>();
  for (const { subjectIds, kinds } of queue) {
    for (const subjectId of subjectIds) waiting.set(subjectId, (waiting.get(subjectId) ?? 0) | kinds);
  }
  return [...waiting].map(([subjectId, kinds]) => ({ subjectId, kinds }));
}

/** The facts of these subjects that are not in the log: at most `limit` of each kind. */
export async function findFacts(
  tx: Tx,
  waiting: readonly WaitingSubject[],
  known: KnownChains,
  limit: number,
): Promise<Found> {
  const unknown = waiting.filter(({ subjectId }) => !known.cursors.has(subjectId));
  const read = await readCursors(
    tx,
    unknown.map(({ subjectId }) => subjectId),
  );
  const all = waiting.map(({ subjectId, kinds }) => {
    const cursor = known.cursors.get(subjectId) ?? read.get(subjectId) ?? AT_START;
    return { ...cursor, subjectId, kinds };
  });
  const withSnapshots = all.filter(({ kinds }) => kinds & queuedKinds.snapshots);
  const withOthers = all.filter(({ kinds }) => kinds & queuedKinds.others);
  const [snapshots, others] = await Promise.all([
    readSnapshotsBehind(tx, withSnapshots, limit),
    readUnloggedFacts(
      tx,
      withOthers.map(({ subjectId }) => subjectId),
      limit,
    ),
  ]);
  const snapshotsOf = groupBy(snapshots, ({ subjectId }) => subjectId);
  const othersOf = groupBy(others, ({ subjectId }) => subjectId);
  // A snapshot can rest on events whose own queue row is in a later batch.
  const restsOn = (subjectId: string) => snapshotsOf.get(subjectId)?.at(-1)?.positions[subjectId] ?? 0;
  const withEvents = all.filter(
    ({ kinds, subjectId, eventPosition }) => kinds & queuedKinds.events || restsOn(subjectId) > eventPosition,
  );
  const behind = await readEventsBehind(tx, withEvents, limit);
  const eventsOf = await withoutGaps(tx, withEvents, behind, limit);
  const mayHaveEvents = new Set(behind.isCut ? withEvents.map(({ subjectId }) => subjectId) : []);
  const subjects = all.map(({ subjectId, kinds, ...cursor }): FoundFacts => {
    const unread = mayHaveEvents.has(subjectId) ? Number.POSITIVE_INFINITY : cursor.eventPosition;
    return {
      subjectId,
      cursor,
      events: eventsOf.get(subjectId) ?? [],
      snapshots: snapshotsOf.get(subjectId) ?? [],
      others: othersOf.get(subjectId) ?? [],
      lastPosition: behind.lengths.get(subjectId) ?? unread,
      isCut:
        (snapshots.length === limit && (kinds & queuedKinds.snapshots) !== 0) ||
        (others.length === limit && (kinds & queuedKinds.others) !== 0),
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
  subjects: readonly SubjectCursor[],
  found: EventsBehind,
  limit: number,
): Promise<ReadonlyMap<string, EventFactRow[]>> {
  const bySubject = groupBy(found.events, ({ subjectId }) => subjectId);
  const reaches = ({ subjectId, eventPosition }: SubjectCursor, rows: readonly EventFactRow[]) =>
    eventPosition + rows.length >= (found.lengths.get(subjectId) ?? 0);
  let count = found.events.length;
  for (const subject of subjects) {
    const { subjectId } = subject;
    if (reaches(subject, bySubject.get(subjectId) ?? [])) continue;
    const next = await readEventsFrom(tx, subject, limit);
    const isWhole = isGapless(subject, next) && (next.length === limit || reaches(subject, next));
    bySubject.set(subjectId, isWhole ? next : await readEventsByPosition(tx, subject, limit));
    count += next.length;
    if (count >= limit) break;
  }
  for (const rows of bySubject.values()) rows.sort((a, b) => a.position - b.position);
  return bySubject;
}

function isGapless({ eventPosition }: SubjectCursor, rows: readonly EventFactRow[]): boolean {
  return rows.every(({ position }) => position <= eventPosition + rows.length);
}
