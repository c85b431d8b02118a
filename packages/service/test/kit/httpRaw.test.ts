import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { breadth, mainEngine, openTestDatabase } from '#harness/engines.js';
import { PATIENCE_MS } from '#harness/eventually.js';
import { givenSharedService } from '#harness/givenService.js';
import { startTestService } from '#harness/service.js';
import { endsInTime } from '#kit/inTime.js';

const LIMIT_MS = PATIENCE_MS;

/** Sends raw bytes and reads until the other side closes. */
function exchange(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.setTimeout(LIMIT_MS, () => socket.destroy(new Error(`no end after: ${answer}`)));
    socket.on('data', (chunk) => {
      answer += chunk.toString('utf8');
    });
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
    socket.on('close', () => resolve(answer));
    socket.write(bytes);
  });
}

function parsed(answer: string) {
  const [head = '', text = ''] = answer.split('\r\n\r\n', 2);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: JSON.parse(text) };
}

describe.each(breadth)('bytes on the socket on %s', (engine) => {
  const service = givenSharedService(engine);

  test.each([
    ['no HTTP at all', 'hello?\r\n\r\n'],
    ['a TLS greeting', Buffer.from('16030100f8010000f40303', 'hex')],
    ['an unknown method', 'BREW /api/v1/events HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header without a colon', 'GET /health HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
    ['a NUL in a header', 'GET /health HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n'],
    ['headers without end', `GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${'y'.repeat(200_000)}\r\n\r\n`],
    [
      'two lengths that differ',
      'POST /api/v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    ],
    [
      'a length beside chunks',
      'POST /api/v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('%s gets a 400 of the common shape, and the connection ends', async (_, bytes) => {
    const { status, headers, body } = parsed(await exchange(service.url, bytes));
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'BAD_REQUEST', retryable: false, error: expect.stringMatching(/./) });
    expect(body.requestId).toBe(headers.get('x-request-id'));
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('connection')).toBe('close');
    for (const name of [
      'x-content-type-options',
      'content-security-policy',
      'referrer-policy',
      'cache-control',
    ]) {
      expect(headers.has(name), name).toBe(true);
    }
  });

  test.each([
    ['a chunk with a broken size', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'],
    ['fewer bytes than announced', 'Content-Length: 50\r\n\r\n{}'],
  ])('%s does not affect other connections', async (_, rest) => {
    const head = `POST /api/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.liveKey}\r\n`;
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(`${head}Content-Type: application/json\r\n${rest}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    expect((await service.request('GET', '!/health')).status).toBe(200);
    expect((await service.request('GET', '/events/export')).body.events).toEqual([]);
  });

  test('two pipelined requests get two answers in order', async () => {
    const one = (id: string, more = '') =>
      `GET /health HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n${more}\r\n`;
    const answer = await exchange(service.url, one('first') + one('second', 'Connection: close\r\n'));
    const ids = [...answer.matchAll(/x-request-id: (\w+)/gi)].map(([, id]) => id);
    expect(ids).toEqual(['first', 'second']);
  });
});

test('a connection without a request does not delay a stop', async () => {
  const database = await openTestDatabase(mainEngine);
  const service = await startTestService(mainEngine, { db: database.db });
  const { hostname, port } = new URL(service.url);
  const silent = connect(Number(port), hostname);
  await new Promise((resolve) => silent.once('connect', resolve));
  await expect(service.request('GET', '!/health', { key: null })).resolves.toMatchObject({ status: 200 });
  // Node would wait for the connection's timeout of a minute; nothing else here takes this long.
  expect(await endsInTime(service.close(), 20_000)).toBe(true);
  silent.destroy();
  await database.close();
});
