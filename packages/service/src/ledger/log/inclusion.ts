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
  const siblings = leafIndexes.map((index) => siblingsOf(index, size));
  const nodes = [...siblings.flat(), ...edgeNodes(size)].filter((node) => isComplete(node, size));
  const hashOf = hashReader(await readBlocks(db, blocksOf(nodes)));
  const edge = edgeHashes(size, hashOf);
  const encoded = new Map<number, string>();
  const encode = (node: NodeId): string => {
    // Unique: a node has at most as many nodes below it on its level as the tree has leaves.
    const key = node.index * 64 + node.level;
    const known = encoded.get(key);
    if (known !== undefined) return known;
    const text = textOf(isComplete(node, size) ? hashOf(node) : edge[node.level]);
    encoded.set(key, text);
    return text;
  };
  return siblings.map((path) => path.map(encode));
}

/** The nodes beside the path from a leaf to the root. The last one of a level may be incomplete. */
function siblingsOf(leafIndex: number, size: number): NodeId[] {
  const nodes: NodeId[] = [];
  let [index, last] = [leafIndex, size - 1];
  for (let level = 0; last > 0; level += 1) {
    const sibling = index % 2 === 0 ? index + 1 : index - 1;
    if (sibling <= last) nodes.push({ level, index: sibling });
    [index, last] = [Math.floor(index / 2), Math.floor(last / 2)];
  }
  return nodes;
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
