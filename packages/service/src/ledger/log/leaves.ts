import { randomBytes } from 'node:crypto';
import type { YieldTurn } from '../../kit/backpressure/yielder.js';
import { groupBy } from '../../kit/groupBy.js';
import type { Cursor } from './cursors.js';
import { type EventsBehind, headKey } from './factStore.js';
import {
  commitmentOf,
  type EventFactRow,
  eventFact,
  type Fact,
  type OtherFactRow,
  otherFact,
  SALT_BYTES,
  type SnapshotFactRow,
  snapshotFact,
} from './facts.js';
import { factKinds } from './kinds.js';
import { queuedKinds } from './queue.js';

/** A fact as a leaf of the log. */
export interface Leaf {
  subjectId: string;
  kind: number;
  ref: number;
  salt: Uint8Array;
  d: Uint8Array;
}

export interface Taken {
  leaves: Leaf[];
  /** Those that moved. */
  cursors: Map<string, Cursor>;
  /** Subjects whose facts did not all fit. */
  unfinished: Set<string>;
}

/** A queued subject. */
export interface WaitingSubject {
  subjectId: string;
  /** `queuedKinds` of all its queue rows. */
  kinds: number;
  cursor: Cursor;
}

export interface FoundFacts {
  /** Each queued subject once. */
  subjects: readonly WaitingSubject[];
  events: EventsBehind;
  snapshots: readonly SnapshotFactRow[];
  /** Of events that are further back than the cursor (`headKey`). */
  heads: ReadonlyMap<string, Uint8Array>;
  others: readonly OtherFactRow[];
  /** `queuedKinds` of which a statement's limit left some out. Left out events show by `lengths`. */
  cutKinds: number;
}

/**
 * The leaves of a batch, subject by subject: events in the order of positions, then snapshots, then
 * the rest.
 */
export async function leavesOf(found: FoundFacts, yieldTurn: YieldTurn): Promise<Taken> {
  const events = groupBy(found.events.events, (row) => row.subjectId);
  const snapshots = groupBy(found.snapshots, (row) => row.subjectId);
  const others = groupBy(found.others, (row) => row.subjectId);
  const taken: Taken = { leaves: [], cursors: new Map(), unfinished: new Set() };
  for (const subject of found.subjects) {
    await yieldTurn();
    const { subjectId, cursor, kinds } = subject;
    const chain = addEvents(taken, subject, events.get(subjectId) ?? []);
    const last = addSnapshots(taken, chain, snapshots.get(subjectId) ?? [], found.heads);
    for (const row of others.get(subjectId) ?? []) {
      addLeaf(taken, subjectId, row.kind, row.ref, (salt) => otherFact(row, salt));
    }
    if (last.cursor !== cursor) taken.cursors.set(subjectId, last.cursor);
    const isWhole = last.cursor.eventPosition >= lengthOf(found, subject) && !last.hasMore;
    if (!isWhole || (kinds & found.cutKinds) !== 0) taken.unfinished.add(subjectId);
  }
  return taken;
}

function lengthOf({ events }: FoundFacts, { subjectId, kinds, cursor }: WaitingSubject): number {
  const isUnknown = events.isCut && kinds !== queuedKinds.others;
  return events.lengths.get(subjectId) ?? (isUnknown ? Number.POSITIVE_INFINITY : cursor.eventPosition);
}

/** A subject's cursor after its new events, and where those begin among the leaves. */
interface Chain {
  subjectId: string;
  cursor: Cursor;
  /** The cursor before them. */
  before: Cursor;
  first: number;
}

/** Events without a gap from the cursor on. */
function addEvents(
  taken: Taken,
  { subjectId, cursor }: WaitingSubject,
  rows: readonly EventFactRow[],
): Chain {
  const chain: Chain = { subjectId, cursor, before: cursor, first: taken.leaves.length };
  for (const row of [...rows].sort((a, b) => a.position - b.position)) {
    const { eventPosition, head, snapshotNo } = chain.cursor;
    const { position, eventId } = row;
    if (position !== eventPosition + 1) break;
    const d = addLeaf(taken, subjectId, factKinds.event, position, (salt) => eventFact(row, head, salt));
    chain.cursor = { eventPosition: position, eventId, head: d, snapshotNo };
  }
  return chain;
}

/** Snapshots up to the first that rests on an event which is not logged yet: that one waits. */
function addSnapshots(
  taken: Taken,
  chain: Chain,
  rows: readonly SnapshotFactRow[],
  heads: FoundFacts['heads'],
): { cursor: Cursor; hasMore: boolean } {
  const { before, first, subjectId } = chain;
  let { cursor } = chain;
  for (const row of rows) {
    const { position, snapshotNo } = row;
    if (position > cursor.eventPosition) return { cursor, hasMore: true };
    const fresh =
      position > before.eventPosition ? taken.leaves[first + position - before.eventPosition - 1] : undefined;
    const head =
      fresh?.d ??
      (position === before.eventPosition ? before.head : null) ??
      heads.get(headKey(subjectId, position)) ??
      null;
    addLeaf(taken, subjectId, factKinds.snapshot, snapshotNo, () => snapshotFact(row, head));
    cursor = { ...cursor, snapshotNo };
  }
  return { cursor, hasMore: false };
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

const POOL_SALTS = 512;
let pool = Buffer.alloc(0);

/** Drawn in bulk: a call for each costs more than the hash. */
function randomSalt(): Buffer {
  if (pool.length === 0) pool = randomBytes(POOL_SALTS * SALT_BYTES);
  const salt = pool.subarray(0, SALT_BYTES);
  pool = pool.subarray(SALT_BYTES);
  return salt;
}
