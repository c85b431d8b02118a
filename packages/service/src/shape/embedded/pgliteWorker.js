// @ts-check
// Plain JavaScript: tests start the thread from this file, the service from its bundle.
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { free } from '#kit/largeMemory.js';

/**
 * The start parameters, requests and answers of the thread. Bytes are PostgreSQL's wire protocol:
 * one request is everything that the client sends before it waits, one answer everything that the
 * engine returns.
 * @typedef {{ dataDir: string | undefined, settings: Record<string, string> }} PgliteStart
 * @typedef {{ session: number, bytes: Uint8Array<ArrayBuffer> } | 'close'} PgliteRequest
 * @typedef {{ session: number, bytes: Uint8Array, isLast: boolean }} PgliteAnswer
 * @typedef {PgliteAnswer | { failure: string } | 'ready' | 'closed'} PgliteReply
 */

const ANSWER_PART_BYTES = 256 * 1024;
/** Rows of an import would take tens of megabytes until the next collection. */
const FREED_BYTES = 16 * 1024;
const STARTUP_PACKET = 0; // every other message begins with a letter
let isUsed = false;

await serve();

async function serve() {
  if (!parentPort) throw new Error('pgliteWorker runs in a worker thread only');
  try {
    const engine = await open(workerData);
    parentPort.on('message', (/** @type {PgliteRequest} */ request) => {
      if (request === 'close') void close(engine);
      else void answer(engine, request.session, request.bytes);
    });
    reply('ready');
  } catch (error) {
    reply({ failure: error instanceof Error ? error.message : String(error) });
  }
}

/** @param {PgliteStart} start */
async function open({ dataDir, settings }) {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const engine = new PGlite({ dataDir, startParams: [...PGlite.defaultStartParams, ...flags] });
  await engine.waitReady;
  return engine;
}

/**
 * @param {PGlite} engine
 * @param {number} session
 * @param {Uint8Array<ArrayBuffer>} request
 */
async function answer(engine, session, request) {
  if (isUsed && request[0] === STARTUP_PACKET) await forgetSession(engine);
  isUsed = true;
  /** @type {Uint8Array[]} */
  let parts = [];
  let size = 0;
  await engine.execProtocolRawStream(request, {
    syncToFs: false, // only needed in browsers
    onRawData: (bytes) => {
      parts.push(bytes.slice()); // the engine reuses the buffer
      size += bytes.length;
      if (size < ANSWER_PART_BYTES) return;
      reply({ session, bytes: joined(parts, size), isLast: false });
      parts = [];
      size = 0;
    },
  });
  reply({ session, bytes: joined(parts, size), isLast: true });
  if (request.length > FREED_BYTES) free(request);
}

/**
 * The engine has one session for its whole life, so state of a lost connection must be cleared.
 * @param {PGlite} engine
 */
async function forgetSession(engine) {
  await engine.exec('rollback');
  await engine.exec('discard all');
}

/** @param {PGlite} engine */
async function close(engine) {
  await engine.close(); // writes a checkpoint, so that the next start has nothing to replay
  reply('closed');
}

/**
 * @param {Uint8Array[]} parts
 * @param {number} size
 */
function joined(parts, size) {
  const [first] = parts;
  if (first && parts.length === 1) return first;
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** @param {PgliteReply} message */
function reply(message) {
  const isAnswer = typeof message === 'object' && 'bytes' in message;
  parentPort?.postMessage(message, isAnswer ? [/** @type {ArrayBuffer} */ (message.bytes.buffer)] : []);
}
