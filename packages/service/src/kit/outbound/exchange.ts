import { setMaxListeners } from 'node:events';
import { StringDecoder } from 'node:string_decoder';
import type { Dispatcher } from 'undici';
import { connectionFailure, isEndOfConnection, isMistakeOfCaller, OutboundError } from './outboundError.js';

export interface OutboundAnswer {
  status: number;
  /** Those of the answer's headers that anyone here reads, in lower case. */
  headers: Readonly<Partial<Record<StoredHeader, string>>>;
  /** The first bytes of the body as text that PostgreSQL stores: no NUL, no broken UTF-8. */
  text: string;
}

export type StoredHeader = (typeof STORED_HEADERS)[number];

interface ExchangeOptions {
  timeoutMs: number;
  keepBytes: number;
  signal?: AbortSignal | undefined;
  /** Whether the request that starts now is the first one of its connection. */
  isFirstOfConnection(): boolean;
  /** Sends the same request once more. */
  repeat(exchange: Dispatcher.DispatchHandler): void;
  resolve(answer: OutboundAnswer): void;
  reject(error: unknown): void;
}

/**
 * One request and what comes back, within one deadline that spans everything from the look-up of the name to the end of
 * the body. Once a status has come the exchange is answered, however the rest of it ends.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #deadline: NodeJS.Timeout;
  readonly #onAbort: (() => void) | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #hasEnded = false;
  #isFirstOfConnection = false;
  #repeats = 0;
  #status = 0;
  #headers: OutboundAnswer['headers'] = {};
  #kept: Buffer = NOTHING;
  #keptLength = 0;
  #surplus = 0;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#deadline = setTimeout(endLate, options.timeoutMs, this);
    if (options.signal === undefined) return;
    this.#onAbort = () => this.#fail(new OutboundError('aborted', 'The request was called off.'));
    // One signal may call off any number of requests; Node warns of more than ten.
    setMaxListeners(0, options.signal);
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Throwing here leaves out the request and spares the connection it was about to be written to.
    if (this.#hasEnded) throw new Error('this exchange has ended while it waited for a connection');
    this.#controller = controller;
    this.#isFirstOfConnection = this.#options.isFirstOfConnection();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = storedHeaders(headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const capacity = this.#options.keepBytes - this.#keptLength;
    if (capacity > 0) this.#keep(chunk.subarray(0, capacity));
    if (chunk.length <= capacity) return;
    this.#surplus += chunk.length - capacity;
    // A little more is read, so that the connection can serve again; a lot more costs less with the connection dropped.
    if (this.#surplus > DRAIN_BYTES) this.#answer();
  }

  onResponseEnd(): void {
    this.#controller = undefined;
    this.#answer();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#controller = undefined;
    if (this.#hasEnded) return;
    if (this.#status !== 0) this.#answer();
    else if (this.#wasStale(error)) {
      this.#repeats += 1;
      // What else the receiver closed at the same time is noticed before the next connection is chosen.
      setImmediate(this.#options.repeat, this);
    } else this.#fail(isMistakeOfCaller(error) ? error : connectionFailure(error));
  }

  /** The deadline: what has come counts. */
  endLate(): void {
    if (this.#status !== 0) this.#answer();
    else this.#fail(new OutboundError('timeout', 'The receiver did not answer in time.'));
  }

  /**
   * Whether the receiver closed a connection that had served before without a byte in answer to this request: it took the
   * connection for idle, most likely without having read the request. To ask again is at least once, never an answer lost.
   */
  #wasStale(error: Error): boolean {
    return !this.#isFirstOfConnection && this.#repeats < MAX_REPEATS && isEndOfConnection(error);
  }

  #keep(part: Buffer): void {
    const length = this.#keptLength + part.length;
    if (length > this.#kept.length) {
      const grown = Buffer.allocUnsafe(
        Math.min(this.#options.keepBytes, Math.max(length, 2 * this.#keptLength)),
      );
      this.#kept.copy(grown, 0, 0, this.#keptLength);
      this.#kept = grown;
    }
    part.copy(this.#kept, this.#keptLength);
    this.#keptLength = length;
  }

  #answer(): void {
    if (!this.#end()) return;
    const text = storableText(this.#kept.subarray(0, this.#keptLength));
    this.#options.resolve({ status: this.#status, headers: this.#headers, text });
  }

  #fail(error: unknown): void {
    if (this.#end()) this.#options.reject(error);
  }

  /** False when it has ended before. An answer that is still under way is cut off, and its connection with it. */
  #end(): boolean {
    if (this.#hasEnded) return false;
    this.#hasEnded = true;
    clearTimeout(this.#deadline);
    if (this.#onAbort !== undefined) this.#options.signal?.removeEventListener('abort', this.#onAbort);
    this.#controller?.abort(ENDED);
    return true;
  }
}

const STORED_HEADERS = ['retry-after', 'content-type', 'date'] as const;
const DRAIN_BYTES = 64 * 1024;
const NOTHING = Buffer.alloc(0);
const MAX_REPEATS = 3;
const ENDED = new Error('the exchange has ended');

function endLate(exchange: Exchange): void {
  exchange.endLate();
}

function storedHeaders(headers: Record<string, string | string[] | undefined>): OutboundAnswer['headers'] {
  const picked: Partial<Record<StoredHeader, string>> = {};
  for (const name of STORED_HEADERS) {
    const value = headers[name];
    if (value !== undefined) picked[name] = typeof value === 'string' ? value : value[0];
  }
  return picked;
}

/** NUL and broken UTF-8 become U+FFFD; a character that the end cuts through is left out. */
function storableText(bytes: Buffer): string {
  const isAsciiAtEnd = (bytes.at(-1) ?? 0) < 0x80;
  const text = isAsciiAtEnd ? bytes.toString('utf8') : new StringDecoder('utf8').write(bytes);
  return text.replaceAll('\0', '\uFFFD');
}
