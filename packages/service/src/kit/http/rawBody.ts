import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { fail, ServiceError, serviceError } from '#domain/errors.js';
import { createYielder } from '../backpressure/yielder.js';
import { free, LARGE_BYTES, MAPPED_BYTES } from '../largeMemory.js';

/** Larger bodies are copied as they arrive: joining 32 MB at the end would block for 10 ms. */
export const SHORT_BYTES = 64 * 1024;

/**
 * The bytes of a body, decompressed if it was sent as gzip. The route's limit applies both to the
 * received and to the decompressed bytes.
 * Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_CONTENT_ENCODING, OVERLOADED or BAD_REQUEST.
 */
export async function readRawBody(
  { headers, routeOptions, bodyShare: share }: FastifyRequest,
  payload: IncomingMessage,
): Promise<Buffer<ArrayBuffer>> {
  const limit = routeOptions.bodyLimit;
  const announced = Number(headers['content-length'] ?? 0);
  if (announced > limit) fail('PAYLOAD_TOO_LARGE');
  if (!isGzip(headers['content-encoding'])) return collected(payload, limit, announced, share);
  const unpacked = unpack(payload, limit);
  try {
    return await collected(unpacked, limit, 0, share);
  } finally {
    payload.unpipe();
    unpacked.destroy();
  }
}

/** Not `pipeline`: it would close the connection, and with it the answer, if the bytes are not gzip. */
function unpack(payload: IncomingMessage, limit: number): Readable {
  const unpacked = payload.pipe(createGunzip());
  let packedBytes = 0;
  payload.on('data', ({ length }: Buffer) => {
    packedBytes += length;
    if (packedBytes > limit) unpacked.destroy(serviceError('PAYLOAD_TOO_LARGE'));
  });
  payload.once('error', (error) => unpacked.destroy(error));
  return unpacked;
}

function isGzip(encoding: string | undefined): boolean {
  const name = encoding?.trim().toLowerCase();
  if (name === undefined || name === '' || name === 'identity') return false;
  if (name === 'gzip' || name === 'x-gzip') return true;
  // RFC 9110, 12.5.3: the encodings that are accepted instead.
  return fail('UNSUPPORTED_CONTENT_ENCODING', { headers: { 'Accept-Encoding': 'gzip, identity' } });
}

export function freeRawBody(raw: Buffer<ArrayBuffer>): void {
  // A shorter one may be a part of what the socket received.
  if (raw.length > SHORT_BYTES) free(raw);
}

/** @param announced the length of the body; 0: none was announced. */
async function collected(
  source: Readable,
  limit: number,
  announced: number,
  share: FastifyRequest['bodyShare'],
): Promise<Buffer<ArrayBuffer>> {
  let whole: Buffer<ArrayBuffer> | null = null;
  const chunks: Buffer<ArrayBuffer>[] = [];
  let received = 0;
  try {
    // Without a return of the iterator that closes the connection, and with it the answer.
    for await (const chunk of source.iterator({ destroyOnReturn: false })) {
      const needed = received + chunk.length;
      if (needed > limit) fail('PAYLOAD_TOO_LARGE');
      share?.growTo(needed);
      if (needed > SHORT_BYTES && (!whole || whole.length < needed)) {
        const room = needed > LARGE_BYTES ? Math.max(limit, MAPPED_BYTES) : Math.min(limit, 2 * needed);
        const larger = Buffer.allocUnsafeSlow(room);
        if (whole) {
          whole.copy(larger, 0, 0, received);
          free(whole);
        } else Buffer.concat(chunks, received).copy(larger);
        whole = larger;
      }
      if (whole) chunk.copy(whole, received);
      else chunks.push(chunk);
      received = needed;
    }
    if (announced !== 0 && received !== announced) fail('BAD_REQUEST');
  } catch (error) {
    if (whole) free(whole);
    throw error instanceof ServiceError ? error : refusalOf(error);
  }
  if (whole) return whole.subarray(0, received);
  return chunks.length === 1 ? (chunks[0] as Buffer<ArrayBuffer>) : Buffer.concat(chunks);
}

function refusalOf(cause: unknown): ServiceError {
  const isPacked = cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_');
  const message = isPacked
    ? 'Content-Encoding is gzip, but the body is not.'
    : 'The connection closed before the whole body had arrived.';
  return serviceError('BAD_REQUEST', { message, cause });
}

/** SHA-256 of a body, in pieces: the requests of the process do not wait for a large one. */
export async function bodyHashOf(raw: Buffer): Promise<Buffer> {
  const hash = createHash('sha256');
  const yieldTurn = createYielder();
  for (let at = 0; at < raw.length; at += PIECE_BYTES) {
    hash.update(raw.subarray(at, at + PIECE_BYTES));
    await yieldTurn();
  }
  return hash.digest();
}

const PIECE_BYTES = 256 * 1024;
