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
import type { FreshFacts, SubjectFacts } from './freshFacts.js';
import { readUnloggedFacts } from './otherFacts.js';
import { type QueueRow, queuedKinds } from './queue.js';

/** A queued subject. */
export interface WaitingSubject {
  readonly subjectId: string;
  /** `queuedKinds` of all its queue rows. */
  kinds: number;
  /** Its last event and snapshot by its queue rows; infinite: not known. */
  lastPosition: number;
  lastSnapshotNo: number;
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
  const waiting = new Map<string, WaitingSubject>();
  for (const { subjectIds, numbers, kinds } of queue) {
    subjectIds.forEach((subjectId, index) => {
      const number = numbers?.[index] ?? Number.POSITIVE_INFINITY;
      let subject = waiting.get(subjectId);
      if (!subject) {
        subject = { subjectId, kinds: 0, lastPosition: 0, lastSnapshotNo: 0 };
        waiting.set(subjectId, subject);
      }
      subject.kinds |= kinds;
      if (kinds & queuedKinds.events) subject.lastPosition = Math.max(subject.lastPosition, number);
      if (kinds & queuedKinds.snapshots) subject.lastSnapshotNo = Math.max(subject.lastSnapshotNo, number);
    });
  }
  return [...waiting.values()];
}

/** The facts that memory has of a subject. */
interface InMemory {
  readonly subject: WaitingSubject;
  readonly cursor: Cursor;
  /** Null: they must be read. */
  readonly events: readonly EventFactRow[] | null;
  readonly snapshots: readonly SnapshotFactRow[] | null;
  /** The batch is full: the rest waits for the next one. */
  readonly isCut: boolean;
}

/**
 * The facts of these subjects that are not in the log: at most `limit` of each kind from the database,
 * and twice as many in all from memory.
 */
export async function findFacts(
  tx: Tx,
  waiting: readonly WaitingSubject[],
  known: KnownChains & { fresh: FreshFacts | null },
  limit: number,
): Promise<Found> {
  const unknown = waiting.filter(({ subjectId }) => !known.cursors.has(subjectId));
  const read = await readCursors(
    tx,
    unknown.map(({ subjectId }) => subjectId),
  );
  let room = 2 * limit;
  const all = waiting.map((subject) => {
    const { subjectId } = subject;
    const cursor = known.cursors.get(subjectId) ?? read.get(subjectId) ?? AT_START;
    const found = inMemory(subject, cursor, known.fresh?.of(subjectId), room);
    room -= (found.events?.length ?? 0) + (found.snapshots?.length ?? 0);
    return found;
  });
  const cursorOf = ({ subject, cursor }: InMemory): SubjectCursor => ({
    ...cursor,
    subjectId: subject.subjectId,
  });
  const chained = all.filter(({ events }) => !events).map(cursorOf);
  const [behind, snapshots, others] = await Promise.all([
    readEventsBehind(tx, chained, limit),
    readSnapshotsBehind(tx, all.filter(({ snapshots }) => !snapshots).map(cursorOf), limit),
    readUnloggedFacts(
      tx,
      waiting.filter(({ kinds }) => kinds & queuedKinds.others).map(({ subjectId }) => subjectId),
      limit,
    ),
  ]);
  const stored: ReadFacts = {
    events: await withoutGaps(tx, chained, behind, limit),
    lengths: behind.lengths,
    areEventsCut: behind.isCut,
    snapshots: groupBy(snapshots, ({ subjectId }) => subjectId),
    areSnapshotsCut: snapshots.length === limit,
    others: groupBy(others, ({ subjectId }) => subjectId),
    areOthersCut: others.length === limit,
  };
  const subjects = all.map((one) => factsOf(one, stored));
  return { subjects, ...(await findChains(tx, subjects, known)) };
}

function inMemory(
  subject: WaitingSubject,
  cursor: Cursor,
  fresh: SubjectFacts | undefined,
  room: number,
): InMemory {
  const snapshots = upTo(fresh?.snapshots ?? [], snapshotNoOf, cursor.snapshotNo, subject.lastSnapshotNo);
  // A snapshot can rest on events whose own queue row is in a later batch.
  const last = snapshots
    ? Math.max(subject.lastPosition, ownPosition(snapshots.at(-1)))
    : Number.POSITIVE_INFINITY;
  const events = upTo(fresh?.events ?? [], positionOf, cursor.eventPosition, last);
  const isCut = (events?.length ?? 0) + (snapshots?.length ?? 0) > room;
  if (!isCut) return { subject, cursor, events, snapshots, isCut };
  return { subject, cursor, events: events?.slice(0, room) ?? null, snapshots: [], isCut };
}

function ownPosition(row: SnapshotFactRow | undefined): number {
  return row?.positions[row.subjectId] ?? 0;
}

const positionOf = ({ position }: EventFactRow) => position;
const snapshotNoOf = ({ snapshotNo }: SnapshotFactRow) => snapshotNo;

/** Rows after a number without a gap, at least up to `last`. Null: some are missing. */
function upTo<Row>(
  rows: readonly Row[],
  numberOf: (row: Row) => number,
  after: number,
  last: number,
): readonly Row[] | null {
  // A copy: further facts arrive while the batch is made.
  const found = rows.filter((row) => numberOf(row) > after);
  const isGapless = found.every((row, index) => numberOf(row) === after + 1 + index);
  return isGapless && after + found.length >= last ? found : null;
}

interface ReadFacts {
  events: ReadonlyMap<string, EventFactRow[]>;
  /** Of ledgers that are behind. */
  lengths: ReadonlyMap<string, number>;
  areEventsCut: boolean;
  snapshots: ReadonlyMap<string, SnapshotFactRow[]>;
  areSnapshotsCut: boolean;
  others: ReadonlyMap<string, OtherFactRow[]>;
  areOthersCut: boolean;
}

function factsOf({ subject, cursor, events, snapshots, isCut }: InMemory, read: ReadFacts): FoundFacts {
  const { subjectId, kinds } = subject;
  const { eventPosition } = cursor;
  const unread = read.areEventsCut ? Number.POSITIVE_INFINITY : eventPosition;
  return {
    subjectId,
    cursor,
    events: events ?? read.events.get(subjectId) ?? [],
    snapshots: snapshots ?? read.snapshots.get(subjectId) ?? [],
    others: read.others.get(subjectId) ?? [],
    lastPosition: events ? eventPosition + events.length : (read.lengths.get(subjectId) ?? unread),
    isCut:
      isCut ||
      (snapshots === null && read.areSnapshotsCut) ||
      ((kinds & queuedKinds.others) !== 0 && read.areOthersCut),
  };
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
