import { Duplex } from 'node:stream';
import type { PgliteSession, PgliteThread } from './pgliteThread.js';

/**
 * The socket of pg: sends its bytes to the embedded engine. Everything that pg writes before it
 * waits for an answer is one message, so a statement costs one exchange between the threads. (The
 * engine's own bridge for pg needs five, one for each protocol message.)
 */
export class PgliteStream extends Duplex implements PgliteSession {
  readonly #thread: () => Promise<PgliteThread>;
  #current: PgliteThread | undefined;
  #send: ((bytes: Uint8Array<ArrayBuffer>) => void) | undefined;
  #outgoing: Buffer[] = [];
  #isFlushPlanned = false;
  #isAwaitingAnswer = false;

  constructor(thread: () => Promise<PgliteThread>) {
    super({ allowHalfOpen: false });
    this.#thread = thread;
  }

  /** As in net.Socket. pg passes a port and a host, which mean nothing here. */
  connect(): this {
    this.#thread().then(
      (thread) => this.#attach(thread),
      (error: unknown) => this.destroy(connectionError('ECONNREFUSED', error)),
    );
    return this;
  }

  receive(bytes: Uint8Array, isLast: boolean): void {
    if (bytes.length > 0) this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (!isLast) return;
    this.#isAwaitingAnswer = false;
    if (this.#outgoing.length > 0) this.#flush();
  }

  lose(reason: Error): void {
    this.#isAwaitingAnswer = false;
    this.destroy(connectionError('ECONNRESET', reason));
  }

  // The other methods of a socket that pg calls.
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (!isTerminate(chunk)) {
      this.#outgoing.push(chunk);
      this.#planFlush();
    }
    done();
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  // Destroyed during a statement, past its time limit. The engine has one session, so only a new
  // thread frees it.
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#isAwaitingAnswer) void this.#current?.kill();
    done(error);
  }

  #attach(thread: PgliteThread): void {
    if (this.destroyed) return;
    this.#current = thread;
    this.#send = thread.attach(this);
    this.emit('connect');
  }

  // When no promise is left to go on, so that what one statement leads to at once is sent with it.
  #planFlush(): void {
    if (this.#isFlushPlanned || this.#isAwaitingAnswer) return;
    this.#isFlushPlanned = true;
    process.nextTick(() => {
      this.#isFlushPlanned = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.destroyed || this.#send === undefined) return;
    const bytes = new Uint8Array(this.#outgoing.reduce((size, chunk) => size + chunk.length, 0));
    let offset = 0;
    for (const chunk of this.#outgoing) {
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
    this.#outgoing = [];
    this.#isAwaitingAnswer = true;
    this.#send(bytes);
  }
}

// At pg's Terminate message the engine would exit, but it must outlive its sessions.
function isTerminate(chunk: Buffer): boolean {
  return chunk.length === 5 && chunk[0] === 0x58;
}

function connectionError(code: 'ECONNREFUSED' | 'ECONNRESET', cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return Object.assign(new Error(`the embedded database stopped: ${reason}`, { cause }), { code });
}
