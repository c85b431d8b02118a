import { inclusionNodes, inclusionProof, toBase64 } from '@reliability/proof';
import type { Queryable } from '../../kit/db/database.js';
import { blocksOf, hashReader, readBlocks } from './blocks.js';

/** The inclusion proofs of leaves in the tree of `size` leaves, in their order, as base64 from leaf to root. */
export async function inclusionProofs(
  db: Queryable,
  leafIndexes: readonly number[],
  size: number,
): Promise<string[][]> {
  const nodes = leafIndexes.flatMap((index) => inclusionNodes(index, size));
  const hashOf = hashReader(await readBlocks(db, blocksOf(nodes)));
  return leafIndexes.map((index) => inclusionProof(index, size, hashOf).map(toBase64));
}
