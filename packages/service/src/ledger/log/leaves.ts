import { randomFillSync } from 'node:crypto';
import { HASH_BYTES, nextChain } from '@reliability/proof';
import type { Cursor } from './cursors.js';
import { chainKey } from './factStore.js';
import {
  type CountedChain,
  eventFactText,
  inFactOrder,
  otherFactText,
  SALT_BYTES,
  type SnapshotFactRow,
  saltedHash,
  snapshotFactText,
} from './facts.js';
import type { Found, FoundFacts } from './foundFacts.js';
import { factKinds } from './kinds.js';

/** New leaves by column: an object for each costs as much as its hash. Events come first. */
export interface Leaves {
  readonly subjectIds: string[];
  readonly kinds: number[];
  readonly refs: number[];
  /** SALT_BYTES for each leaf. There may be more than leaves. */
  readonly salts: Buffer;
  /** HASH_BYTES for each leaf. */
  readonly commitments: Buffer;
  /** HASH_BYTES for each event. */
  readonly chains: Buffer;
  /** Of what the events of the batch say about the log before them: in milliseconds since 1970. */
  readonly completeUntil: number;
}

export interface Taken {
  leaves: Leaves;
  events: number;
  /** Of all subjects, behind their leaves. */
  cursors: Map<string, Cursor>;
  /** Subjects whose facts did not all fit. */
  unfinished: Set<string>;
  /** Subjects with a snapshot that counts events of a linked subject which are not logged yet. */
  waiting: Set<string>;
}

/** A subject whose events are leaves of this batch. */
interface Chained {
  /** Before and behind its events. */
  readonly before: Cursor;
  readonly after: Cursor;
  /** The leaf of its first event in this batch. */
  readonly first: number;
}

/** The leaves of a batch: the events of each subject in the order of positions, then snapshots and the rest. */
export function leavesOf({ subjects, chains }: Found, completeUntil: number): Taken {
  const leaves = noLeaves(subjects, completeUntil);
  const chained = new Map<string, Chained>();
  for (const subject of subjects) chained.set(subject.subjectId, addEvents(leaves, subject));
  const events = leaves.kinds.length;
  const cursors = new Map<string, Cursor>();
  const [unfinished, waiting] = [new Set<string>(), new Set<string>()];
  const chainOf = (subjectId: string, position: number) =>
    chainAt(leaves, chained, chains, subjectId, position);
  for (const subject of subjects) {
    const { subjectId, snapshots, lastPosition, isCut } = subject;
    const { after } = chained.get(subjectId) as Chained;
    const { snapshotNo, isWaiting } = addSnapshots(leaves, subject, after, chainOf);
    addOthers(leaves, subject);
    cursors.set(subjectId, { ...after, snapshotNo });
    const { snapshotNo: lastNo } = snapshots.at(-1) ?? { snapshotNo };
    if (isWaiting) waiting.add(subjectId);
    if (isCut || after.eventPosition < lastPosition || (snapshotNo < lastNo && !isWaiting))
      unfinished.add(subjectId);
  }
  return { leaves, events, cursors, unfinished, waiting };
}

function noLeaves(subjects: readonly FoundFacts[], completeUntil: number): Leaves {
  let [most, events] = [0, 0];
  for (const subject of subjects) {
    events += subject.events.length;
    most += subject.events.length + subject.snapshots.length + subject.others.length;
  }
  return {
    subjectIds: [],
    kinds: [],
    refs: [],
    salts: randomFillSync(Buffer.allocUnsafe(most * SALT_BYTES)),
    commitments: Buffer.allocUnsafe(most * HASH_BYTES),
    chains: Buffer.allocUnsafe(events * HASH_BYTES),
    completeUntil,
  };
}

function addEvents(leaves: Leaves, { subjectId, cursor, events }: FoundFacts): Chained {
  const { completeUntil } = leaves;
  const first = leaves.kinds.length;
  let { eventPosition, eventId, head } = cursor;
  let chain: Uint8Array | undefined;
  for (const row of events) {
    if (row.position !== eventPosition + 1) break;
    const index = leaves.kinds.length;
    const place = { previous: head, completeUntil };
    head = add(leaves, subjectId, factKinds.event, row.position, (salts, at) =>
      eventFactText(row, place, salts, at),
    );
    chain = nextChain(chain ?? Buffer.from(cursor.chain, 'base64'), hashAt(leaves.commitments, index));
    leaves.chains.set(chain, index * HASH_BYTES);
    ({ position: eventPosition, eventId } = row);
  }
  const after = { ...cursor, eventPosition, eventId, head, chain: chain ? base64(chain) : cursor.chain };
  return { before: cursor, after, first };
}

function addSnapshots(
  leaves: Leaves,
  { subjectId, cursor, snapshots }: FoundFacts,
  { eventPosition }: Cursor,
  chainOf: (subjectId: string, position: number) => string | undefined,
): { snapshotNo: number; isWaiting: boolean } {
  let { snapshotNo } = cursor;
  for (const row of snapshots) {
    // It rests on an event which is not logged yet.
    if ((row.positions[subjectId] ?? 0) > eventPosition) break;
    const members = countedBy(row, chainOf);
    if (!members) return { snapshotNo, isWaiting: true };
    add(leaves, subjectId, factKinds.snapshot, row.snapshotNo, () => snapshotFactText(row, members));
    ({ snapshotNo } = row);
  }
  return { snapshotNo, isWaiting: false };
}

/** Null: a chain is not known. */
export function countedBy(
  { positions }: Pick<SnapshotFactRow, 'positions'>,
  chainOf: (subjectId: string, position: number) => string | undefined,
): CountedChain[] | null {
  const members: CountedChain[] = [];
  for (const subjectId in positions) {
    const position = positions[subjectId] ?? 0;
    const chain = chainOf(subjectId, position);
    if (chain === undefined) return null;
    members.push({ chain, position });
  }
  return inFactOrder(members);
}

/** Undefined: the event at this position is not logged yet. */
function chainAt(
  { chains: added }: Leaves,
  chained: ReadonlyMap<string, Chained>,
  known: Found['chains'],
  subjectId: string,
  position: number,
): string | undefined {
  const own = chained.get(subjectId);
  if (!own || position < own.before.eventPosition) return known.get(chainKey(subjectId, position));
  if (position === own.after.eventPosition) return own.after.chain;
  if (position === own.before.eventPosition) return own.before.chain;
  if (position > own.after.eventPosition) return undefined;
  return base64(hashAt(added, own.first + position - own.before.eventPosition - 1));
}

function addOthers(leaves: Leaves, { subjectId, others }: FoundFacts): void {
  for (const row of others) {
    add(leaves, subjectId, row.kind, row.ref, (salts, at) => otherFactText(row, salts, at));
  }
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

export function hashAt(hashes: Buffer, index: number): Buffer {
  return hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}
