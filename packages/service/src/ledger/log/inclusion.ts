import { type HashReader, type NodeId, nodeHash } from '@reliability/proof';
import type { Queryable } from '../../kit/db/database.js';
import { blocksOf, hashReader, readBlocks } from './blocks.js';

/**
 * The inclusion proofs of leaves in the tree of `size` leaves, in their order, as base64 from leaf to
 * root (RFC 9162, 2.1.3). For a thousand leaves at once: a hash that several proofs need is read,
 * computed and encoded once.
 */
export async function inclusionProofs(
  db: Queryable,
  leafIndexes: readonly number[],
  size: number,
): Promise<string[][]> {
  const wanted = new Map<number, NodeId>();
  const paths = leafIndexes.map((index) => pathOf(index, size, wanted));
  const nodes = [...wanted.values(), ...edgeNodes(size)].filter((node) => isComplete(node, size));
  const hashOf = hashReader(await readBlocks(db, blocksOf(nodes)));
  const edge = edgeHashes(size, hashOf);
  const texts = new Map<number, string>();
  for (const [key, node] of wanted) {
    texts.set(key, textOf(isComplete(node, size) ? hashOf(node) : edge[node.level]));
  }
  return paths.map((path) => path.map((key) => texts.get(key) ?? ''));
}

/**
 * The keys of the nodes beside the path from a leaf to the root, which are added to `wanted`. The last
 * node of a level may be incomplete.
 */
function pathOf(leafIndex: number, size: number, wanted: Map<number, NodeId>): number[] {
  const path: number[] = [];
  let [index, last] = [leafIndex, size - 1];
  for (let level = 0; last > 0; level += 1) {
    const sibling = index % 2 === 0 ? index + 1 : index - 1;
    if (sibling <= last) {
      // Unique: a node has at most as many nodes below it on its level as the tree has leaves.
      const key = sibling * 64 + level;
      path.push(key);
      if (!wanted.has(key)) wanted.set(key, { level, index: sibling });
    }
    index = Math.floor(index / 2);
    last = Math.floor(last / 2);
  }
  return path;
}

function isComplete({ level, index }: NodeId, size: number): boolean {
  return (index + 1) * 2 ** level <= size;
}

/** What `edgeHashes` reads. */
function edgeNodes(size: number): NodeId[] {
  const nodes: NodeId[] = [{ level: 0, index: size - 1 }];
  for (let [level, last] = [0, size - 1]; last > 0; [level, last] = [level + 1, Math.floor(last / 2)]) {
    if (last % 2 === 1) nodes.push({ level, index: last - 1 });
  }
  return nodes;
}

/** The hash of the last node of each level, over the leaves that it has. */
function edgeHashes(size: number, hashOf: HashReader): Uint8Array[] {
  let hash = hashOf({ level: 0, index: size - 1 });
  const hashes = [hash];
  for (let [level, last] = [0, size - 1]; last > 0; [level, last] = [level + 1, Math.floor(last / 2)]) {
    if (last % 2 === 1) hash = nodeHash(hashOf({ level, index: last - 1 }), hash);
    hashes.push(hash);
  }
  return hashes;
}

function textOf(hash: Uint8Array | undefined): string {
  if (!hash) throw new Error('a proof reaches beyond the tree');
  return Buffer.from(hash.buffer, hash.byteOffset, hash.length).toString('base64');
}
