import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { createMetrics, observeRequests } from '../../../src/kit/http/metrics.js';
import { createServer } from '../../../src/kit/http/server.js';

let server: ReturnType<typeof createServer>;
let port = 0;
const sockets: Socket[] = [];

async function listen(options: { maxConnections?: number; log?: Logger } = {}) {
  server = createServer({ log: pino({ level: 'silent' }), methodsOf: () => [], ...options });
  server.get('/here', () => ({ here: true }));
  server.post('/taken', (request) => ({ taken: request.body }));
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

/** A connection, and everything read from it until its end. */
async function open(): Promise<{ socket: Socket; ended: Promise<string> }> {
  port ||= Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let read = '';
  socket.on('data', (chunk) => {
    read += chunk;
  });
  socket.on('error', () => undefined);
  const ended = once(socket, 'close').then(() => read);
  await once(socket, 'connect');
  return { socket, ended };
}

describe('connections', () => {
  test('slow or missing headers time out, a slow body does not', async () => {
    port = 0;
    await listen();
    const trickling = await open();
    const silent = await open();
    const slow = await open();
    const body = JSON.stringify({ text: 'x'.repeat(20) });
    slow.socket.write(
      `POST /taken HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    trickling.socket.write('GET /here HTTP/1.1\r\nHost: x\r\n');
    let isOver = false;
    const trickled = trickling.ended.finally(() => {
      isOver = true;
    });
    for (let line = 0; !isOver; line += 1) {
      trickling.socket.write(`X-Line-${line}: y\r\n`);
      await pause(200);
    }
    expect(await trickled).toMatch(/^HTTP\/1\.1 400 .*The request took too long to arrive/s);
    expect(await silent.ended).not.toContain('200 OK');
    slow.socket.write(body);
    expect(await slow.ended).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  test('a body that is too large is answered while it still arrives, and the connection stays open', async () => {
    port = 0;
    await listen();
    const { socket, ended } = await open();
    const body = Buffer.alloc(16 * 1024 * 1024, 0x20);
    socket.write(
      `POST /taken HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
    socket.write('GET /here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    const answers = await ended;
    expect(answers).toMatch(/^HTTP\/1\.1 413 /);
    expect(answers).toMatch(/HTTP\/1\.1 200 OK.*\{"here":true\}$/s);
  });

  test('a refused body does not close the connection', async () => {
    port = 0;
    await listen();
    const { socket, ended } = await open();
    socket.write(
      'POST /taken HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{',
    );
    socket.write('GET /here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await ended).toMatch(/^HTTP\/1\.1 400 .*HTTP\/1\.1 200 OK/s);
  });

  test('an unknown expectation is ignored', async () => {
    port = 0;
    await listen();
    const { socket, ended } = await open();
    socket.write('GET /here HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n');
    expect(await ended).toMatch(/^HTTP\/1\.1 200 OK.*x-request-id: /s);
  });

  test('above the limit are dropped and counted, others continue, and a freed slot is reused', async () => {
    port = 0;
    const lines: object[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
    await listen({ maxConnections: 2, log });
    const metrics = createMetrics();
    observeRequests(server, metrics, () => undefined);
    const [first, second] = [await open(), await open()];
    for (let count = 0; count < 3; count += 1) expect(await (await open()).ended).toBe('');
    expect((await metrics.droppedConnections.get()).values).toMatchObject([{ value: 3 }]);
    expect(lines).toMatchObject([{ maxConnections: 2 }]);
    first.socket.write('GET /here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await first.ended).toMatch(/^HTTP\/1\.1 200 OK/);
    const next = await open();
    for (const { socket } of [second, next]) {
      socket.write('GET /here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    }
    expect(await second.ended).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(await next.ended).toMatch(/^HTTP\/1\.1 200 OK/);
  });
});
