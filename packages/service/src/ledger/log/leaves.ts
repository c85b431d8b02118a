import { randomBytes } from 'node:crypto';
import { nextChain } from '@reliability/proof';
import type { Queryable, Tx } from '#kit/db/database.js';
import { groupBy } from '#kit/lists.js';
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
import {
  base64,
  type CountedChain,
  type EventFactRow,
  eventFactText,
  factKinds,
  inFactOrder,
  type OtherFactRow,
  otherFactText,
  SALT_BYTES,
  type SnapshotFactRow,
  saltedHash,
  snapshotFactText,
} from './facts.js';
import { readUnloggedFacts } from './otherFacts.js';
import { type QueueRow, queuedKinds } from './queue.js';

export interface Leaf {
  subjectId: string;
  kind: number;
  ref: number;
  salt: Buffer;
  d: Buffer;
  /** The same as base64. */
  digest: string;
  /** Of events: the hash over the subject's commitments up to this one. */
  chain: Uint8Array | null;
}

/** The leaves of a batch: the events of each subject in the order of positions, then snapshots and the rest. */
export function leavesOf({ subjects, chains }: Found, completeUntil: number) {
  const leaves: Leaf[] = [];
  let most = 0;
  for (const each of subjects) most += each.events.length + each.snapshots.length + each.others.length;
  const salts = randomBytes(most * SALT_BYTES);
  const chained = new Map(subjects.map((subject) => [subject.cursor.subjectId, addEvents(subject)]));
  const cursors = new Map<string, Cursor>();
  /** Subjects whose facts did not all fit, and those with a snapshot that counts unlogged events of another. */
  const [unfinished, waiting] = [new Set<string>(), new Set<string>()];
  for (const [subjectId, { subject, after }] of chained) {
    const { snapshots, others, lastPosition, isCut } = subject;
    const { snapshotNo, isWaiting } = addSnapshots(subject, after.eventPosition);
    for (const row of others) add(subjectId, row.kind, row.ref, (salt) => otherFactText(row, salt));
    cursors.set(subjectId, Object.assign(after, { snapshotNo }));
    const lastNo = snapshots.at(-1)?.snapshotNo ?? snapshotNo;
    if (isWaiting) waiting.add(subjectId);
    if (isCut || after.eventPosition < lastPosition || (snapshotNo < lastNo && !isWaiting))
      unfinished.add(subjectId);
  }
  return { leaves, cursors, unfinished, waiting };

  /** `after`: the cursor behind the events that were `added`. */
  function addEvents(subject: FoundFacts) {
    const { cursor, events } = subject;
    let { subjectId, eventPosition, eventId, head } = cursor;
    let chain: Uint8Array = Buffer.from(cursor.chain, 'base64');
    const first = leaves.length;
    for (const row of events) {
      if (row.position !== eventPosition + 1) break;
      const place = { previous: head, completeUntil };
      const leaf = add(subjectId, factKinds.event, row.position, (salt) => eventFactText(row, place, salt));
      head = leaf.digest;
      chain = nextChain(chain, leaf.d);
      leaf.chain = chain;
      ({ position: eventPosition, eventId } = row);
    }
    const after = { ...cursor, eventPosition, eventId, head, chain: base64(chain) };
    return { subject, after, added: leaves.slice(first) };
  }

  function addSnapshots({ cursor, snapshots }: FoundFacts, eventPosition: number) {
    let { subjectId, snapshotNo } = cursor;
    for (const row of snapshots) {
      // It rests on an event which is not logged yet.
      if ((row.positions[subjectId] ?? 0) > eventPosition) break;
      const members = countedBy(row, chainOf);
      if (!members) return { snapshotNo, isWaiting: true };
      add(subjectId, factKinds.snapshot, row.snapshotNo, () => snapshotFactText(row, members));
      ({ snapshotNo } = row);
    }
    return { snapshotNo, isWaiting: false };
  }

  function add(subjectId: string, kind: number, ref: number, textOf: (salt: Buffer) => string): Leaf {
    const at = leaves.length * SALT_BYTES;
    const salt = salts.subarray(at, at + SALT_BYTES);
    const digest = saltedHash(salt, textOf(salt));
    const leaf: Leaf = { subjectId, kind, ref, salt, d: Buffer.from(digest, 'base64'), digest, chain: null };
    leaves.push(leaf);
    return leaf;
  }

  /** Undefined: the event at this position is not logged yet. */
  function chainOf(subjectId: string, position: number): string | undefined {
    const own = chained.get(subjectId);
    const before = own?.subject.cursor;
    if (!own || !before || position < before.eventPosition) return chains.get(chainKey(subjectId, position));
    if (position === own.after.eventPosition) return own.after.chain;
    if (position === before.eventPosition) return before.chain;
    const chain = own.added[position - before.eventPosition - 1]?.chain;
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

interface KnownFacts {
  cursors: ReadonlyMap<string, Cursor>;
  /** The chains of members in other ledger groups, by `chainKey`. What is logged never changes. */
  elsewhere: ReadonlyMap<string, string>;
}

/** A queued subject with its facts that are not in the log. */
interface FoundFacts {
  readonly cursor: Cursor;
  /** By position, perhaps with gaps. */
  readonly events: readonly EventFactRow[];
  readonly snapshots: readonly SnapshotFactRow[];
  readonly others: readonly OtherFactRow[];
  /** The position of the last event; infinite: not known. */
  readonly lastPosition: number;
  /** The limit left out some of its snapshots or other facts, perhaps. */
  readonly isCut: boolean;
}

type Found = Awaited<ReturnType<typeof findFacts>>;

/** The facts of queued subjects that are not in the log, each subject once: at most `limit` of each kind. */
export async function findFacts(tx: Tx, queue: readonly QueueRow[], known: KnownFacts, limit: number) {
  const waiting = new Map<string, number>();
  for (const { subjectIds, kinds } of queue)
    for (const subjectId of subjectIds) waiting.set(subjectId, (waiting.get(subjectId) ?? 0) | kinds);
  const ids = [...waiting.keys()];
  const unknown = ids.filter((id) => !known.cursors.has(id));
  const read = await readCursors(tx, unknown);
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
async function withoutGaps(tx: Tx, subjects: readonly Cursor[], found: EventsBehind, limit: number) {
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

/**
 * The chains that the snapshots name, as far as the batch itself does not make them, by `chainKey`.
 * `missing`: this group has not logged these events.
 */
async function findChains(db: Queryable, subjects: readonly FoundFacts[], known: KnownFacts) {
  const chains = new Map<string, string>();
  const wanted = new Map<string, CountedSubject>();
  const inBatch = new Map(subjects.map(({ cursor }) => [cursor.subjectId, cursor.eventPosition]));
  for (const { positions } of subjects.flatMap(({ snapshots }) => snapshots)) {
    for (const [memberId, position] of Object.entries(positions)) {
      if (position >= (inBatch.get(memberId) ?? Number.POSITIVE_INFINITY)) continue;
      const key = chainKey(memberId, position);
      const cursor = known.cursors.get(memberId);
      const own = cursor?.eventPosition === position ? cursor.chain : known.elsewhere.get(key);
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
