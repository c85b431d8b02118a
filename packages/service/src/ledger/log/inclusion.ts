import { type NodeId, nodeHash } from '@reliability/proof';
import type { Queryable } from '#kit/db/database.js';
import {
  BLOCK_LEVELS,
  BLOCK_WIDTH,
  blocksOf,
  hashReader,
  readBlocks,
  readSiblings,
  SIBLING_LENGTH,
} from './blocks.js';
import { type CosignedNote, publicNote } from './checkpoints.js';
import { base64, factKinds } from './facts.js';

/**
 * The inclusion proofs of leaves in the tree of `size` leaves, in their order, as base64 from leaf to
 * root (RFC 9162, 2.1.3).
 */
export async function inclusionProofs(db: Queryable, leafIndexes: readonly number[], size: number) {
  const proofs = await inclusionTexts(db, leafIndexes, size);
  return proofs.map((text) => JSON.parse(text) as string[]);
}

/**
 * The same as JSON. For a thousand leaves at once: the paths of neighbours join, and from there on they
 * share one text.
 */
export async function inclusionTexts(db: Queryable, leafIndexes: readonly number[], size: number) {
  const { crossings, read } = crossingsOf(leafIndexes, size);
  const [siblings, edge] = await Promise.all([readSiblings(db, read), readEdge(db, size)]);
  return leafIndexes.map((index) => `[${above(0, index, size - 1).slice(0, -1)}]`);

  /** The hashes from a crossing to the root, with a comma behind each. */
  function above(level: number, index: number, last: number): string {
    if (last === 0) return '';
    const crossing = crossings.get(keyOf({ level, index }));
    if (!crossing) throw new Error('a proof needs a node that was not read');
    crossing.above ??=
      within(crossing, level, index, last) +
      above(level + BLOCK_LEVELS, Math.floor(index / BLOCK_WIDTH), Math.floor(last / BLOCK_WIDTH));
    return crossing.above;
  }

  /** The hashes beside the path through one block. */
  function within({ nth }: Crossing, level: number, index: number, last: number): string {
    const start = (nth ?? 0) * BLOCK_LEVELS * SIBLING_LENGTH;
    const isFull = isComplete({ level: level + BLOCK_LEVELS, index: Math.floor(index / BLOCK_WIDTH) }, size);
    if (isFull) return siblings.slice(start, start + BLOCK_LEVELS * SIBLING_LENGTH);
    let text = '';
    for (let height = 0; height < BLOCK_LEVELS; height += 1) {
      const sibling = siblingOf(Math.floor(index / 2 ** height));
      const lastHere = Math.floor(last / 2 ** height);
      if (sibling > lastHere) continue;
      const at = start + height * SIBLING_LENGTH;
      text += isComplete({ level: level + height, index: sibling }, size)
        ? siblings.slice(at, at + SIBLING_LENGTH)
        : `"${edge[level + height]}",`;
    }
    return text;
  }
}

/** Where paths cross a block. */
interface Crossing {
  /** The order in which its siblings are read; null: none of them is complete. */
  nth: number | null;
  above: string | null;
}

/** What a set of paths needs, by `keyOf`, and of which crossings the siblings are read. */
function crossingsOf(leafIndexes: readonly number[], size: number) {
  const crossings = new Map<number, Crossing>();
  const read: NodeId[] = [];
  for (const leafIndex of leafIndexes) {
    let [index, last] = [leafIndex, size - 1];
    for (let level = 0; last > 0; level += BLOCK_LEVELS) {
      const key = keyOf({ level, index });
      if (crossings.has(key)) break; // and all above it
      const isRead = hasCompleteSibling({ level, index }, size);
      crossings.set(key, { nth: isRead ? read.length : null, above: null });
      if (isRead) read.push({ level, index });
      index = Math.floor(index / BLOCK_WIDTH);
      last = Math.floor(last / BLOCK_WIDTH);
    }
  }
  return { crossings, read };
}

/** Of a node or of those above it in its block. */
function hasCompleteSibling({ level, index }: NodeId, size: number): boolean {
  for (let height = 0; height < BLOCK_LEVELS; height += 1) {
    const sibling = siblingOf(Math.floor(index / 2 ** height));
    if (isComplete({ level: level + height, index: sibling }, size)) return true;
  }
  return false;
}

/** Not by `^`, which cuts to 32 bits. */
function siblingOf(index: number): number {
  return index % 2 === 0 ? index + 1 : index - 1;
}

/** Unique: a node has at most as many nodes below it on its level as the tree has leaves. */
function keyOf({ level, index }: NodeId): number {
  return index * 64 + level;
}

function isComplete({ level, index }: NodeId, size: number): boolean {
  return (index + 1) * 2 ** level <= size;
}

/** The hash of the last node of each level, over the leaves that it has, as base64. */
async function readEdge(db: Queryable, size: number): Promise<string[]> {
  const last: NodeId = { level: 0, index: size - 1 };
  /** The sibling of the last node of each level; null: it has none. */
  const siblings: (NodeId | null)[] = [];
  for (let [level, index] = [0, last.index]; index > 0; [level, index] = [level + 1, Math.floor(index / 2)])
    siblings.push(index % 2 === 1 ? { level, index: index - 1 } : null);
  const nodes = [last, ...siblings.filter((node) => node !== null)];
  const hashOf = hashReader(await readBlocks(db, blocksOf(nodes)));
  const hashes = [hashOf(last)];
  for (const sibling of siblings) {
    const hash = hashes.at(-1) as Uint8Array;
    hashes.push(sibling ? nodeHash(hashOf(sibling), hash) : hash);
  }
  return hashes.map(base64);
}

/** Shows that the log holds a snapshot. Its commitment does not say what it contains. */
export interface LogInclusion {
  readonly origin: string;
  readonly leafIndex: number;
  readonly d: string;
  /** Base64, from the leaf to the root. */
  readonly proof: readonly string[];
  /** The first published checkpoint that covers the leaf, with cosignatures. */
  readonly checkpoint: string;
  /** When that checkpoint was signed, by the clock of this service. */
  readonly since: Date;
}

/**
 * A snapshot of a subject in the log, by the first published checkpoint that covers it and is not older
 * than every key: nobody can check the signature of a key that was removed as compromised. Of the
 * result only the cosignatures may still grow. Null: none covers it yet.
 * @param snapshotNo default: the published snapshot
 */
export async function findSnapshotInclusion(
  db: Queryable,
  subjectId: string,
  snapshotNo: number | null = null,
): Promise<LogInclusion | null> {
  const [keys] = await db.shared.query<{ since: Date | null }>(
    "select min(created_at) as since from signing_key where purpose = 'log'",
  );
  const [row] = await db.query<
    CosignedNote & { leafIndex: number; d: Buffer; treeSize: number; signedAt: Date }
  >(
    `select f.leaf_index, f.d, signed.tree_size, signed.note, signed.cosignatures, signed.signed_at
     from log_fact f
     cross join lateral (
       select * from log_checkpoint where tree_size > f.leaf_index and published_at is not null
         and signed_at >= $3
       order by tree_size limit 1
     ) signed
     where f.subject_id = $1 and f.kind = ${factKinds.snapshot}
       and f.ref = coalesce($2::bigint, (select snapshot_no from score where subject_id = $1))`,
    [subjectId, snapshotNo, keys?.since ?? null],
  );
  if (!row) return null;
  const { leafIndex, d, treeSize, signedAt } = row;
  const [proof = []] = await inclusionProofs(db, [leafIndex], treeSize);
  const checkpoint = publicNote(row);
  const [origin = ''] = checkpoint.split('\n', 1);
  return { origin, leafIndex, d: d.toString('base64'), proof, checkpoint, since: signedAt };
}

export type LoadInclusion = ReturnType<typeof createInclusionLoader>;

/** Up to two kilobytes each. */
const MAX_CACHED = 4_000;

/** Readers of shared records ask for the same snapshots again and again. */
export function createInclusionLoader(db: Queryable) {
  const cached = new Map<string, LogInclusion>();
  return async (subjectId: string, snapshotNo: number): Promise<LogInclusion | null> => {
    const key = `${subjectId} ${snapshotNo}`;
    const known = cached.get(key);
    if (known) return known;
    const found = await findSnapshotInclusion(db, subjectId, snapshotNo);
    if (!found) return null;
    if (cached.size >= MAX_CACHED) cached.clear();
    cached.set(key, found);
    return found;
  };
}
