import { appendLeaves, HASH_BYTES, leafHash, rootNodes, type TreeEdge } from '@reliability/proof';
import type { YieldTurn } from '../../kit/backpressure/yielder.js';
import { byteaPieces, int2s, numerics, uuids } from '../../kit/db/arrays.js';
import type { Database, Tx } from '../../kit/db/database.js';
import { lockOfGroup } from '../../kit/db/groups.js';
import {
  addToBlocks,
  type Block,
  type Blocks,
  blocksOf,
  blockValues,
  hashReader,
  openBlocks,
  openOf,
  readBlocks,
} from './blocks.js';
import { AT_START, type KnownCursors, keepCursors } from './cursors.js';
import { SALT_BYTES } from './facts.js';
import { findFacts, waitingSubjects } from './foundFacts.js';
import type { FreshFacts } from './freshFacts.js';
import { factKinds } from './kinds.js';
import { type Leaves, leavesOf } from './leaves.js';
import type { FactRows } from './logKeeper.js';
import { QUEUE_START, type QueueRow, readQueue } from './queue.js';

export interface LogBatch {
  /** Facts that became leaves. */
  leaves: number;
  /** Further rows wait in the queue. */
  hasMore: boolean;
}

export interface BatchLimits {
  /** Queued subjects of one batch. */
  subjects: number;
  /** Events that are read, and as many snapshots and other facts. */
  facts: number;
  /** Take only facts that may not wait (queue.ts). */
  isUrgent?: boolean;
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
  fresh: FreshFacts | null;
  /** Where the next batch begins to read the queue. */
  queueFrom: string;
}

/** @param fresh what this process has written itself; null: all facts are read. */
export function createKnownLog(fresh: FreshFacts | null = null): KnownLog {
  return { tree: null, cursors: new Map(), fresh, queueFrom: QUEUE_START };
}

/** Takes facts of another process. Some come after they were read and logged. */
export function takeFacts({ cursors, fresh }: KnownLog, { events, snapshots }: FactRows): void {
  const loggedTo = (subjectId: string) => cursors.get(subjectId) ?? AT_START;
  fresh?.addRows({
    events: events.filter(({ subjectId, position }) => position > loggedTo(subjectId).eventPosition),
    snapshots: snapshots.filter(({ subjectId, snapshotNo }) => snapshotNo > loggedTo(subjectId).snapshotNo),
  });
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
  if (!done) {
    known.fresh?.clear();
    return null;
  }
  keepCursors(known.cursors, done.cursors);
  for (const [subjectId, cursor] of done.cursors) known.fresh?.drop(subjectId, cursor);
  known.tree = done.tree;
  known.queueFrom = done.queueFrom;
  return done.batch;
}

async function appendQueued(tx: Tx, limits: BatchLimits, known: KnownLog, yieldTurn: YieldTurn) {
  const { queueFrom } = known;
  const [size, { rows: queue, hasMore }] = await Promise.all([
    lockTree(tx),
    readQueue(tx, queueFrom, limits.subjects, limits.isUrgent),
  ]);
  if (size === null) return null;
  const tree = known.tree?.edge.size === size ? known.tree : await readTree(tx, size);
  if (tree !== known.tree) known.cursors.clear();
  if (queue.length === 0) {
    return { batch: { leaves: 0, hasMore: false }, tree, cursors: new Map(), queueFrom: QUEUE_START };
  }
  const found = await findFacts(tx, waitingSubjects(queue), known, limits.facts);
  const { leaves, cursors, unfinished } = await leavesOf(found, yieldTurn);
  const done = queue.filter(({ subjectIds }) => !subjectIds.some((id) => unfinished.has(id)));
  const count = leaves.kinds.length;
  if (count === 0 && done.length === 0) throw new UnloggableFacts([...unfinished]);
  const { edge, added } = appendLeaves(
    tree.edge,
    leaves.kinds.map((_, index) => leafHash(hashAt(leaves.commitments, index))),
  );
  const changed = addToBlocks(tree.open, added);
  await save(tx, { size, leaves, blocks: [...changed.values()], done });
  const last = queue.at(-1)?.ctid ?? QUEUE_START;
  return {
    batch: { leaves: count, hasMore: hasMore || unfinished.size > 0 },
    tree: { edge, open: openOf(tree.open, changed) },
    cursors,
    queueFrom: unfinished.size > 0 ? queueFrom : hasMore ? last : QUEUE_START,
  };
}

function hashAt(hashes: Buffer, index: number): Uint8Array {
  return hashes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
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

async function readTree(tx: Tx, size: number): Promise<KnownTree> {
  const nodes = rootNodes(size);
  const blocks = await readBlocks(tx, [...blocksOf(nodes), ...openBlocks(size)]);
  return { edge: { size, hashes: nodes.map(hashReader(blocks)) }, open: openOf(blocks) };
}

interface Written {
  /** Of the tree before. */
  size: number;
  leaves: Leaves;
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
  const count = leaves.kinds.length;
  const updated = await tx.execute(SAVE, [
    done.map(({ ctid }) => ctid),
    size,
    uuids(leaves.subjectIds, (id) => id),
    int2s(leaves.kinds, (kind) => kind),
    numerics(leaves.refs, (ref) => ref),
    byteaPieces(leaves.salts, SALT_BYTES, count),
    byteaPieces(leaves.commitments, HASH_BYTES, count),
    ...blockValues(blocks),
    count,
  ]);
  if (updated !== 1) throw new Error(`the tree no longer has ${size} leaves`);
}
