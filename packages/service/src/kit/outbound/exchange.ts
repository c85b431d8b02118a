import { setMaxListeners } from 'node:events';
import { StringDecoder } from 'node:string_decoder';
import type { Dispatcher } from 'undici';
import texts from '../../../data/outboundFailures.json' with { type: 'json' };

export interface OutboundAnswer {
  status: number;
  /** The headers that a caller of this module reads, in lower case. */
  headers: Readonly<Partial<Record<StoredHeader, string>>>;
  /** The first `keepBytes` of the body, as text that PostgreSQL can store: no NUL, no invalid UTF-8. */
  text: string;
}

export type StoredHeader = (typeof STORED_HEADERS)[number];

interface ExchangeOptions {
  timeoutMs: number;
  keepBytes: number;
  signal?: AbortSignal | undefined;
  isFirstOfConnection(): boolean;
  repeat(exchange: Exchange): void;
  resolve(answer: OutboundAnswer): void;
  reject(error: unknown): void;
}

/** Within one deadline. Once a status has arrived it succeeds, even if the body breaks off. */
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
    this.#deadline = setTimeout(() => this.#endLate(), options.timeoutMs);
    if (options.signal === undefined) return;
    this.#onAbort = () => this.#fail(new OutboundError('aborted', 'The request was cancelled.'));
    // One signal may cancel any number of requests; Node warns above ten.
    setMaxListeners(0, options.signal);
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Throwing here skips the request without harm to the connection.
    if (this.#hasEnded) throw new Error('the exchange ended while it waited for a connection');
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
    // Reading a little more keeps the connection reusable. For a lot more, dropping the connection
    // is cheaper.
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
      // By the next turn undici knows the other connections that the receiver closed.
      setImmediate(this.#options.repeat, this);
    } else this.#fail(isMistakeOfCaller(error) ? error : connectionFailure(error));
  }

  #endLate(): void {
    if (this.#status !== 0) this.#answer();
    else this.#fail(new OutboundError('timeout', 'The receiver did not answer in time.'));
  }

  /** It most likely took the connection for idle and read nothing. Deliveries are at least once. */
  #wasStale(error: Error): boolean {
    return !this.#isFirstOfConnection && this.#repeats < MAX_REPEATS && isEndOfConnection(error);
  }

  #keep(part: Buffer): void {
    const length = this.#keptLength + part.length;
    if (length > this.#kept.length) {
      const room = Math.max(length, 2 * this.#keptLength);
      const grown = Buffer.allocUnsafe(Math.min(this.#options.keepBytes, room));
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

  /** False: it had already ended. An answer that is still arriving is cut off with its connection. */
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

function storedHeaders(headers: Record<string, string | string[] | undefined>): OutboundAnswer['headers'] {
  const picked: Partial<Record<StoredHeader, string>> = {};
  for (const name of STORED_HEADERS) {
    const value = headers[name];
    if (value !== undefined) picked[name] = typeof value === 'string' ? value : value[0];
  }
  return picked;
}

/** Replaces NUL and invalid UTF-8 by U+FFFD and drops a character that the cut splits. */
function storableText(bytes: Buffer): string {
  const isAsciiAtEnd = (bytes.at(-1) ?? 0) < 0x80;
  const text = isAsciiAtEnd ? bytes.toString('utf8') : new StringDecoder('utf8').write(bytes);
  return text.replaceAll('\0', '\uFFFD');
}

type OutboundFailure = 'refused_target' | 'timeout' | 'dns' | 'connection' | 'tls' | 'protocol' | 'aborted';

/** The message is for the owner of the receiver, without addresses. These are in `cause`. */
export class OutboundError extends Error {
  readonly reason: OutboundFailure;

  constructor(reason: OutboundFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'OutboundError';
    this.reason = reason;
  }
}

type Failure = { readonly reason: OutboundFailure; readonly message: string };
const connectionFailures = texts.connection as Partial<Record<string, Failure>>;
const certificateFailures: Partial<Record<string, string>> = texts.certificate;

export function connectionFailure(error: unknown): OutboundError {
  if (isNotHttp(error)) return failure('protocol', 'The answer is not HTTP/1.1.', error);
  const known = connectionFailures[codeOf(error)];
  return failure(
    known?.reason ?? 'connection',
    known?.message ?? 'The connection to the receiver failed.',
    error,
  );
}

function isEndOfConnection(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(codeOf(error)) && !isNotHttp(error);
}

function isMistakeOfCaller(error: unknown): boolean {
  return ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'].includes(codeOf(error));
}

export function dnsFailure(error: unknown): OutboundError {
  const isUnknown = ['ENOTFOUND', 'ENODATA', 'EBADNAME', 'ENONAME'].includes(codeOf(error));
  const message = isUnknown ? 'The host name has no address.' : 'The host name could not be looked up.';
  return failure('dns', message, error);
}

export function tlsFailure(error: unknown): OutboundError {
  const message = certificateFailures[codeOf(error)] ?? 'The TLS handshake with the receiver failed.';
  return failure('tls', message, error);
}

function failure(reason: OutboundFailure, message: string, error: unknown): OutboundError {
  return error instanceof OutboundError ? error : new OutboundError(reason, message, error);
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Or an upgrade or a 100 that undici had not requested ("bad response", "bad upgrade"). */
function isNotHttp(error: unknown): boolean {
  return /^(?:HTTPParserError|SocketError: bad )/.test(String(error));
}
