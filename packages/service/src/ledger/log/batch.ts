import { appendLeaves, leafHash, rootNodes, type TreeEdge } from '@reliability/proof';
import type { YieldTurn } from '../../kit/backpressure/yielder.js';
import { byteas, int2s, numerics, uuids } from '../../kit/db/arrays.js';
import type { Database, Tx } from '../../kit/db/database.js';
import { lockOfGroup } from '../../kit/db/groups.js';
import { groupBy } from '../../kit/groupBy.js';
import {
  addToBlocks,
  BLOCK_WIDTH,
  type Block,
  type Blocks,
  blocksOf,
  blockValues,
  hashReader,
  openBlocks,
  readBlocks,
} from './blocks.js';
import { type Cursor, cursorsOf, type KnownCursors, keepCursors } from './cursors.js';
import {
  type EventsBehind,
  readEventsBehind,
  readEventsByPosition,
  readEventsFrom,
  readHeads,
  readSnapshotsBehind,
  type SubjectCursor,
} from './factStore.js';
import type { EventFactRow } from './facts.js';
import { factKinds } from './kinds.js';
import { type FoundFacts, type Leaf, leavesOf, type WaitingSubject } from './leaves.js';
import { readUnloggedFacts } from './otherFacts.js';
import { QUEUE_START, type QueueRow, queuedKinds, readQueue } from './queue.js';

export interface LogBatch {
  /** Facts that became leaves. */
  leaves: number;
  /** Further rows wait in the queue. */
  hasMore: boolean;
}

export interface BatchLimits {
  /** Queue rows of one batch. */
  rows: number;
  /** Events, and as many snapshots and other facts. */
  facts: number;
}

/** The tree's right edge and its open blocks. */
interface KnownTree {
  edge: TreeEdge;
  open: Blocks;
}

/** What a sequencer keeps between batches, valid while no other process adds leaves. */
export interface KnownLog {
  tree: KnownTree | null;
  cursors: KnownCursors;
  /** Where the next batch begins to read the queue. */
  queueFrom: string;
}

export function createKnownLog(): KnownLog {
  return { tree: null, cursors: new Map(), queueFrom: QUEUE_START };
}

/**
 * Appends the facts of queued subjects to the log, in one transaction: leaves, hashes and queue
 * commit together, so a killed process leaves nothing behind. Null: another process is the
 * sequencer now. Queue rows are read first and facts in later statements, which see every fact that
 * was committed with its row.
 */
export async function logBatch(
  db: Database,
  limits: BatchLimits,
  known: KnownLog,
  yieldTurn: YieldTurn,
): Promise<LogBatch | null> {
  const { tree } = known;
  // Set again after the commit: a tree whose commit failed is not the log's.
  known.tree = null;
  const done = await db.transaction((tx) => appendQueued(tx, limits, { ...known, tree }, yieldTurn));
  if (!done) return null;
  keepCursors(known.cursors, done.cursors);
  known.tree = done.tree;
  known.queueFrom = done.queueFrom;
  return done.batch;
}

async function appendQueued(tx: Tx, limits: BatchLimits, known: KnownLog, yieldTurn: YieldTurn) {
  const { queueFrom } = known;
  const [size, queue] = await Promise.all([lockTree(tx), readQueue(tx, queueFrom, limits.rows)]);
  if (size === null) return null;
  const tree = known.tree?.edge.size === size ? known.tree : await readTree(tx, size);
  if (tree !== known.tree) known.cursors.clear();
  if (queue.length === 0) {
    return { batch: { leaves: 0, hasMore: false }, tree, cursors: new Map(), queueFrom: QUEUE_START };
  }
  const subjects = await waitingSubjects(tx, queue, known);
  const { leaves, cursors, unfinished } = await leavesOf(
    await readFacts(tx, subjects, limits.facts),
    yieldTurn,
  );
  const done = queue.filter(({ subjectId }) => !unfinished.has(subjectId));
  if (leaves.length === 0 && done.length === 0) throw new UnloggableFacts([...unfinished]);
  const { edge, added } = appendLeaves(
    tree.edge,
    leaves.map(({ d }) => leafHash(d)),
  );
  const changed = addToBlocks(tree.open, added);
  await save(tx, { size, leaves, blocks: [...changed.values()], done });
  const isLastPage = queue.length < limits.rows;
  const last = queue.at(-1)?.ctid ?? QUEUE_START;
  return {
    batch: { leaves: leaves.length, hasMore: !isLastPage || unfinished.size > 0 },
    tree: { edge, open: openOf([...tree.open, ...changed]) },
    cursors: new Map([
      ...subjects.map(({ subjectId, cursor }): [string, Cursor] => [subjectId, cursor]),
      ...cursors,
    ]),
    queueFrom: unfinished.size > 0 ? queueFrom : isLastPage ? QUEUE_START : last,
  };
}

function openOf(blocks: Iterable<[string, Block]>): Blocks {
  return new Map([...blocks].filter(([, { filled }]) => filled < BLOCK_WIDTH));
}

/** Facts that can never become leaves: somebody removed events from the ledger. */
export class UnloggableFacts extends Error {
  override readonly name = 'UnloggableFacts';
  readonly subjectIds: readonly string[];

  constructor(subjectIds: readonly string[]) {
    super(`events are missing from the ledgers of ${subjectIds.join(', ')}`);
    this.subjectIds = subjectIds;
  }
}

/**
 * One sequencer at a time, in any process: the size of the tree, or null while another one has the
 * lock.
 */
export async function lockTree(tx: Tx): Promise<number | null> {
  const [row] = await tx.query<{ treeSize: number }>(
    'select tree_size from log_state where pg_try_advisory_xact_lock(hashtextextended($1, 0))',
    [lockOfGroup(tx, 'transparency log')],
  );
  return row?.treeSize ?? null;
}

/** The subjects of the rows, each once. */
async function waitingSubjects(
  tx: Tx,
  queue: readonly QueueRow[],
  known: KnownLog,
): Promise<WaitingSubject[]> {
  const kindsOf = new Map<string, number>();
  for (const { subjectId, kinds } of queue) kindsOf.set(subjectId, (kindsOf.get(subjectId) ?? 0) | kinds);
  const cursors = await cursorsOf(tx, known.cursors, [...kindsOf.keys()]);
  return [...cursors].map(([subjectId, cursor]) => ({
    subjectId,
    kinds: kindsOf.get(subjectId) ?? 0,
    cursor,
  }));
}

async function readFacts(tx: Tx, subjects: readonly WaitingSubject[], limit: number): Promise<FoundFacts> {
  const having = (bits: number) =>
    subjects
      .filter(({ kinds }) => (kinds & bits) !== 0)
      .map(({ subjectId, cursor }): SubjectCursor => ({ ...cursor, subjectId }));
  // A snapshot can rest on events whose own queue row is in a later batch.
  const chained = having(queuedKinds.events | queuedKinds.snapshots);
  const [events, snapshots, others] = await Promise.all([
    readEventsBehind(tx, chained, limit),
    readSnapshotsBehind(tx, having(queuedKinds.snapshots), limit),
    readUnloggedFacts(
      tx,
      having(queuedKinds.others).map(({ subjectId }) => subjectId),
      limit,
    ),
  ]);
  const cutKinds =
    (snapshots.length === limit ? queuedKinds.snapshots : 0) |
    (others.length === limit ? queuedKinds.others : 0);
  const positions = new Map(chained.map(({ subjectId, eventPosition }) => [subjectId, eventPosition]));
  const older = snapshots.filter(({ subjectId, position }) => position < (positions.get(subjectId) ?? 0));
  return {
    subjects,
    events: await withoutGaps(tx, chained, events, limit),
    snapshots,
    heads: await readHeads(tx, older),
    others,
    cutKinds,
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
): Promise<EventsBehind> {
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
  return { ...found, events: [...bySubject.values()].flat() };
}

function isGapless({ eventPosition }: SubjectCursor, rows: readonly EventFactRow[]): boolean {
  return rows.every(({ position }) => position <= eventPosition + rows.length);
}

async function readTree(tx: Tx, size: number): Promise<KnownTree> {
  const nodes = rootNodes(size);
  const blocks = await readBlocks(tx, [...blocksOf(nodes), ...openBlocks(size)]);
  return { edge: { size, hashes: nodes.map(hashReader(blocks)) }, open: openOf(blocks) };
}

interface Written {
  /** Of the tree before. */
  size: number;
  leaves: readonly Leaf[];
  blocks: readonly Block[];
  done: readonly QueueRow[];
}

const SAVE = `
with taken as (
  delete from log_queue where ctid = any($1::tid[])
), facts as (
  insert into log_fact (subject_id, kind, ref, leaf_index, salt, d)
  select subject_id, kind, ref, $2::bigint + number - 1, case when erased.subject_id is null or kind = ${factKinds.erasure} then salt end, d
  from unnest($3::uuid[], $4::smallint[], $5::bigint[], $6::bytea[], $7::bytea[])
    with ordinality as leaf (subject_id, kind, ref, salt, d, number)
  left join (select subject_id from erasure) erased using (subject_id)
), blocks as (
  insert into log_block (level, block_index, filled, hashes)
  select level, block_index, filled, hashes from unnest($8::smallint[], $9::bigint[], $10::smallint[], $11::bytea[])
    as block (level, block_index, filled, hashes)
  on conflict (level, block_index) do update set filled = excluded.filled, hashes = excluded.hashes
)
update log_state set tree_size = tree_size + $12::bigint where tree_size = $2`;

async function save(tx: Tx, { size, leaves, blocks, done }: Written): Promise<void> {
  const updated = await tx.execute(SAVE, [
    done.map(({ ctid }) => ctid),
    size,
    uuids(leaves, ({ subjectId }) => subjectId),
    int2s(leaves, ({ kind }) => kind),
    numerics(leaves, ({ ref }) => ref),
    byteas(leaves, ({ salt }) => salt),
    byteas(leaves, ({ d }) => d),
    ...blockValues(blocks),
    leaves.length,
  ]);
  if (updated !== 1) throw new Error(`the tree no longer has ${size} leaves`);
}
