// @ts-check
// Plain JavaScript, because the thread of the embedded database uses it, too.
import { MessageChannel } from 'node:worker_threads';

/** Smaller memory is left to the garbage collector. */
export const LARGE_BYTES = 1024 * 1024;

/**
 * glibc maps a block of this size by itself, and gives it back to the system when it is freed. A
 * smaller one raises that limit when it is freed, and then each thread keeps up to 64 MiB of free
 * memory. Pages that are never written take no memory.
 */
export const MAPPED_BYTES = 32 * 1024 * 1024;

const SMALL_BLOCK_BYTES = 64 * 1024;

const { port1: nowhere, port2: receiver } = new MessageChannel();
receiver.close();

/**
 * Frees the memory of bytes that nothing uses any more, with all other parts of the same buffer. V8
 * would free it with one of its next collections, when several others of 32 MiB may have followed.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export function free({ buffer }) {
  // What is sent to a closed port is freed at once. `ArrayBuffer.transfer` needs Node 22.
  nowhere.postMessage(null, [buffer]);
}

/**
 * Takes many parts out of few blocks of memory.
 * @param {number} expected about how many bytes there will be together.
 * @returns {(bytes: number) => Buffer<ArrayBuffer>}
 */
export function memoryInBlocks(expected) {
  const blockBytes = expected > LARGE_BYTES ? MAPPED_BYTES : Math.min(expected, SMALL_BLOCK_BYTES);
  let unused = Buffer.allocUnsafeSlow(0);
  return (bytes) => {
    if (unused.length < bytes) unused = Buffer.allocUnsafeSlow(Math.max(blockBytes, bytes));
    const part = unused.subarray(0, bytes);
    unused = unused.subarray(bytes);
    return part;
  };
}

/**
 * Frees the blocks of these parts, except for small ones.
 * @param {Iterable<Uint8Array<ArrayBuffer>>} parts
 */
export function freeBlocks(parts) {
  for (const part of parts) if (part.buffer.byteLength > LARGE_BYTES) free(part);
}
