import { randomBytes } from 'node:crypto';
import { nextChain } from '@reliability/proof';
import { type Cursor, chainKey } from './factStore.js';
import {
  base64,
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

export interface Leaf {
  subjectId: string;
  kind: number;
  ref: number;
  salt: Buffer;
  /** The commitment. */
  d: Buffer;
  /** Of events: the hash over the subject's commitments up to this one. */
  chain: Uint8Array | null;
}

export interface Taken {
  /** Events first. */
  leaves: Leaf[];
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
  /** Its events in this batch. */
  readonly added: readonly Leaf[];
}

/** The leaves of a batch: the events of each subject in the order of positions, then snapshots and the rest. */
export function leavesOf({ subjects, chains }: Found, completeUntil: number): Taken {
  const leaves: Leaf[] = [];
  const most = subjects.reduce(
    (sum, { events, snapshots, others }) => sum + events.length + snapshots.length + others.length,
    0,
  );
  const salts = randomBytes(most * SALT_BYTES);
  const chained = new Map(subjects.map((subject) => [subject.cursor.subjectId, addEvents(subject)]));
  const cursors = new Map<string, Cursor>();
  const [unfinished, waiting] = [new Set<string>(), new Set<string>()];
  for (const subject of subjects) {
    const { snapshots, others, lastPosition, isCut } = subject;
    const { subjectId } = subject.cursor;
    const { after } = chained.get(subjectId) as Chained;
    const { snapshotNo, isWaiting } = addSnapshots(subject, after.eventPosition);
    for (const row of others) add(row, row.kind, row.ref, (salt) => otherFactText(row, salt));
    cursors.set(subjectId, { ...after, snapshotNo });
    const lastNo = snapshots.at(-1)?.snapshotNo ?? snapshotNo;
    if (isWaiting) waiting.add(subjectId);
    if (isCut || after.eventPosition < lastPosition || (snapshotNo < lastNo && !isWaiting))
      unfinished.add(subjectId);
  }
  return { leaves, cursors, unfinished, waiting };

  function addEvents({ cursor, events }: FoundFacts): Chained {
    let { eventPosition, eventId, head } = cursor;
    let chain: Uint8Array = Buffer.from(cursor.chain, 'base64');
    const first = leaves.length;
    for (const row of events) {
      if (row.position !== eventPosition + 1) break;
      const place = { previous: head, completeUntil };
      const leaf = add(row, factKinds.event, row.position, (salt) => eventFactText(row, place, salt));
      head = base64(leaf.d);
      chain = nextChain(chain, leaf.d);
      leaf.chain = chain;
      ({ position: eventPosition, eventId } = row);
    }
    const after = { ...cursor, eventPosition, eventId, head, chain: base64(chain) };
    return { before: cursor, after, added: leaves.slice(first) };
  }

  function addSnapshots({ cursor, snapshots }: FoundFacts, eventPosition: number) {
    let { subjectId, snapshotNo } = cursor;
    for (const row of snapshots) {
      // It rests on an event which is not logged yet.
      if ((row.positions[subjectId] ?? 0) > eventPosition) break;
      const members = countedBy(row, chainOf);
      if (!members) return { snapshotNo, isWaiting: true };
      add(row, factKinds.snapshot, row.snapshotNo, () => snapshotFactText(row, members));
      ({ snapshotNo } = row);
    }
    return { snapshotNo, isWaiting: false };
  }

  function add(
    { subjectId }: { subjectId: string },
    kind: number,
    ref: number,
    textOf: (salt: Buffer) => string,
  ): Leaf {
    const at = leaves.length * SALT_BYTES;
    const salt = salts.subarray(at, at + SALT_BYTES);
    const leaf: Leaf = {
      subjectId,
      kind,
      ref,
      salt,
      d: Buffer.from(saltedHash(salt, textOf(salt)), 'base64'),
      chain: null,
    };
    leaves.push(leaf);
    return leaf;
  }

  /** Undefined: the event at this position is not logged yet. */
  function chainOf(subjectId: string, position: number): string | undefined {
    const own = chained.get(subjectId);
    if (!own || position < own.before.eventPosition) return chains.get(chainKey(subjectId, position));
    if (position === own.after.eventPosition) return own.after.chain;
    if (position === own.before.eventPosition) return own.before.chain;
    const chain = own.added[position - own.before.eventPosition - 1]?.chain;
    return chain ? base64(chain) : undefined;
  }
}

/** Null: a chain is not known. */
export function countedBy(
  { positions }: Pick<SnapshotFactRow, 'positions'>,
  chainOf: (subjectId: string, position: number) => string | undefined,
): CountedChain[] | null {
  const members: CountedChain[] = [];
  for (const [subjectId, position] of Object.entries(positions)) {
    const chain = chainOf(subjectId, position);
    if (chain === undefined) return null;
    members.push({ chain, position });
  }
  return inFactOrder(members);
}
