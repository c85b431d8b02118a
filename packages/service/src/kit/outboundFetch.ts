import { type Networks, refusalOf } from './addressGuard.js';
import { Exchange, type OutboundAnswer, OutboundError } from './outbound/exchange.js';
import type { ResolveHost } from './outbound/guardedConnector.js';

export type { OutboundAnswer } from './outbound/exchange.js';
export { OutboundError } from './outbound/exchange.js';

export interface OutboundRequest {
  /** A URL that `refusalOf` refuses fails with `refused_target`. */
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer | undefined;
  /** Covers DNS look-up, connection, answer, and the part of its body that is read. */
  timeoutMs: number;
  keepBytes: number;
  signal?: AbortSignal | undefined;
}

/**
 * The only way for this service to send HTTP requests. It never connects to addresses that are not
 * public, unless the operator opened them. Redirects are not followed, and error statuses do not
 * throw. Without an answer it rejects with OutboundError; any other error is a mistake of the
 * caller (a header that cannot be sent).
 */
export interface OutboundFetch {
  post(request: OutboundRequest): Promise<OutboundAnswer>;
  send(request: OutboundRequest & { method: 'GET' | 'POST' | 'PUT' | 'DELETE' }): Promise<OutboundAnswer>;
  readonly openSockets: number;
  /** Refuses new requests, waits for running ones (at most their deadlines), then closes all connections. */
  close(): Promise<void>;
}

interface OutboundOptions {
  /** Networks that the operator opened, also for plain http. */
  allowed: Networks;
  /** Concurrent connections per origin; further requests wait. Default: 64. */
  connectionsPerOrigin?: number;
  lookup?: ResolveHost;
  ca?: string | Buffer;
}

export function createOutboundFetch(options: OutboundOptions): OutboundFetch {
  let loading: Promise<Connections> | undefined;
  let connections: Connections | undefined;
  // Endpoints get many requests, and parsing the URL each time took more than a tenth of a request.
  const targets = new Map<string, Target>();
  let underWay = 0;
  let onIdle: (() => void) | undefined;
  let isClosing = false;

  return {
    post: (request) => send({ ...request, method: 'POST' }),
    send,
    get openSockets() {
      return connections?.connector.openSockets ?? 0;
    },
    async close() {
      isClosing = true;
      if (underWay > 0) await new Promise<void>((done) => (onIdle = done));
      connections?.connector.close();
      await connections?.pools.destroy();
    },
  };

  async function send(request: Parameters<OutboundFetch['send']>[0]): Promise<OutboundAnswer> {
    if (isClosing) throw cancelled();
    underWay += 1;
    try {
      loading ??= loadConnections(options);
      connections ??= await loading;
      if (request.signal?.aborted) throw cancelled();
      const target = targetOf(request.url);
      if (target instanceof OutboundError) throw target;
      const { connector, pools } = connections;
      return await new Promise<OutboundAnswer>((resolve, reject) => {
        // With this many open connections, none is kept idle.
        const reset = connector.openSockets >= MAX_KEPT_SOCKETS ? true : undefined;
        const { method, headers, body } = request;
        const sent = { ...target, method, headers, body, reset };
        const isFirstOfConnection = () => connector.isHandingOver;
        const repeat = (again: Exchange) => pools.dispatch(sent, again);
        pools.dispatch(sent, new Exchange({ ...request, isFirstOfConnection, repeat, resolve, reject }));
      });
    } finally {
      underWay -= 1;
      if (underWay === 0) onIdle?.();
    }
  }

  function targetOf(url: string): Target {
    const known = targets.get(url);
    if (known !== undefined) return known;
    const target = readTarget(url, options.allowed);
    if (targets.size >= MAX_REMEMBERED_TARGETS) targets.clear();
    targets.set(url, target);
    return target;
  }
}

type Connections = Awaited<ReturnType<typeof loadConnections>>;

/** With the first request: undici takes 5 MB in each thread. */
async function loadConnections({ allowed, connectionsPerOrigin = 64, lookup, ca }: OutboundOptions) {
  const { createGuardedConnector, createHostResolver, createOriginPools } = await import(
    './outbound/guardedConnector.js'
  );
  const resolve = lookup ?? createHostResolver({ knowsPrivateNames: allowed.length > 0 });
  const connector = createGuardedConnector({ allowed, resolve, ca, timeoutMs: CONNECT_TIMEOUT_MS });
  const pools = createOriginPools({
    connect: connector.connect,
    connections: connectionsPerOrigin,
    // Not clientTtl: undici 7.30 never sends requests that wait while it retires a connection.
    maxRequestsPerClient: MAX_REQUESTS_PER_CONNECTION,
    keepAliveTimeout: IDLE_TIMEOUT_MS,
    keepAliveMaxTimeout: MAX_IDLE_TIMEOUT_MS,
    maxHeaderSize: 16 * 1024,
    // The deadline of the exchange covers all of these.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { connector, pools };
}

const MAX_REMEMBERED_TARGETS = 1000;
const CONNECT_TIMEOUT_MS = 10_000;
/** Less than the 5 s after which Node's own servers close an idle connection. */
const IDLE_TIMEOUT_MS = 4000;
const MAX_IDLE_TIMEOUT_MS = 15_000;
/** After so many, the name is resolved again, even on a busy connection. */
const MAX_REQUESTS_PER_CONNECTION = 1000;
const MAX_KEPT_SOCKETS = 2048;

type Target = OutboundError | { readonly origin: string; readonly path: string };

function readTarget(text: string, allowed: Networks): Target {
  const refusal = refusalOf(text, allowed);
  if (refusal !== null) return new OutboundError('refused_target', refusal);
  const { origin, pathname, search } = new URL(text);
  return { origin, path: pathname + search };
}

function cancelled(): OutboundError {
  return new OutboundError('aborted', 'The request was cancelled.');
}
