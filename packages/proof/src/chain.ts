import { HASH_BYTES, sha256 } from './sha256.js';

/** The chain of a subject without events. */
export const EMPTY_CHAIN = new Uint8Array(HASH_BYTES);

/** Shared by all calls. */
const both = new Uint8Array(2 * HASH_BYTES);

/** The chain of a subject behind its next event: SHA-256(chain ‖ commitment), both of 32 bytes. */
export function nextChain(chain: Uint8Array, commitment: Uint8Array): Uint8Array {
  both.set(chain);
  both.set(commitment, HASH_BYTES);
  return sha256(both);
}
