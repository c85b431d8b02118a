import { concat, equalBytes } from './bytes.js';
import { HASH_BYTES, sha256 } from './sha256.js';

/** The hash of a node whose subtree is perfect: the leaves `index × 2^level` up to `(index + 1) × 2^level`. */
export interface NodeId {
  level: number;
  index: number;
}

/** Reads the hash of a node whose subtree is perfect and complete. */
export type HashReader = (node: NodeId) => Uint8Array;

/** The hash of a leaf (RFC 9162 section 2.1.1). */
export function leafHash(data: Uint8Array): Uint8Array {
  if (data.length !== HASH_BYTES) return sha256(concat(LEAF, data));
  leaf.set(data, 1);
  return sha256(leaf);
}

/** The hash of an inner node (RFC 9162 section 2.1.1). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  // A proof from outside may have hashes of any length.
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) return sha256(concat(INNER, left, right));
  node.set(left, 1);
  node.set(right, 1 + HASH_BYTES);
  return sha256(node);
}

/** The root of a tree without leaves. */
export function emptyRoot(): Uint8Array {
  return sha256(new Uint8Array());
}

const LEAF = Uint8Array.of(0);
const INNER = Uint8Array.of(1);
/** Shared by all calls. */
const leaf = Uint8Array.of(0, ...new Uint8Array(HASH_BYTES));
const node = Uint8Array.of(1, ...new Uint8Array(2 * HASH_BYTES));

/** The root of the first `size` leaves. */
export function treeRoot(size: number, hashOf: HashReader): Uint8Array {
  checkSize(size);
  return size === 0 ? emptyRoot() : rangeHash({ start: 0, end: size }, hashOf);
}

/** The nodes that `treeRoot` reads: the right edge of a tree, the largest first. */
export function rootNodes(size: number): NodeId[] {
  checkSize(size);
  return perfectNodes({ start: 0, end: size });
}

/** The hashes from a leaf to the root of the first `size` leaves (RFC 9162 section 2.1.3.1). */
export function inclusionProof(index: number, size: number, hashOf: HashReader): Uint8Array[] {
  return inclusionRanges(index, size).map((range) => rangeHash(range, hashOf));
}

/** The nodes that `inclusionProof` reads, so that a store can be asked once. */
export function inclusionNodes(index: number, size: number): NodeId[] {
  return inclusionRanges(index, size).flatMap(perfectNodes);
}

/** Shows that the first `from` of `to` leaves have not changed (RFC 9162 section 2.1.4.1). Empty for equal sizes. */
export function consistencyProof(from: number, to: number, hashOf: HashReader): Uint8Array[] {
  return consistencyRanges(from, to).map((range) => rangeHash(range, hashOf));
}

/** The nodes that `consistencyProof` reads, so that a store can be asked once. */
export function consistencyNodes(from: number, to: number): NodeId[] {
  return consistencyRanges(from, to).flatMap(perfectNodes);
}

/** Leaves `start` up to `end`, which are a subtree of some tree. */
interface Range {
  start: number;
  end: number;
}

function inclusionRanges(index: number, size: number): Range[] {
  checkSize(size);
  if (!Number.isSafeInteger(index) || index < 0 || index >= size)
    throw new RangeError(`A tree of ${size} leaves has no leaf ${index}`);
  const ranges: Range[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + split(end - start);
    if (index < middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  return ranges.reverse();
}

function consistencyRanges(from: number, to: number): Range[] {
  checkSize(to);
  if (!Number.isSafeInteger(from) || from < 1 || from > to)
    throw new RangeError(`A consistency proof needs sizes 1 <= from <= to, not ${from} and ${to}`);
  const ranges: Range[] = [];
  let [start, end] = [0, to];
  while (end !== from) {
    const middle = start + split(end - start);
    if (from <= middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  // The verifier knows the old root, which is this range if it is a whole left subtree.
  if (start > 0) ranges.push({ start, end });
  return ranges.reverse();
}

/** The largest power of two below a size of at least 2. */
function split(size: number): number {
  return 2 ** (bitLength(size - 1) - 1);
}

function bitLength(value: number): number {
  return value < 2 ** 32 ? 32 - Math.clz32(value) : 64 - Math.clz32(Math.floor(value / 2 ** 32));
}

function rangeHash(range: Range, hashOf: HashReader): Uint8Array {
  return perfectNodes(range)
    .map(hashOf)
    .reduceRight((right, left) => nodeHash(left, right));
}

/** The perfect subtrees of a subtree, from left to right. Its first leaf is a multiple of every power of two below its size. */
function perfectNodes({ start, end }: Range): NodeId[] {
  const nodes: NodeId[] = [];
  for (let left = start; left < end; ) {
    const level = bitLength(end - left) - 1;
    nodes.push({ level, index: left / 2 ** level });
    left += 2 ** level;
  }
  return nodes;
}

/** The right edge of a tree: the hashes of its perfect subtrees (`rootNodes`), the largest first. */
export interface TreeEdge {
  size: number;
  hashes: readonly Uint8Array[];
}

/** New hashes of a level, from the node `first` on. */
export interface NewHashes {
  level: number;
  first: number;
  hashes: Uint8Array[];
}

export function edgeRoot({ hashes }: TreeEdge): Uint8Array {
  return hashes.length === 0 ? emptyRoot() : hashes.reduceRight((right, left) => nodeHash(left, right));
}

/** Appends leaf hashes. Returns the new edge and every hash of a perfect subtree that became complete, level by level. */
export function appendLeaves(
  edge: TreeEdge,
  leaves: readonly Uint8Array[],
): { edge: TreeEdge; added: NewHashes[] } {
  const size = edge.size + leaves.length;
  const edgeNodes = rootNodes(edge.size);
  if (edgeNodes.length !== edge.hashes.length)
    throw new RangeError(
      `The edge of ${edge.size} leaves has ${edgeNodes.length} hashes, not ${edge.hashes.length}`,
    );
  const known = new Map(edgeNodes.map(({ level }, i) => [level, edge.hashes[i] as Uint8Array]));
  const added: NewHashes[] = [];
  let fresh: NewHashes = { level: 0, first: edge.size, hashes: [...leaves] };
  while (fresh.hashes.length > 0) {
    added.push(fresh);
    fresh = parentsOf(fresh, known.get(fresh.level));
  }
  const hashes = rootNodes(size).map(({ level, index }) => {
    const from = added[level];
    return (from && index >= from.first ? from.hashes[index - from.first] : known.get(level)) as Uint8Array;
  });
  return { edge: { size, hashes }, added };
}

/** @param left the hash before the new ones, where their first is a right child. */
function parentsOf({ level, first, hashes }: NewHashes, left: Uint8Array | undefined): NewHashes {
  const children = first % 2 === 1 && left ? [left, ...hashes] : hashes;
  const parents: Uint8Array[] = [];
  for (let i = 0; i + 1 < children.length; i += 2)
    parents.push(nodeHash(children[i] as Uint8Array, children[i + 1] as Uint8Array));
  return { level: level + 1, first: Math.floor(first / 2), hashes: parents };
}

export interface InclusionClaim {
  index: number;
  size: number;
  /** of the leaf */
  leaf: Uint8Array;
  proof: readonly Uint8Array[];
  root: Uint8Array;
}

/** RFC 9162 section 2.1.3.2. */
export function verifyInclusion({ index, size, leaf, proof, root }: InclusionClaim): boolean {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false;
  let [fn, sn] = [index, size - 1];
  let hash = leaf;
  for (const sibling of proof) {
    if (sn === 0) return false;
    if (isOdd(fn) || fn === sn) {
      hash = nodeHash(sibling, hash);
      while (!isOdd(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else hash = nodeHash(hash, sibling);
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && equalBytes(hash, root);
}

export interface ConsistencyClaim {
  from: number;
  to: number;
  fromRoot: Uint8Array;
  toRoot: Uint8Array;
  proof: readonly Uint8Array[];
}

/** RFC 9162 section 2.1.4.2. An empty tree is consistent with every tree, and equal trees with each other, by an empty proof. */
export function verifyConsistency({ from, to, fromRoot, toRoot, proof }: ConsistencyClaim): boolean {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 0 || from > to) return false;
  if (from === 0 && !equalBytes(fromRoot, emptyRoot())) return false;
  if (from === to) return proof.length === 0 && equalBytes(fromRoot, toRoot);
  if (from === 0) return proof.length === 0;
  const isPowerOfTwo = 2 ** (bitLength(from) - 1) === from;
  const [first, ...rest] = isPowerOfTwo ? [fromRoot, ...proof] : proof;
  if (first === undefined || proof.length === 0) return false;
  let [fn, sn] = [from - 1, to - 1];
  while (isOdd(fn)) [fn, sn] = [half(fn), half(sn)];
  let [oldHash, newHash] = [first, first];
  for (const sibling of rest) {
    if (sn === 0) return false;
    if (isOdd(fn) || fn === sn) {
      oldHash = nodeHash(sibling, oldHash);
      newHash = nodeHash(sibling, newHash);
      while (!isOdd(fn) && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else newHash = nodeHash(newHash, sibling);
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && equalBytes(oldHash, fromRoot) && equalBytes(newHash, toRoot);
}

function isOdd(value: number): boolean {
  return value % 2 === 1;
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function checkSize(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`Not the size of a tree: ${size}`);
}
