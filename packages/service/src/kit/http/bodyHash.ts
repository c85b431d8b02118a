import { createHash } from 'node:crypto';
import { hashOfSecret } from '../crypto.js';
import { createYielder } from '../yielder.js';

const PIECE_BYTES = 256 * 1024;

/** SHA-256 of a body; of a large one a piece at a time, so that the requests of the process do not wait for it. */
export function bodyHashOf(raw: Buffer): Buffer | Promise<Buffer> {
  return raw.length <= PIECE_BYTES ? hashOfSecret(raw.toString('latin1')) : hashInPieces(raw);
}

async function hashInPieces(raw: Buffer): Promise<Buffer> {
  const hash = createHash('sha256');
  const yieldTurn = createYielder();
  for (let at = 0; at < raw.length; at += PIECE_BYTES) {
    hash.update(raw.subarray(at, at + PIECE_BYTES));
    await yieldTurn();
  }
  return hash.digest();
}
