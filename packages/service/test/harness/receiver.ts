import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { PATIENCE_MS } from './eventually.js';

/** A received request with the exact bytes of its body. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** By this process's clock, in milliseconds. */
  readonly atMs: number;
}

/** The reaction of a receiver to a request. `hang`: it never answers. */
export type Reaction =
  | { status: number; headers?: Record<string, string>; body?: string; afterMs?: number }
  | 'hang'
  | 'hang up';

/** An HTTP server on loopback that records its requests. */
export interface Receiver {
  /** Its address without a path: `http://127.0.0.1:4711`. */
  readonly url: string;
  readonly received: readonly Received[];
  /** Sets the reaction by request number, counted from 0. */
  react(decide: (request: Received, number: number) => Reaction | Promise<Reaction>): void;
  /** Resolves to the requests when this many have arrived. */
  waitFor(count: number): Promise<readonly Received[]>;
  /** Deletes the recorded requests. */
  forget(): void;
  /**
   * Starts over for one test: answers 204 and records only requests to this path. Late deliveries of
   * earlier tests go to their own paths.
   */
  startOver(path: string): void;
  /** Also closes hanging connections. */
  close(): Promise<void>;
}

/** Starts a receiver that answers 204 by default. */
export async function startReceiver(): Promise<Receiver> {
  let received: Received[] = [];
  let count = 0;
  let onlyPath: string | null = null;
  let decide: Parameters<Receiver['react']>[0] = accept;
  const sockets = new Set<Socket>();
  const arrivals = new EventEmitter();
  const server = createServer((request, response) => {
    void take(request).then(async (taken) => {
      if (onlyPath !== null && taken.path !== onlyPath) return answer(request, response, accept());
      const number = count;
      count += 1;
      received.push(taken);
      arrivals.emit('request');
      await answer(request, response, await decide(taken, number));
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    get received() {
      return received;
    },
    react(next) {
      decide = next;
    },
    async waitFor(wanted) {
      const inTime = AbortSignal.timeout(PATIENCE_MS);
      while (received.length < wanted) {
        await once(arrivals, 'request', { signal: inTime }).catch(() => {
          throw new Error(`${received.length} of ${wanted} requests came in time`);
        });
      }
      return received;
    },
    forget() {
      received = [];
    },
    startOver(path) {
      received = [];
      onlyPath = path;
      decide = accept;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const accept = () => ({ status: 204 });

async function take(request: IncomingMessage): Promise<Received> {
  const atMs = Date.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: Buffer.concat(chunks).toString('utf8'),
    atMs,
  };
}

async function answer(request: IncomingMessage, response: ServerResponse, reaction: Reaction): Promise<void> {
  if (reaction === 'hang') return;
  if (reaction === 'hang up') {
    request.socket.destroy();
    return;
  }
  const { status, headers = {}, body, afterMs = 0 } = reaction;
  if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
  response.writeHead(status, headers).end(body);
}
