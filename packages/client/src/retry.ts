import { isErrorBody, ReliabilityConnectionError, retryAfterOf } from './errors.js';

export interface RetryOptions {
  fetch: typeof globalThis.fetch;
  /** Tries after the first one. */
  retries: number;
  /** Of each try. */
  timeoutMs: number;
}

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
/** A server that asks for a longer pause (a monthly quota) is not retried. */
const MAX_RETRY_AFTER_S = 60;
/** From proxies, which do not send the service's errors. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * A `fetch` that tries again where that can help and cannot repeat a write. Throws
 * ReliabilityConnectionError.
 */
export function retryingFetch({ fetch, retries, timeoutMs }: RetryOptions) {
  return async (request: Request): Promise<Response> => {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await once(request, attempt < retries);
      if (answer instanceof Response) return answer;
      await pause(answer.waitMs ?? jittered(attempt), request.signal);
    }
  };

  /** The answer, or that another try is due. */
  async function once(request: Request, mayRetry: boolean): Promise<Response | { waitMs?: number }> {
    let begun: Response | undefined;
    let response: Response;
    try {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
      begun = await fetch(new Request(request.clone(), { signal }));
      response = await whole(begun);
    } catch (cause) {
      if (request.signal.aborted) throw cause;
      if (mayRetry && isRepeatable(request)) return {};
      const { origin } = new URL(request.url);
      const message = begun
        ? `The answer from ${origin} was cut off`
        : `No answer from ${origin}${advice(origin)}`;
      throw new ReliabilityConnectionError(message, { cause });
    }
    if (response.ok || !mayRetry || !(await canRetry(request, response))) return response;
    const retryAfter = retryAfterOf(response);
    if (retryAfter === undefined) return {};
    if (retryAfter > MAX_RETRY_AFTER_S) return response;
    // Clients that were refused together come back one after the other.
    return { waitMs: (retryAfter + Math.random() * Math.min(1, retryAfter)) * 1000 };
  }
}

/** Browsers do not tell scripts that they refused a call. */
function advice(origin: string): string {
  const page = (globalThis as { location?: { origin: string } }).location?.origin;
  return page === undefined || page === origin
    ? ''
    : `. Browsers refuse calls with a key from a page of another origin, and this page is of ${page}`;
}

/** The response with its body read: a connection can also break while the body arrives. */
async function whole(response: Response): Promise<Response> {
  const body = await response.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, response);
}

/** Whether a request whose answer was lost may have been executed and can be sent again. */
function isRepeatable({ method, headers }: Request): boolean {
  return method !== 'POST' || headers.has('idempotency-key');
}

async function canRetry(request: Request, response: Response): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (isErrorBody(body)) return body.retryable;
  return UNAVAILABLE.has(response.status) && isRepeatable(request);
}

function jittered(attempt: number): number {
  const longest = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  return longest * (0.5 + Math.random() / 2);
}

/** Ends early, with the reason, if the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
