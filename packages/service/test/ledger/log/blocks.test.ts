import { appendLeaves, leafHash, type TreeEdge } from '@reliability/proof';
import { expect, test } from 'vitest';
import { addToBlocks, type Blocks, keyOf, openBlocks, openOf } from '#ledger/log/blocks.js';

test('a growing log keeps in memory only the last block of each level', () => {
  let edge: TreeEdge = { size: 0, hashes: [] };
  let open: Blocks = new Map();
  for (let batch = 0; batch < 500; batch += 1) {
    const leaves = Array.from({ length: 7 }, (_, index) => leafHash(Buffer.from(`${batch}, ${index}`)));
    const appended = appendLeaves(edge, leaves);
    open = openOf(open, addToBlocks(open, appended.added));
    edge = appended.edge;
    expect([...open.keys()].sort()).toEqual(openBlocks(edge.size).map(keyOf).sort());
  }
});
