import { appendLeaves, leafHash, rootNodes, type TreeEdge } from '@reliability/proof';
import { type Clock, systemClock } from '#kit/clock.js';
import { type Database, isDatabaseUnavailable, type Tx } from '#kit/db/database.js';
import { lockOfGroup } from '#kit/db/groups.js';
import { raw, rowsOf, sql } from '#kit/db/rows.js';
import { findOthersOf } from '../links/recordReads.js';
import {
  addToBlocks,
  type Block,
  type Blocks,
  blockRows,
  blocksOf,
  hashReader,
  openBlocks,
  openOf,
  readBlocks,
} from './blocks.js';
import { type CountedSubject, type Cursor, readChains } from './factStore.js';
import { factKinds } from './facts.js';
import { findFacts, type Leaf, leavesOf } from './leaves.js';
import { QUEUE_START, type QueueRow, readQueue } from './queue.js';

/** What a sequencer keeps between batches, valid while no other process adds leaves. */
export function createKnownLog(clock: Clock = systemClock) {
  return {
    tree: null as { edge: TreeEdge; open: Blocks } | null,
    /** By subject, those first that were kept first. */
    cursors: new Map<string, Cursor>(),
    /** Where the next batch begins to read the queue. */
    queueFrom: QUEUE_START as string,
    /** Chains of members in other ledger groups. */
    elsewhere: new Map<string, string>(),
    /** By which events are dated; in milliseconds since 1970. */
    now: () => clock.now().getTime(),
    /** When the present pass through the queue began. */
    passSince: 0,
    /** When the last pass began that left no event unlogged. */
    completeUntil: 0,
  };
}

export type KnownLog = ReturnType<typeof createKnownLog>;

/** Cursors and chains: about 10 MB of each. */
const MAX_KNOWN = 50_000;

/**
 * Appends the facts of queued subjects to the log, in one transaction: leaves, hashes and queue
 * commit together, so a killed process leaves nothing behind. Null: another process is the
 * sequencer now. Queue rows are read first and facts in later statements, which see every fact that
 * was committed with its row.
 * @param limit of queued subjects, and of each kind of facts that is read.
 */
export async function logBatch(db: Database, limit: number, known: KnownLog) {
  const { tree } = known;
  // Set again after the commit: a tree whose commit failed is not the log's.
  known.tree = null;
  if (known.queueFrom === QUEUE_START) known.passSince = known.now();
  const done = await db.transaction((tx) => appendQueued(tx, limit, { ...known, tree }));
  if (!done) return null;
  keep(known.cursors, done.cursors);
  known.tree = done.tree;
  if (done.isComplete) known.completeUntil = known.passSince;
  const found = await findChainsElsewhere(db, done.missing);
  keep(known.elsewhere, found);
  // Then the rows of this batch are read again.
  if (found.size > 0) return { ...done.batch, hasMore: true };
  known.queueFrom = done.queueFrom;
  return done.batch;
}

function keep<Value>(known: Map<string, Value>, found: ReadonlyMap<string, Value>): void {
  for (const [key, value] of found) known.set(key, value);
  for (const key of known.keys()) {
    if (known.size <= MAX_KNOWN) return;
    known.delete(key);
  }
}

async function findChainsElsewhere(db: Database, missing: readonly CountedSubject[]) {
  const found = new Map<string, string>();
  for (const other of await findOthersOf(db, [...new Set(missing.map(([id]) => id))])) {
    try {
      for (const [key, chain] of await readChains(other, missing)) found.set(key, chain);
    } catch (error) {
      // Its node is away: these snapshots wait, and the log of this group goes on.
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }
  return found;
}

async function appendQueued(tx: Tx, limit: number, known: KnownLog) {
  const { queueFrom } = known;
  const [state, { rows: queue, hasMore }] = await Promise.all([
    lockTree(tx),
    readQueue(tx, queueFrom, limit),
  ]);
  if (state === null) return null;
  const size = state.treeSize;
  const tree = known.tree?.edge.size === size ? known.tree : await readTree(tx, size);
  if (tree !== known.tree) known.cursors.clear();
  const found = await findFacts(tx, queue, known, limit);
  const completeUntil = Math.max(known.completeUntil, state.completeUntil.getTime());
  const { leaves, cursors, unfinished, waiting } = leavesOf(found, completeUntil);
  const isUnlogged = (id: string) => unfinished.has(id) || waiting.has(id);
  const done = queue.filter(({ subjectIds }) => !subjectIds.some(isUnlogged));
  if (leaves.length === 0 && done.length === 0 && unfinished.size > 0)
    throw new UnloggableFacts([...unfinished]);
  const hashes = leaves.map(({ d }) => leafHash(d));
  const { edge, added } = appendLeaves(tree.edge, hashes);
  const changed = addToBlocks(tree.open, added);
  if (leaves.length > 0 || done.length > 0)
    await save(tx, size, new Date(completeUntil), leaves, [...changed.values()], done);
  return {
    batch: { leaves: leaves.length, hasMore: hasMore || unfinished.size > 0, isWaiting: waiting.size > 0 },
    tree: { edge, open: openOf(tree.open, changed) },
    cursors,
    missing: found.missing,
    isComplete: !hasMore && unfinished.size === 0,
    queueFrom: unfinished.size > 0 ? queueFrom : (hasMore && queue.at(-1)?.ctid) || QUEUE_START,
  };
}

/** Facts that can never become leaves: somebody removed events from the ledger. */
export class UnloggableFacts extends Error {
  override readonly name = 'UnloggableFacts';

  constructor(readonly subjectIds: readonly string[]) {
    super(`events are missing from the ledgers of ${subjectIds.join(', ')}`);
  }
}

/**
 * One sequencer at a time, in any process. Null: another one has the lock. `completeUntil`: as in the
 * events of the last batch. `signedHead`: the newest that a process knew of; the database may lack its leaves.
 */
export async function lockTree(tx: Tx) {
  const [row] = await tx.query<{ treeSize: number; completeUntil: Date; signedHead: string | null }>(
    `select tree_size, complete_until, signed_head from log_state
     where pg_try_advisory_xact_lock(hashtextextended($1, 0))`,
    [lockOfGroup(tx, 'transparency log')],
  );
  return row ?? null;
}

async function readTree(tx: Tx, size: number) {
  const nodes = rootNodes(size);
  const blocks = await readBlocks(tx, [...blocksOf(nodes), ...openBlocks(size)]);
  return { edge: { size, hashes: nodes.map(hashReader(blocks)) }, open: openOf(blocks) };
}

const leafRows = rowsOf<Leaf>({
  uuid: ['subjectId'],
  smallint: ['kind'],
  bigint: ['ref'],
  bytea: ['salt', 'd', 'chain'],
});

/** @param size of the tree before. */
async function save(
  tx: Tx,
  size: number,
  until: Date,
  leaves: readonly Leaf[],
  blocks: readonly Block[],
  done: readonly QueueRow[],
): Promise<void> {
  const updated = await sql`
with taken as (
  delete from log_queue where ctid = any(${done.map(({ ctid }) => ctid)}::tid[])
), facts as (
  insert into log_fact (subject_id, kind, ref, leaf_index, salt, d, chain, complete_until)
  select subject_id, kind, ref, ${size}::bigint + number - 1,
    case when erased.subject_id is null or kind = ${raw(factKinds.erasure)} then salt end, d, chain,
    case when chain is not null then ${until}::timestamptz end
  from ${leafRows.as('leaf', leaves, 'number')}
  left join (select subject_id from erasure) erased using (subject_id)
), blocks as (
  insert into log_block (${blockRows.columns}) select * from ${blockRows.as('block', blocks)}
  on conflict (level, block_index) do update set filled = excluded.filled, hashes = excluded.hashes
)
update log_state set tree_size = tree_size + ${leaves.length}::bigint, complete_until = ${until}
where tree_size = ${size}`.execute(tx);
  if (updated !== 1) throw new Error(`the tree no longer has ${size} leaves`);
}
