import { randomBytes } from 'node:crypto';
import type { YieldTurn } from '../../kit/backpressure/yielder.js';
import { groupBy } from '../../kit/groupBy.js';
import type { SnapshotBehind } from './factStore.js';
import {
  commitmentOf,
  type EventFactRow,
  eventFact,
  type Fact,
  type OtherFactRow,
  otherFact,
  SALT_BYTES,
  snapshotFact,
} from './facts.js';
import { factKinds } from './kinds.js';
import type { QueuedSubject } from './queue.js';

/** A fact as a leaf of the log. */
export interface Leaf {
  subjectId: string;
  kind: number;
  ref: number;
  salt: Uint8Array;
  d: Uint8Array;
}

/** Up to where a subject is logged after a batch. */
export interface LoggedSubject {
  subjectId: string;
  eventPosition: number;
  eventId: string | null;
  head: Uint8Array | null;
  snapshotNo: number;
}

export interface Taken {
  leaves: Leaf[];
  cursors: LoggedSubject[];
  /** Subjects whose facts did not all fit. */
  unfinished: Set<string>;
}

export interface FoundFacts {
  /** Each queued subject once. */
  subjects: readonly QueuedSubject[];
  events: readonly EventFactRow[];
  snapshots: readonly SnapshotBehind[];
  others: readonly OtherFactRow[];
  /**
   * `queuedKinds` of which a statement's limit left some out. Left out events show by their
   * positions.
   */
  cutKinds: number;
}

/**
 * The leaves of a batch, subject by subject: events in the order of positions, then snapshots, then
 * the rest.
 */
export async function leavesOf(found: FoundFacts, yieldTurn: YieldTurn): Promise<Taken> {
  const events = groupBy(found.events, (row) => row.subjectId);
  const snapshots = groupBy(found.snapshots, (row) => row.subjectId);
  const others = groupBy(found.others, (row) => row.subjectId);
  const taken: Taken = { leaves: [], cursors: [], unfinished: new Set() };
  for (const subject of found.subjects) {
    await yieldTurn();
    const { subjectId } = subject;
    const cursor: LoggedSubject = { ...subject };
    const first = taken.leaves.length;
    const isWhole =
      addEvents(taken, cursor, events.get(subjectId) ?? [], subject.eventCount) &&
      addSnapshots(taken, cursor, snapshots.get(subjectId) ?? [], taken.leaves.slice(first));
    for (const row of others.get(subjectId) ?? []) {
      addLeaf(taken, subjectId, row.kind, row.ref, (salt) => otherFact(row, salt));
    }
    if (isMoved(subject, cursor)) taken.cursors.push(cursor);
    if (!isWhole || (subject.kinds & found.cutKinds) !== 0) taken.unfinished.add(subjectId);
  }
  return taken;
}

/** Events without a gap from the cursor on. False: there are more than were found. */
function addEvents(
  taken: Taken,
  cursor: LoggedSubject,
  rows: readonly EventFactRow[],
  eventCount: number,
): boolean {
  for (const row of [...rows].sort((a, b) => a.position - b.position)) {
    if (row.position !== cursor.eventPosition + 1) break;
    const { subjectId, position } = row;
    const { head } = cursor;
    cursor.head = addLeaf(taken, subjectId, factKinds.event, position, (salt) => eventFact(row, head, salt));
    cursor.eventPosition = position;
    cursor.eventId = row.eventId;
  }
  return cursor.eventPosition >= eventCount;
}

/**
 * Snapshots up to the first that rests on an event which is not logged yet. False: that one waits.
 * @param events the subject's leaves of this batch.
 */
function addSnapshots(
  taken: Taken,
  cursor: LoggedSubject,
  rows: readonly SnapshotBehind[],
  events: readonly Leaf[],
): boolean {
  const fresh = new Map(events.map(({ ref, d }) => [ref, d]));
  for (const row of rows) {
    if (row.position > cursor.eventPosition) return false;
    const head = row.head ?? fresh.get(row.position) ?? null;
    addLeaf(taken, row.subjectId, factKinds.snapshot, row.snapshotNo, () => snapshotFact(row, head));
    cursor.snapshotNo = row.snapshotNo;
  }
  return true;
}

function addLeaf(
  { leaves }: Taken,
  subjectId: string,
  kind: number,
  ref: number,
  factOf: (salt: Uint8Array) => Fact,
): Uint8Array {
  const salt = randomSalt();
  const d = commitmentOf(salt, factOf(salt));
  leaves.push({ subjectId, kind, ref, salt, d });
  return d;
}

function isMoved(before: QueuedSubject, after: LoggedSubject): boolean {
  return before.eventPosition !== after.eventPosition || before.snapshotNo !== after.snapshotNo;
}

const POOL_SALTS = 512;
let pool = Buffer.alloc(0);

/** Drawn in bulk: a call for each costs more than the hash. */
function randomSalt(): Buffer {
  if (pool.length === 0) pool = randomBytes(POOL_SALTS * SALT_BYTES);
  const salt = pool.subarray(0, SALT_BYTES);
  pool = pool.subarray(SALT_BYTES);
  return salt;
}
