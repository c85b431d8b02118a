import { randomFillSync } from 'node:crypto';
import { HASH_BYTES } from '@reliability/proof';
import type { YieldTurn } from '../../kit/backpressure/yielder.js';
import type { Cursor } from './cursors.js';
import { headKey } from './factStore.js';
import { eventFactText, factText, otherFact, SALT_BYTES, saltedHash, snapshotFactText } from './facts.js';
import type { Found, FoundFacts } from './foundFacts.js';
import { factKinds } from './kinds.js';

/** New leaves by column: an object for each costs as much as its hash. */
export interface Leaves {
  readonly subjectIds: string[];
  readonly kinds: number[];
  readonly refs: number[];
  /** SALT_BYTES for each leaf. There may be more than leaves. */
  readonly salts: Buffer;
  /** HASH_BYTES for each leaf. */
  readonly commitments: Buffer;
}

export interface Taken {
  leaves: Leaves;
  /** Of all subjects, behind their leaves. */
  cursors: Map<string, Cursor>;
  /** Subjects whose facts did not all fit. */
  unfinished: Set<string>;
}

/**
 * The leaves of a batch, subject by subject: events in the order of positions, then snapshots, then
 * the rest.
 */
export async function leavesOf({ subjects, heads }: Found, yieldTurn: YieldTurn): Promise<Taken> {
  const leaves = noLeaves(
    subjects.reduce(
      (sum, { events, snapshots, others }) => sum + events.length + snapshots.length + others.length,
      0,
    ),
  );
  const cursors = new Map<string, Cursor>();
  const unfinished = new Set<string>();
  for (const subject of subjects) {
    const pause = yieldTurn();
    if (pause) await pause;
    const { subjectId, snapshots, lastPosition, isCut } = subject;
    const cursor = addFacts(leaves, subject, heads);
    cursors.set(subjectId, cursor);
    const { snapshotNo } = snapshots.at(-1) ?? cursor;
    if (isCut || cursor.eventPosition < lastPosition || cursor.snapshotNo < snapshotNo)
      unfinished.add(subjectId);
  }
  return { leaves, cursors, unfinished };
}

function noLeaves(most: number): Leaves {
  const salts = randomFillSync(Buffer.allocUnsafe(most * SALT_BYTES));
  return { subjectIds: [], kinds: [], refs: [], salts, commitments: Buffer.allocUnsafe(most * HASH_BYTES) };
}

/** Returns the cursor behind them. */
function addFacts(leaves: Leaves, subject: FoundFacts, heads: Found['heads']): Cursor {
  const { subjectId, cursor } = subject;
  const first = leaves.kinds.length;
  let { eventPosition, eventId, head, snapshotNo } = cursor;
  for (const row of subject.events) {
    if (row.position !== eventPosition + 1) break;
    head = add(leaves, subjectId, factKinds.event, row.position, (salts, at) =>
      eventFactText(row, head, salts, at),
    );
    ({ position: eventPosition, eventId } = row);
  }
  for (const row of subject.snapshots) {
    const { position } = row;
    // It rests on an event which is not logged yet.
    if (position > eventPosition) break;
    const known = headAt(leaves, subject, first, position, heads);
    add(leaves, subjectId, factKinds.snapshot, row.snapshotNo, () => snapshotFactText(row, known));
    ({ snapshotNo } = row);
  }
  for (const row of subject.others) {
    add(leaves, subjectId, row.kind, row.ref, (salts, at) =>
      factText(otherFact(row, salts.subarray(at, at + SALT_BYTES))),
    );
  }
  return { eventPosition, eventId, head, snapshotNo };
}

/**
 * The commitment of the subject's event at a position; null at position 0.
 * @param first the leaf of its first event in this batch
 */
function headAt(
  leaves: Leaves,
  { subjectId, cursor }: FoundFacts,
  first: number,
  position: number,
  heads: Found['heads'],
): string | null {
  if (position === cursor.eventPosition) return cursor.head;
  if (position > cursor.eventPosition)
    return commitmentAt(leaves, first + position - cursor.eventPosition - 1);
  return heads.get(headKey(subjectId, position)) ?? null;
}

/** Returns the commitment as base64. */
function add(
  leaves: Leaves,
  subjectId: string,
  kind: number,
  ref: number,
  textOf: (salts: Buffer, at: number) => string,
): string {
  const { salts, commitments } = leaves;
  const index = leaves.kinds.length;
  const at = index * SALT_BYTES;
  const commitment = saltedHash(salts, textOf(salts, at), at);
  commitments.write(commitment, index * HASH_BYTES, 'base64');
  leaves.subjectIds.push(subjectId);
  leaves.kinds.push(kind);
  leaves.refs.push(ref);
  return commitment;
}

function commitmentAt({ commitments }: Leaves, index: number): string {
  return commitments.toString('base64', index * HASH_BYTES, (index + 1) * HASH_BYTES);
}
