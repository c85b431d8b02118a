import { appendLeaves, HASH_BYTES, leafHash, rootNodes, type TreeEdge } from '@reliability/proof';
import { type Clock, systemClock } from '../../kit/clock.js';
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
import { findChainsElsewhere } from './countedChains.js';
import { type KnownCursors, keepCursors } from './cursors.js';
import { SALT_BYTES } from './facts.js';
import { findFacts, waitingSubjects } from './foundFacts.js';
import { factKinds } from './kinds.js';
import { hashAt, type Leaves, leavesOf } from './leaves.js';
import { QUEUE_START, type QueueRow, readQueue } from './queue.js';

export interface LogBatch {
  /** Facts that became leaves. */
  leaves: number;
  /** Further rows wait in the queue. */
  hasMore: boolean;
  /** Snapshots wait for events of linked subjects. */
  isWaiting: boolean;
}

export interface BatchLimits {
  /** Queued subjects of one batch. */
  subjects: number;
  /** Events that are read, and as many snapshots and other facts. */
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
  /** Chains of members in other ledger groups (countedChains.ts). */
  elsewhere: Map<string, string>;
  /** By which events are dated; in milliseconds since 1970. */
  now(): number;
  /** When the present pass through the queue began. */
  passSince: number;
  /** When the last pass began that left no event unlogged. */
  completeUntil: number;
}

export function createKnownLog(clock: Clock = systemClock): KnownLog {
  return {
    tree: null,
    cursors: new Map(),
    queueFrom: QUEUE_START,
    elsewhere: new Map(),
    now: () => clock.now().getTime(),
    passSince: 0,
    completeUntil: 0,
  };
}

/** About 10 MB. */
const MAX_ELSEWHERE = 50_000;

/**
 * Appends the facts of queued subjects to the log, in one transaction: leaves, hashes and queue
 * commit together, so a killed process leaves nothing behind. Null: another process is the
 * sequencer now. Queue rows are read first and facts in later statements, which see every fact that
 * was committed with its row.
 */
export async function logBatch(db: Database, limits: BatchLimits, known: KnownLog): Promise<LogBatch | null> {
  const { tree } = known;
  // Set again after the commit: a tree whose commit failed is not the log's.
  known.tree = null;
  if (known.queueFrom === QUEUE_START) known.passSince = known.now();
  const done = await db.transaction((tx) => appendQueued(tx, limits, { ...known, tree }));
  if (!done) return null;
  keepCursors(known.cursors, done.cursors);
  known.tree = done.tree;
  if (done.isComplete) known.completeUntil = known.passSince;
  const found = await findChainsElsewhere(db, done.missing);
  if (known.elsewhere.size > MAX_ELSEWHERE) known.elsewhere.clear();
  for (const [key, chain] of found) known.elsewhere.set(key, chain);
  // Then the rows of this batch are read again.
  if (found.size > 0) return { ...done.batch, hasMore: true };
  known.queueFrom = done.queueFrom;
  return done.batch;
}

async function appendQueued(tx: Tx, limits: BatchLimits, known: KnownLog) {
  const { queueFrom } = known;
  const [state, { rows: queue, hasMore }] = await Promise.all([
    lockState(tx),
    readQueue(tx, queueFrom, limits.subjects),
  ]);
  if (state === null) return null;
  const size = state.treeSize;
  const mayBeComplete = state.isLedgerQueued && !hasMore;
  const tree = known.tree?.edge.size === size ? known.tree : await readTree(tx, size);
  if (tree !== known.tree) known.cursors.clear();
  if (queue.length === 0) {
    const batch: LogBatch = { leaves: 0, hasMore: false, isWaiting: false };
    const nothing = { cursors: new Map(), queueFrom: QUEUE_START, missing: [] };
    return { batch, tree, isComplete: mayBeComplete, ...nothing };
  }
  const found = await findFacts(tx, waitingSubjects(queue), known, limits.facts);
  const completeUntil = Math.max(known.completeUntil, state.completeUntil.getTime());
  const { leaves, events, cursors, unfinished, waiting } = leavesOf(found, completeUntil);
  const isLeft = (id: string) => unfinished.has(id) || waiting.has(id);
  const done = queue.filter(({ subjectIds }) => !subjectIds.some(isLeft));
  const count = leaves.kinds.length;
  if (count === 0 && done.length === 0 && unfinished.size > 0) throw new UnloggableFacts([...unfinished]);
  const { edge, added } = appendLeaves(
    tree.edge,
    leaves.kinds.map((_, index) => leafHash(hashAt(leaves.commitments, index))),
  );
  const changed = addToBlocks(tree.open, added);
  if (count > 0 || done.length > 0)
    await save(tx, { size, leaves, events, blocks: [...changed.values()], done });
  const last = queue.at(-1)?.ctid ?? QUEUE_START;
  return {
    batch: { leaves: count, hasMore: hasMore || unfinished.size > 0, isWaiting: waiting.size > 0 },
    tree: { edge, open: openOf(tree.open, changed) },
    cursors,
    missing: found.missing,
    isComplete: mayBeComplete && unfinished.size === 0,
    queueFrom: unfinished.size > 0 ? queueFrom : hasMore ? last : QUEUE_START,
  };
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
  return (await lockState(tx))?.treeSize ?? null;
}

interface LockedState {
  treeSize: number;
  /** As in the events of the last batch. */
  completeUntil: Date;
  isLedgerQueued: boolean;
}

async function lockState(tx: Tx): Promise<LockedState | null> {
  const [row] = await tx.query<LockedState>(
    `select tree_size, complete_until, is_ledger_queued from log_state
     where pg_try_advisory_xact_lock(hashtextextended($1, 0))`,
    [lockOfGroup(tx, 'transparency log')],
  );
  return row ?? null;
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
  /** So many of them are events. */
  events: number;
  blocks: readonly Block[];
  done: readonly QueueRow[];
}

const SAVE = `
with taken as (
  delete from log_queue where ctid = any($1::tid[])
), facts as (
  insert into log_fact (subject_id, kind, ref, leaf_index, salt, d, chain, complete_until)
  select subject_id, kind, ref, $2::bigint + number - 1, case when erased.subject_id is null or kind = ${factKinds.erasure} then salt end, d,
    chain, case when chain is not null then $14::timestamptz end
  from unnest($3::uuid[], $4::smallint[], $5::bigint[], $6::bytea[], $7::bytea[], $13::bytea[])
    with ordinality as leaf (subject_id, kind, ref, salt, d, chain, number)
  left join (select subject_id from erasure) erased using (subject_id)
), blocks as (
  insert into log_block (level, block_index, filled, hashes)
  select level, block_index, filled, hashes from unnest($8::smallint[], $9::bigint[], $10::smallint[], $11::bytea[])
    as block (level, block_index, filled, hashes)
  on conflict (level, block_index) do update set filled = excluded.filled, hashes = excluded.hashes
)
update log_state set tree_size = tree_size + $12::bigint, complete_until = $14 where tree_size = $2`;

async function save(tx: Tx, { size, leaves, events, blocks, done }: Written): Promise<void> {
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
    // Shorter than the others, so null for the leaves behind the events.
    byteaPieces(leaves.chains, HASH_BYTES, events),
    new Date(leaves.completeUntil),
  ]);
  if (updated !== 1) throw new Error(`the tree no longer has ${size} leaves`);
}
