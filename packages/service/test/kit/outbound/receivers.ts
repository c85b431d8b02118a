import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { PATIENCE_MS } from '#harness/eventually.js';
import { parseNetworks } from '#kit/addressGuard.js';
import { createOutboundFetch, type OutboundFetch, type OutboundRequest } from '#kit/outboundFetch.js';

// Not of a package: the constant keeps it out of the search for those.
const OPENSSL = 'openssl';
const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** A client, closed after the test. By default it may connect to this machine. */
export function outbound(
  options: Partial<Omit<Parameters<typeof createOutboundFetch>[0], 'allowed'>> & { allowed?: string } = {},
): OutboundFetch {
  const allowed = parseNetworks(options.allowed ?? '127.0.0.0/8');
  const fetch = createOutboundFetch({ ...options, allowed });
  closers.push(() => fetch.close());
  return fetch;
}

/** Posts with patience. */
export function post(fetch: OutboundFetch, url: string, more: Partial<OutboundRequest> = {}) {
  const headers = { 'content-type': 'text/plain' };
  return fetch.post({ headers, body: 'news', timeoutMs: PATIENCE_MS, keepBytes: 1024, ...more, url });
}

export function expectAllClosed(fetch: OutboundFetch): Promise<void> {
  return expect.poll(() => fetch.openSockets).toBe(0);
}

export function receive(listener: RequestListener) {
  return listening(createServer({ keepAliveTimeout: 3000 }, listener), 'http');
}

export function receiveSecurely(certificate: { key: Buffer; cert: Buffer }, listener: RequestListener) {
  return listening(createSecureServer(certificate, listener), 'https');
}

/** A receiver that controls every byte of its answer. */
export function receiveRaw(onSocket: (socket: Socket) => void) {
  return listening(createTcpServer(onSocket), 'http');
}

async function listening(server: Server, scheme: string) {
  const sockets = new Set<Socket>();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver = {
    port,
    url: `${scheme}://127.0.0.1:${port}/hook`,
    /** So far. */
    connections: 0,
    bytesRead: () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0),
  };
  server.on('connection', (socket: Socket) => {
    receiver.connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
  });
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return receiver;
}

/**
 * A certificate of a test authority for 127.0.0.1 and receiver.example, or null without openssl.
 */
export function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    const subject = ['-subj', '/CN=receiver.example', '-days', '2'];
    const names = ['-addext', 'subjectAltName=DNS:receiver.example,IP:127.0.0.1'];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    const files = ['-keyout', key, '-out', cert];
    execFileSync(OPENSSL, ['req', '-x509', ...curve, ...subject, ...names, ...files], { stdio: 'ignore' });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } catch {
    console.log('skipped: openssl, which makes the certificate of these tests, is not installed');
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
