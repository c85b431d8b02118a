import { describe, expect, test } from 'vitest';
import {
  consistencyProof,
  inclusionProof,
  leafHash,
  toHex,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from '../src/index.js';
import { createMemoryTree } from './memoryTree.js';

// The test vectors of Certificate Transparency's implementations (transparency-dev/merkle, testonly).
const leaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
/** Leaf 5 in 8. The other places and sizes are held to the recursive definition, and to Go. */
const inclusion = [
  'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
  'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
];
/** 6 leaves before 8. */
const consistency = [
  '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
  'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
];

const hashes = leaves.map((leaf) => leafHash(bytes(leaf)));
const tree = createMemoryTree();
tree.append(hashes);

describe('the test vectors of Certificate Transparency', () => {
  test.each(roots.map((root, size) => ({ size, root })))('the root of $size leaves', ({ size, root }) => {
    expect(toHex(treeRoot(size, tree.hashOf))).toBe(root);
  });

  test('leaf 5 in 8', () => {
    expect(inclusionProof(5, 8, tree.hashOf).map(toHex)).toEqual(inclusion);
    const [leaf, root] = [hashes[5] as Uint8Array, bytes(roots[8])];
    expect(
      verifyInclusion({ index: 5, size: 8, leaf, proof: inclusion.map((hash) => bytes(hash)), root }),
    ).toBe(true);
  });

  test('6 leaves before 8', () => {
    expect(consistencyProof(6, 8, tree.hashOf).map(toHex)).toEqual(consistency);
    const [fromRoot, toRoot] = [bytes(roots[6]), bytes(roots[8])];
    const proof = consistency.map((hash) => bytes(hash));
    expect(verifyConsistency({ from: 6, to: 8, fromRoot, toRoot, proof })).toBe(true);
  });
});

function bytes(hex = ''): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}
