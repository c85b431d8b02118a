import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { fail, ServiceError, serviceError } from '../../domain/errors.js';
import { createYielder } from '../backpressure/yielder.js';
import { hashOfSecret } from '../crypto.js';
import { free, LARGE_BYTES, MAPPED_BYTES } from '../largeMemory.js';

/**
 * The bytes of a body, decompressed if it was sent as gzip; undefined for an unknown address, whose
 * body is not read. The route's limit applies both to the received and to the decompressed bytes.
 * Throws PAYLOAD_TOO_LARGE, UNSUPPORTED_CONTENT_ENCODING, OVERLOADED or BAD_REQUEST.
 */
export async function readRawBody(
  request: FastifyRequest,
  payload: IncomingMessage,
): Promise<Buffer<ArrayBuffer> | undefined> {
  if (request.is404) return undefined;
  const limit = request.routeOptions.bodyLimit;
  const announced = announcedLength(request);
  if (announced > limit) fail('PAYLOAD_TOO_LARGE');
  const isPacked = isGzip(request.headers['content-encoding']);
  const bounds = { limit, announced, share: request.bodyShare };
  if (!isPacked) return await collected(payload, bounds);
  const unpacked = unpack(payload, limit);
  try {
    return await collected(unpacked, { ...bounds, announced: 0 });
  } finally {
    payload.unpipe();
    unpacked.destroy();
  }
}

function announcedLength({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0);
}

/** Whether the body is short and of known length, which is nearly every body. */
export function isShort(request: FastifyRequest, limit: number): boolean {
  const announced = announcedLength(request);
  return (
    announced > 0 && announced <= Math.min(limit, SHORT_BYTES) && !('content-encoding' in request.headers)
  );
}

/** Reads such a body as `readRawBody` does, without the promises, which take longer than the reading. */
export function readShortBody(request: FastifyRequest, payload: IncomingMessage, done: Collected): void {
  collect(payload, { limit: SHORT_BYTES, announced: announcedLength(request), share: null }, done);
}

/**
 * Not `pipeline`: it would close the connection, and with it the answer, if the bytes are not gzip.
 */
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

/** Frees the memory of a body that was read. */
export function freeRawBody(raw: Buffer<ArrayBuffer>): void {
  // A shorter one may be a part of what the socket received.
  if (raw.length > SHORT_BYTES) free(raw);
}

interface Bounds {
  limit: number;
  /** The announced length of the body; 0: none announced. */
  announced: number;
  share: FastifyRequest['bodyShare'];
}

/**
 * Larger bodies are copied as they arrive: joining 32 MB at the end would block the process for 10
 * ms.
 */
const SHORT_BYTES = 64 * 1024;

function collected(source: Readable, bounds: Bounds): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    collect(source, bounds, (error, raw) => {
      if (raw) resolve(raw);
      else reject(error);
    });
  });
}

/** With the bytes, or without any and the error. */
type Collected = (error: ServiceError | null, raw?: Buffer<ArrayBuffer>) => void;

function collect(source: Readable, { limit, announced, share }: Bounds, done: Collected): void {
  let whole: Buffer<ArrayBuffer> | null = null;
  let chunks: Buffer<ArrayBuffer>[] = [];
  let received = 0;
  let isOver = false;
  const end = (error: ServiceError | null) => {
    // The listeners stay: removing four of them takes longer than one that finds that it is over.
    if (isOver) return;
    isOver = true;
    if (error) {
      if (whole) free(whole);
      done(error);
    } else if (whole) done(null, whole.subarray(0, received));
    else
      done(null, chunks.length === 1 ? (chunks[0] as Buffer<ArrayBuffer>) : Buffer.concat(chunks, received));
  };
  const take = (chunk: Buffer<ArrayBuffer>) => {
    if (isOver) return;
    if (received + chunk.length > limit) return end(serviceError('PAYLOAD_TOO_LARGE'));
    try {
      share?.growTo(received + chunk.length);
    } catch (error) {
      return end(error as ServiceError);
    }
    const needed = received + chunk.length;
    if (needed > SHORT_BYTES && (!whole || whole.length < needed)) {
      const room = needed > LARGE_BYTES ? Math.max(limit, MAPPED_BYTES) : Math.min(limit, 2 * needed);
      const larger = Buffer.allocUnsafeSlow(room);
      if (whole) {
        whole.copy(larger, 0, 0, received);
        free(whole);
      } else Buffer.concat(chunks, received).copy(larger);
      chunks = [];
      whole = larger;
    }
    if (whole) chunk.copy(whole, received);
    else chunks.push(chunk);
    received = needed;
  };
  const finish = () => end(announced !== 0 && received !== announced ? serviceError('BAD_REQUEST') : null);
  const interrupt = (cause?: Error) => {
    if (isOver) return;
    if (cause instanceof ServiceError) return end(cause);
    const isPacked = cause !== undefined && 'code' in cause && String(cause.code).startsWith('Z_');
    const message = isPacked ? 'Content-Encoding is gzip, but the body is not.' : CUT_OFF;
    end(serviceError('BAD_REQUEST', { message, cause }));
  };
  source.on('data', take).on('end', finish).on('error', interrupt).on('close', interrupt);
}

const CUT_OFF = 'The connection closed before the whole body had arrived.';

/**
 * SHA-256 of a body. A large one is hashed in pieces, so that the requests of the process do not
 * wait for it.
 */
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

const PIECE_BYTES = 256 * 1024;
