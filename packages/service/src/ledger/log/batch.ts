import { appendLeaves, leafHash, rootNodes, type TreeEdge } from '@reliability/proof';
import type { YieldTurn } from '../../kit/backpressure/yielder.js';
import { byteas, int2s, int4s, numerics, uuids } from '../../kit/db/arrays.js';
import type { Database, Tx } from '../../kit/db/database.js';
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
import { readEventsBehind, readEventsByPosition, readSnapshotsBehind } from './factStore.js';
import type { EventFactRow } from './facts.js';
import { type FoundFacts, type Leaf, type LoggedSubject, leavesOf } from './leaves.js';
import { readUnloggedFacts } from './otherFacts.js';
import { type QueuedSubject, queuedKinds, readQueue } from './queue.js';

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

/**
 * The tree's right edge and its open blocks, kept between batches while no other process adds
 * leaves.
 */
export interface KnownTree {
  edge: TreeEdge;
  open: Blocks;
}

/**
 * Appends the facts of queued subjects to the log, in one transaction: leaves, hashes, cursors and
 * queue commit together, so a killed process leaves nothing behind. Null: another process is the
 * sequencer now. Queue rows are read first and facts in later statements, which see every fact that
 * was committed with its row.
 */
export async function logBatch(
  db: Database,
  limits: BatchLimits,
  known: { tree: KnownTree | null },
  yieldTurn: YieldTurn,
): Promise<LogBatch | null> {
  const { tree } = known;
  // Set again after the commit: a tree whose commit failed is not the log's.
  known.tree = null;
  const done = await db.transaction((tx) => appendQueued(tx, limits, tree, yieldTurn));
  if (!done) return null;
  known.tree = done.tree;
  return done.batch;
}

async function appendQueued(tx: Tx, limits: BatchLimits, tree: KnownTree | null, yieldTurn: YieldTurn) {
  const [size, queue] = await Promise.all([lockTree(tx), readQueue(tx, limits.rows)]);
  if (size === null) return null;
  if (queue.length === 0) return { batch: { leaves: 0, hasMore: false }, tree };
  const subjects = [...merged(queue).values()];
  const { leaves, cursors, unfinished } = await leavesOf(
    await readFacts(tx, subjects, limits.facts),
    yieldTurn,
  );
  const done = queue.filter(({ subjectId }) => !unfinished.has(subjectId));
  if (leaves.length === 0 && done.length === 0) throw new UnloggableFacts([...unfinished]);
  const before = tree?.edge.size === size ? tree : await readTree(tx, size);
  const { edge, added } = appendLeaves(
    before.edge,
    leaves.map(({ d }) => leafHash(d)),
  );
  const changed = addToBlocks(before.open, added);
  await save(tx, { size, leaves, cursors, blocks: [...changed.values()], done });
  const hasMore = queue.length === limits.rows || unfinished.size > 0;
  return {
    batch: { leaves: leaves.length, hasMore },
    tree: { edge, open: openOf([...before.open, ...changed]) },
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
    `select tree_size from log_state where pg_try_advisory_xact_lock(hashtextextended('transparency log', 0))`,
  );
  return row?.treeSize ?? null;
}

/** A subject may have several rows. */
function merged(queue: readonly QueuedSubject[]): Map<string, QueuedSubject> {
  const subjects = new Map<string, QueuedSubject>();
  for (const row of queue) {
    const known = subjects.get(row.subjectId);
    subjects.set(row.subjectId, known ? { ...known, kinds: known.kinds | row.kinds } : row);
  }
  return subjects;
}

async function readFacts(tx: Tx, subjects: readonly QueuedSubject[], limit: number): Promise<FoundFacts> {
  const having = (bits: number) => subjects.filter(({ kinds }) => (kinds & bits) !== 0);
  // A snapshot can rest on events whose own queue row is in a later batch.
  const [events, snapshots, others] = await Promise.all([
    readEventsBehind(tx, having(queuedKinds.events | queuedKinds.snapshots), limit),
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
  const whole = await withoutGaps(tx, subjects, events, limit);
  return { subjects, events: whole, snapshots, others, cutKinds };
}

/**
 * Reads the events of a subject by position where those found by id do not reach its end. After a
 * cut only for the first subject, so that each batch gets on.
 */
async function withoutGaps(
  tx: Tx,
  subjects: readonly QueuedSubject[],
  found: readonly EventFactRow[],
  limit: number,
): Promise<readonly EventFactRow[]> {
  const bySubject = groupBy(found, ({ subjectId }) => subjectId);
  const candidates = found.length === limit ? subjects.slice(0, 1) : subjects;
  const short = candidates.filter(
    ({ subjectId, kinds, eventPosition, eventCount }) =>
      kinds !== queuedKinds.others && eventPosition + (bySubject.get(subjectId)?.length ?? 0) < eventCount,
  );
  for (const subject of short) {
    bySubject.set(subject.subjectId, await readEventsByPosition(tx, subject, limit));
  }
  return short.length === 0 ? found : [...bySubject.values()].flat();
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
  cursors: readonly LoggedSubject[];
  blocks: readonly Block[];
  done: readonly QueuedSubject[];
}

const SAVE = `
with taken as (
  delete from log_queue where ctid = any($1::tid[])
), facts as (
  insert into log_fact (subject_id, kind, ref, leaf_index, salt, d)
  select subject_id, kind, ref, $2::bigint + number - 1, salt, d
  from unnest($3::uuid[], $4::smallint[], $5::bigint[], $6::bytea[], $7::bytea[])
    with ordinality as leaf (subject_id, kind, ref, salt, d, number)
), cursors as (
  insert into log_subject (subject_id, event_position, event_id, head, snapshot_no)
  select * from unnest($8::uuid[], $9::integer[], $10::uuid[], $11::bytea[], $12::integer[])
  on conflict (subject_id) do update set event_position = excluded.event_position, event_id = excluded.event_id,
    head = excluded.head, snapshot_no = excluded.snapshot_no
), blocks as (
  insert into log_block (level, block_index, filled, hashes)
  select level, block_index, filled, hashes from unnest($13::smallint[], $14::bigint[], $15::smallint[], $16::bytea[])
    as block (level, block_index, filled, hashes)
  on conflict (level, block_index) do update set filled = excluded.filled, hashes = excluded.hashes
)
update log_state set tree_size = tree_size + $17::bigint where tree_size = $2`;

async function save(tx: Tx, { size, leaves, cursors, blocks, done }: Written): Promise<void> {
  const updated = await tx.execute(SAVE, [
    done.map(({ ctid }) => ctid),
    size,
    uuids(leaves, ({ subjectId }) => subjectId),
    int2s(leaves, ({ kind }) => kind),
    numerics(leaves, ({ ref }) => ref),
    byteas(leaves, ({ salt }) => salt),
    byteas(leaves, ({ d }) => d),
    uuids(cursors, ({ subjectId }) => subjectId),
    int4s(cursors, ({ eventPosition }) => eventPosition),
    uuids(cursors, ({ eventId }) => eventId),
    byteas(cursors, ({ head }) => head),
    int4s(cursors, ({ snapshotNo }) => snapshotNo),
    ...blockValues(blocks),
    leaves.length,
  ]);
  if (updated !== 1) throw new Error(`the tree no longer has ${size} leaves`);
}
