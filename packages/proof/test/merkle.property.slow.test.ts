import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import {
  appendLeaves,
  consistencyNodes,
  consistencyProof,
  emptyRoot,
  inclusionNodes,
  inclusionProof,
  leafHash,
  type NodeId,
  rootNodes,
  sha256,
  tilesOf,
  tileWidth,
  toHex,
  treeRoot,
  utf8,
  verifyConsistency,
  verifyInclusion,
} from '../src/index.js';
import { changedProofs, createMemoryTree, flipped } from './memoryTree.js';
import { referenceTree } from './reference.js';

const EVERY = 300;
const LARGE = 70_000;
const leaves = Array.from({ length: LARGE }, (_, i) => utf8(`leaf ${i}`));
const hashes = leaves.map(leafHash);
const reference = referenceTree(leaves);
const tree = createMemoryTree();
tree.append(hashes);
const numRuns = inject('isThorough') ? 1000 : 100;
const sizes = fc.oneof(fc.integer({ min: 1, max: EVERY }), fc.integer({ min: 1, max: LARGE }));
const pairs = fc.tuple(sizes, sizes).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

describe('the tree', () => {
  test(`has the roots and proofs of the recursive definition, for every size up to ${EVERY}`, () => {
    for (let size = 1; size <= EVERY; size += 1) {
      const root = treeRoot(size, tree.hashOf);
      expect(toHex(root)).toBe(toHex(reference.root(size)));
      for (let i = 0; i < size; i += 1) {
        const proof = inclusionProof(i, size, tree.hashOf);
        const leaf = hashes[i] as Uint8Array;
        if (!sameHashes(proof, reference.inclusion(i, size))) expect.fail(`inclusion of ${i} in ${size}`);
        if (!verifyInclusion({ index: i, size, leaf, proof, root })) expect.fail(`verifying ${i} in ${size}`);
        const between = consistencyProof(i + 1, size, tree.hashOf);
        if (!sameHashes(between, reference.consistency(i + 1, size)))
          expect.fail(`consistency ${i + 1} to ${size}`);
        const fromRoot = reference.root(i + 1);
        if (!verifyConsistency({ from: i + 1, to: size, fromRoot, toRoot: root, proof: between }))
          expect.fail(`verifying ${i + 1} to ${size}`);
      }
    }
  });

  test('has them for random larger sizes, too', () => {
    fc.assert(
      fc.property(pairs, fc.nat(), ([from, to], seed) => {
        const index = seed % to;
        const between = consistencyProof(from, to, tree.hashOf);
        expect(toHex(treeRoot(to, tree.hashOf))).toBe(toHex(reference.root(to)));
        expect(sameHashes(inclusionProof(index, to, tree.hashOf), reference.inclusion(index, to))).toBe(true);
        expect(sameHashes(between, reference.consistency(from, to))).toBe(true);
      }),
      { numRuns },
    );
  });

  test('does not depend on the batches in which its leaves arrived', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 8 }), (batches) => {
        const grown = createMemoryTree();
        let size = 0;
        for (const count of batches) {
          grown.append(hashes.slice(size, size + count));
          size += count;
        }
        expect(toHex(grown.root())).toBe(toHex(reference.root(size)));
        for (let index = 0; index * 256 < size; index += 1) {
          const width = tileWidth({ level: 0, index }, size);
          expect(toHex(grown.tile(0, index))).toBe(toHex(tree.tile(0, index).subarray(0, width * 32)));
        }
      }),
      { numRuns },
    );
  });

  test('is read at the nodes that the proof names, in the tiles that the nodes name', () => {
    fc.assert(
      fc.property(pairs, fc.nat(), ([from, to], seed) => {
        const readBy = (make: (hashOf: (node: NodeId) => Uint8Array) => unknown) => {
          const read: NodeId[] = [];
          make((node) => {
            read.push(node);
            return tree.hashOf(node);
          });
          return sorted(read);
        };
        const index = seed % to;
        const named = [inclusionNodes(index, to), consistencyNodes(from, to), rootNodes(to)].map(sorted);
        expect(readBy((hashOf) => inclusionProof(index, to, hashOf))).toEqual(named[0]);
        expect(readBy((hashOf) => consistencyProof(from, to, hashOf))).toEqual(named[1]);
        expect(readBy((hashOf) => treeRoot(to, hashOf))).toEqual(named[2]);
        for (const { width } of tilesOf(inclusionNodes(index, to), to)) expect(width).toBeGreaterThan(0);
      }),
      { numRuns },
    );
  });

  test('is the tree of the recursive definition where sizes exceed 32 bits', () => {
    const same = sha256(utf8('same'));
    const size = 2 ** 45 + 2 ** 33 + 5;
    const index = 2 ** 45 + 7;
    const perfect = [same];
    for (let below = same; perfect.length < 46; perfect.push(below))
      below = sha256(Buffer.concat([Buffer.of(1), below, below]));
    const hashOf = ({ level }: NodeId) => perfect[level] as Uint8Array;
    const root = treeRoot(size, hashOf);
    const proof = inclusionProof(index, size, hashOf);
    expect(verifyInclusion({ index, size, leaf: same, proof, root })).toBe(true);
    expect(verifyInclusion({ index: index + 2 ** 33, size, leaf: same, proof, root })).toBe(false);
    const from = 2 ** 44 + 3;
    const between = { from, to: size, fromRoot: treeRoot(from, hashOf), toRoot: root };
    expect(verifyConsistency({ ...between, proof: consistencyProof(from, size, hashOf) })).toBe(true);
  });
});

describe('a proof with one change', () => {
  test('of inclusion is refused: another leaf, index, size, root, hash, or one hash more or less', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), (size, seed, bit) => {
        const index = seed % size;
        const claim = {
          index,
          size,
          leaf: hashes[index] as Uint8Array,
          proof: inclusionProof(index, size, tree.hashOf),
          root: treeRoot(size, tree.hashOf),
        };
        const { leaf, proof, root } = claim;
        const changes = [
          { leaf: flipped(leaf, bit) },
          { root: flipped(root, bit) },
          { index: index + 1 },
          { index: index - 1 },
          { index: index ^ 2 },
          { index: index + 0.5 },
          { size: 0 },
          { size: 2 * size },
          ...changedProofs(proof, leaf, bit).map((proof) => ({ proof })),
        ];
        expect(verifyInclusion(claim)).toBe(true);
        for (const change of changes) expect(verifyInclusion({ ...claim, ...change })).toBe(false);
      }),
      { numRuns },
    );
  });

  test('of consistency is refused: another size, root, hash, or one hash more or less', () => {
    fc.assert(
      fc.property(pairs, fc.nat(), ([from, to], bit) => {
        const claim = {
          from,
          to,
          fromRoot: treeRoot(from, tree.hashOf),
          toRoot: treeRoot(to, tree.hashOf),
          proof: consistencyProof(from, to, tree.hashOf),
        };
        const { proof, fromRoot, toRoot } = claim;
        const changes = [
          { fromRoot: flipped(fromRoot, bit) },
          { toRoot: flipped(toRoot, bit) },
          { from: to, to: from + (from === to ? -1 : 0) },
          { from: -1 },
          ...changedProofs(proof, fromRoot, bit).map((proof) => ({ proof })),
          ...(proof.length === 0 ? [] : [{ proof: [] }]),
        ];
        expect(verifyConsistency(claim)).toBe(true);
        for (const change of changes) expect(verifyConsistency({ ...claim, ...change })).toBe(false);
      }),
      { numRuns },
    );
  });
});

describe('the edges', () => {
  test('the empty tree has the hash of nothing and is consistent with every tree', () => {
    const [fromRoot, toRoot] = [emptyRoot(), treeRoot(5, tree.hashOf)];
    expect(toHex(fromRoot)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(treeRoot(0, tree.hashOf)).toEqual(fromRoot);
    expect(createMemoryTree().root()).toEqual(fromRoot);
    expect(verifyConsistency({ from: 0, to: 5, fromRoot, toRoot, proof: [] })).toBe(true);
    expect(verifyConsistency({ from: 0, to: 5, fromRoot, toRoot, proof: [toRoot] })).toBe(false);
    expect(verifyConsistency({ from: 0, to: 5, fromRoot: toRoot, toRoot, proof: [] })).toBe(false);
  });

  test('leaves and sizes that do not exist are refused with their number', () => {
    expect(() => inclusionProof(5, 5, tree.hashOf)).toThrow('A tree of 5 leaves has no leaf 5');
    expect(() => consistencyProof(0, 5, tree.hashOf)).toThrow('sizes 1 <= from <= to, not 0 and 5');
    expect(() => consistencyProof(6, 5, tree.hashOf)).toThrow(RangeError);
    expect(() => treeRoot(1.5, tree.hashOf)).toThrow('Not the size of a tree: 1.5');
    const edge = { size: 3, hashes: [] };
    expect(() => appendLeaves(edge, [])).toThrow('The edge of 3 leaves has 2 hashes, not 0');
  });
});

function sameHashes(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  return Buffer.concat(a).equals(Buffer.concat(b)) && a.length === b.length;
}

function sorted(nodes: readonly NodeId[]): string[] {
  return nodes.map(({ level, index }) => `${level}/${index}`).sort();
}
