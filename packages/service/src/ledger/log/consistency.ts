import { consistencyNodes, consistencyProof, toBase64 } from '@reliability/proof';
import type { Queryable } from '../../kit/db/database.js';
import { blocksOf, hashReader, readBlocks } from './blocks.js';

/**
 * The proof that the first `from` of `to` leaves have not changed (RFC 9162, 2.1.4), as base64. Both
 * sizes must be signed. Of nothing there is nothing to prove.
 */
export async function readConsistencyProof(db: Queryable, from: number, to: number): Promise<string[]> {
  if (from === 0) return [];
  const hashOf = hashReader(await readBlocks(db, blocksOf(consistencyNodes(from, to))));
  return consistencyProof(from, to, hashOf).map(toBase64);
}
