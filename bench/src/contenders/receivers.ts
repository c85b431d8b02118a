import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// Webhook receivers, each on its own port: good ones, one that hangs and one that fails. The first port reports what they received.
// Arguments: the first port, number of good receivers.
const [port, good] = process.argv.slice(2);

interface Counts {
  /** Requests that good receivers have answered. */
  count: number;
  /** Arrival of the last request, in milliseconds. */
  lastMs: number;
  /** The `since` of each request and its arrival. */
  arrivals: [since: string, atMs: number][];
}

let counts: Counts = { count: 0, lastMs: 0, arrivals: [] };

const servers = [
  ...Array.from({ length: Number(good) }, () => createServer(takeGood)),
  createServer((request) => request.resume()), // hangs
  createServer((request, response) => drained(request, () => response.writeHead(500).end())),
];
const ports = await Promise.all(servers.map(listening));

createServer((request, response) => {
  if (request.url === '/ports') response.end(JSON.stringify(ports));
  else if (request.url === '/reset') {
    counts = { count: 0, lastMs: 0, arrivals: [] };
    response.end();
  } else if (request.url === '/counts') response.end(JSON.stringify(counts));
  else response.end('ready');
}).listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));

function takeGood(request: IncomingMessage, response: ServerResponse): void {
  drained(request, (body) => {
    response.writeHead(204).end();
    counts.count += 1;
    counts.lastMs = Date.now();
    if (request.url === '/timed') counts.arrivals.push([sinceOf(body), counts.lastMs]);
  });
}

/** The subject of a latency event, otherwise the creation time of the envelope. */
function sinceOf(body: string): string {
  const { createdAt, data } = JSON.parse(body);
  return data.user.externalId.startsWith('latency-') ? data.user.externalId : createdAt;
}

function drained(request: IncomingMessage, done: (body: string) => void): void {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    body += chunk;
  });
  request.on('end', () => done(body));
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
