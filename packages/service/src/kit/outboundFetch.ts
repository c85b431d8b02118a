import { type Networks, refusalOf } from './addressGuard.js';
import { Exchange, type OutboundAnswer } from './outbound/exchange.js';
import { createGuardedConnector } from './outbound/guardedConnector.js';
import { createOriginPools } from './outbound/originPools.js';
import { OutboundError } from './outbound/outboundError.js';
import { createHostResolver, type ResolveHost } from './outbound/resolveHost.js';

export type { OutboundAnswer } from './outbound/exchange.js';
export { OutboundError } from './outbound/outboundError.js';

export interface OutboundRequest {
  /** What `refusalOf` finds against it fails with `refused_target`. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer | undefined;
  /** For everything together: look-up, connection, answer, and as much of its body as is read. */
  timeoutMs: number;
  /** How much of the answer's body is kept. */
  keepBytes: number;
  /** Calls the request off: `aborted`. */
  signal?: AbortSignal | undefined;
}

/**
 * The only way out of this service over HTTP. Addresses that are not public are never spoken to, unless the operator opened
 * them. Any answer is an answer: redirects are not followed, error statuses do not throw. Without one it rejects with an
 * OutboundError; any other error is a mistake of the caller's (a header that cannot be sent).
 */
export interface OutboundFetch {
  post(request: OutboundRequest): Promise<OutboundAnswer>;
  send(request: OutboundRequest & { method: 'GET' | 'POST' | 'PUT' | 'DELETE' }): Promise<OutboundAnswer>;
  /** Connections that are open now, idle ones included. */
  readonly openSockets: number;
  /** Takes nothing more, waits for what is under way (as long as its deadlines), closes every connection. */
  close(): Promise<void>;
}

interface OutboundOptions {
  /** The networks that the operator opened, and plain http within them. */
  allowed: Networks;
  /** More requests than this to one origin wait for each other. */
  connectionsPerOrigin?: number;
  /** For tests: replaces the name servers. */
  lookup?: ResolveHost;
  /** For tests: the only authority to trust. */
  ca?: string | Buffer;
}

export function createOutboundFetch(options: OutboundOptions): OutboundFetch {
  const { allowed, connectionsPerOrigin = 64, ca } = options;
  const resolve = options.lookup ?? createHostResolver({ knowsPrivateNames: allowed.length > 0 });
  const connector = createGuardedConnector({ allowed, resolve, ca, timeoutMs: CONNECT_TIMEOUT_MS });
  const pools = createOriginPools({
    connect: connector.connect,
    connections: connectionsPerOrigin,
    // Not clientTtl: in undici 7.30 requests that wait while a connection is retired are never sent.
    maxRequestsPerClient: MAX_REQUESTS_PER_CONNECTION,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    keepAliveMaxTimeout: MAX_IDLE_TIMEOUT_MS,
    maxHeaderSize: 16 * 1024,
    // The exchange's own deadline spans all of these.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // An endpoint gets many requests; reading its URL each time cost more than a tenth of a request.
  const targets = new Map<string, Target>();
  let underWay = 0;
  let onIdle: (() => void) | undefined;
  let isClosing = false;

  return {
    post: (request) => send({ ...request, method: 'POST' }),
    send,
    get openSockets() {
      return connector.openSockets;
    },
    async close() {
      isClosing = true;
      if (underWay > 0) await new Promise<void>((done) => (onIdle = done));
      connector.close();
      await pools.destroy();
    },
  };

  function send(request: Parameters<OutboundFetch['send']>[0]): Promise<OutboundAnswer> {
    if (isClosing || request.signal?.aborted) return Promise.reject(calledOff());
    const target = targetOf(request.url);
    if (target.refusal !== null) return Promise.reject(new OutboundError('refused_target', target.refusal));
    underWay += 1;
    return new Promise<OutboundAnswer>((resolve, reject) => {
      const sent = {
        origin: target.origin,
        path: target.path,
        method: request.method,
        headers: request.headers,
        body: request.body,
        // Past this many open connections none is kept for later.
        reset: connector.openSockets >= MAX_KEPT_SOCKETS ? true : undefined,
      };
      const exchange = new Exchange({
        timeoutMs: request.timeoutMs,
        keepBytes: request.keepBytes,
        signal: request.signal,
        isFirstOfConnection: () => connector.isHandingOver,
        repeat: (again) => pools.dispatch(sent, again),
        resolve: settleWith(resolve),
        reject: settleWith(reject),
      });
      pools.dispatch(sent, exchange);
    });
  }

  function targetOf(url: string): Target {
    const known = targets.get(url);
    if (known !== undefined) return known;
    const target = readTarget(url, allowed);
    if (targets.size >= MAX_REMEMBERED_TARGETS) targets.clear();
    targets.set(url, target);
    return target;
  }

  function settleWith<Value>(settle: (value: Value) => void): (value: Value) => void {
    return (value) => {
      underWay -= 1;
      if (underWay === 0) onIdle?.();
      settle(value);
    };
  }
}

const MAX_REMEMBERED_TARGETS = 1000;
/** A connection that takes longer is given up. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Shorter than the 5 s after which Node's own servers close an idle connection. */
const IDLE_TIMEOUT_MS = 4000;
/** Even if the receiver offers to wait longer. */
const MAX_IDLE_TIMEOUT_MS = 15_000;
/** Then the name is looked up again, however busy the connection is. */
const MAX_REQUESTS_PER_CONNECTION = 1000;
const MAX_KEPT_SOCKETS = 2048;

interface Target {
  refusal: string | null;
  origin: string;
  path: string;
}

function readTarget(text: string, allowed: Networks): Target {
  const refusal = refusalOf(text, allowed);
  if (refusal !== null) return { refusal, origin: '', path: '' };
  const { origin, pathname, search } = new URL(text);
  return { refusal, origin, path: pathname + search };
}

function calledOff(): OutboundError {
  return new OutboundError('aborted', 'The request was called off.');
}
