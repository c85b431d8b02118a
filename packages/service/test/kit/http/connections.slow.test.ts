import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import type { ConnectionLimits } from '#kit/http/connections.js';
import { createMetrics, observeRequests } from '#kit/http/metrics.js';
import { createServer } from '#kit/http/server.js';

let server: ReturnType<typeof createServer>;
let port = 0;
const sockets: Socket[] = [];

async function listen(options: ConnectionLimits & { log?: Logger } = {}) {
  port = 0;
  server = createServer({ log: pino({ level: 'silent' }), methodsOf: () => [], ...options });
  server.get('/here', () => ({ here: true }));
  server.post('/taken', (request) => ({ taken: request.body }));
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

/** Asks for something; the connection stays open, or is closed after the answer. */
const GET = 'GET /here HTTP/1.1\r\nHost: x\r\n\r\n';
const GET_AND_CLOSE = 'GET /here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
/** The head of a request with a body of so many bytes. */
const posting = (bytes: number, more = '') =>
  `POST /taken HTTP/1.1\r\nHost: x\r\n${more}Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;

/** A connection, and everything read from it until its end. */
async function open(localAddress = '127.0.0.1'): Promise<{ socket: Socket; ended: Promise<string> }> {
  port ||= Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  let read = '';
  socket.on('data', (chunk) => (read += chunk));
  socket.on('error', () => undefined);
  const ended = once(socket, 'close').then(() => read);
  await once(socket, 'connect');
  return { socket, ended };
}

describe('connections', () => {
  test('slow or missing headers time out, a slow body does not', async () => {
    await listen();
    const trickling = await open();
    const silent = await open();
    const slow = await open();
    const body = JSON.stringify({ text: 'x'.repeat(20) });
    slow.socket.write(posting(body.length, 'Connection: close\r\n'));
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
    await listen();
    const { socket, ended } = await open();
    const body = Buffer.alloc(16 * 1024 * 1024, 0x20);
    socket.write(posting(body.length));
    socket.write(body);
    socket.write(GET_AND_CLOSE);
    const answers = await ended;
    expect(answers).toMatch(/^HTTP\/1\.1 413 /);
    expect(answers).toMatch(/HTTP\/1\.1 200 OK.*\{"here":true\}$/s);
  });

  test('a refused body does not close the connection', async () => {
    await listen();
    const { socket, ended } = await open();
    socket.write(`${posting(1)}{${GET_AND_CLOSE}`);
    expect(await ended).toMatch(/^HTTP\/1\.1 400 .*HTTP\/1\.1 200 OK/s);
  });

  test('an unknown expectation is ignored', async () => {
    await listen();
    const { socket, ended } = await open();
    socket.write('GET /here HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n');
    expect(await ended).toMatch(/^HTTP\/1\.1 200 OK.*x-request-id: /s);
  });

  const answered = async (localAddress?: string) => {
    const { socket, ended } = await open(localAddress);
    socket.write(GET_AND_CLOSE);
    return (await ended).startsWith('HTTP/1.1 200 OK');
  };
  /** A connection that is still open after one answer. */
  const idle = async (localAddress?: string) => {
    const opened = await open(localAddress);
    opened.socket.write(GET);
    await once(opened.socket, 'data');
    return opened;
  };
  /** A connection with a request whose body is still to come. */
  const busy = async (localAddress?: string) => {
    const opened = await open(localAddress);
    const arrived = once(server.server, 'request');
    opened.socket.write(`${posting(2)}{`);
    await arrived;
    return opened;
  };
  const finished = async ({ socket, ended }: Awaited<ReturnType<typeof open>>) => {
    socket.end('}');
    return (await ended).startsWith('HTTP/1.1 200 OK');
  };

  test.each([
    [undefined, 5],
    [1, 72],
    [['127.0.0.0/8'], 72],
  ])(
    'are closed when they are idle, those of proxies later than proxies close theirs (TRUST_PROXY %j: %i s)',
    async (trustProxy, seconds) => {
      await listen({ trustProxy });
      const { socket, ended } = await open();
      socket.write(GET);
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toContain(`\r\nKeep-Alive: timeout=${seconds}\r\n`);
      if (seconds === 5) expect(await ended).toMatch(/^HTTP\/1\.1 200 OK/);
    },
  );

  test('of one address are at most a quarter, and its oldest idle one is closed for a new one', async () => {
    await listen({ maxConnections: 20 });
    const silent = await open();
    const used = await idle();
    const working = await busy();
    await idle();
    await idle();
    const more = await idle(); // instead of the silent one
    expect(await silent.ended).toBe('');
    await idle();
    expect(await used.ended).toMatch(/^HTTP\/1\.1 200 OK/);
    for (let count = 0; count < 5; count += 1) await idle();
    await more.ended;
    expect(await finished(working)).toBe(true);
  });

  test('that are idle keep nobody out, however many one address opens', async () => {
    await listen({ maxConnections: 8 });
    for (let count = 0; count < 50; count += 1) await open();
    for (let count = 0; count < 5; count += 1) expect(await answered('127.0.0.2')).toBe(true);
    expect(await answered()).toBe(true);
  });

  test('when all are open, the oldest idle one of the greediest address is closed first', async () => {
    await listen({ maxConnections: 8 });
    const greedy = [await busy('127.0.0.2'), await idle('127.0.0.2')];
    const single = await idle('127.0.0.3');
    const [first, second] = [await idle('127.0.0.4'), await idle('127.0.0.4')];
    const others = [await busy('127.0.0.5'), await busy('127.0.0.6'), await busy('127.0.0.7')];
    const newcomers = [await busy('127.0.0.8')];
    expect(await greedy[1]?.ended).toMatch(/^HTTP\/1\.1 200 OK/);
    newcomers.push(await busy('127.0.0.9'));
    await first.ended;
    newcomers.push(await busy('127.0.0.10'), await busy('127.0.0.11'));
    await Promise.all([single.ended, second.ended]);
    expect(await (await open('127.0.0.12')).ended).toBe(''); // none is idle
    for (const working of [...others, ...newcomers, ...greedy.slice(0, 1)]) {
      expect(await finished(working)).toBe(true);
    }
  });

  test('of a trusted proxy are not limited by the share, and closed after those of others', async () => {
    await listen({ maxConnections: 8, trustProxy: ['127.0.0.1'] });
    const ofProxy = [];
    for (let count = 0; count < 7; count += 1) ofProxy.push(await idle());
    const other = await idle('127.0.0.2');
    expect(await answered('127.0.0.3')).toBe(true);
    await other.ended;
    const last = await busy('127.0.0.3');
    expect(await answered('127.0.0.4')).toBe(true);
    await ofProxy[0]?.ended;
    expect(await finished(last)).toBe(true);
  });

  test('are not limited by address behind a number of proxies', async () => {
    await listen({ maxConnections: 8, trustProxy: 1 });
    const working = [];
    for (let count = 0; count < 8; count += 1) working.push(await busy());
    for (const each of working) expect(await finished(each)).toBe(true);
  });

  test('beyond the limit are dropped and counted if none is idle, and a freed place is used again', async () => {
    const lines: object[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
    await listen({ maxConnections: 8, log });
    const metrics = createMetrics();
    observeRequests(server, metrics, () => undefined);
    const [first, second] = [await busy(), await busy()];
    for (let count = 0; count < 3; count += 1) expect(await (await open()).ended).toBe('');
    expect((await metrics.droppedConnections.get()).values).toMatchObject([{ value: 3 }]);
    expect(lines).toMatchObject([{ maxConnections: 8, dropped: 1, closedIdle: 0 }]);
    expect(await finished(first)).toBe(true);
    expect(await answered()).toBe(true);
    expect(await finished(second)).toBe(true);
  });
});
