import type { RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { PATIENCE_MS, SOON } from '#harness/eventually.js';
import { endsInTime } from '#kit/inTime.js';
import { expectAllClosed, outbound, post, receive, receiveRaw } from './outbound/receivers.js';

/** Whether it ends, in any way, within seconds. A timer tells: a machine that is busy delays it as well. */
function endsSoon(work: Promise<unknown>): Promise<boolean> {
  return endsInTime(
    work.catch(() => {}),
    SOON.timeout,
  );
}

describe('requests and responses', () => {
  test('sends the body and headers unchanged and returns status, text and relevant headers', async () => {
    let seen: unknown;
    const receiver = await receive(async (request, response) => {
      seen = [request.method, request.url, request.headers['x-signature'], await text(request)];
      response.writeHead(503, { 'Retry-After': '120', 'X-Other': 'x' }).end('later');
    });
    const answer = await post(outbound(), `${receiver.url}?a=b%20c#part`, {
      headers: { 'X-Signature': 'abc' },
      body: 'Grüße',
    });
    expect(seen).toEqual(['POST', '/hook?a=b%20c', 'abc', 'Grüße']);
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '120' }, text: 'later' });
    expect(Object.keys(answer.headers).sort()).toEqual(['date', 'retry-after']);
  });

  test('sends other methods, also without a body', async () => {
    const receiver = await receive((request, response) => response.end(request.method));
    const request = { url: receiver.url, headers: {}, timeoutMs: PATIENCE_MS, keepBytes: 10 };
    await expect(outbound().send({ ...request, method: 'GET' })).resolves.toMatchObject({ text: 'GET' });
  });

  test.each([
    ['NUL', Buffer.from('a\0b'), 'a\uFFFDb'],
    ['broken UTF-8', Buffer.from([0x61, 0xff, 0x62, 0xc3, 0x28]), 'a\uFFFDb\uFFFD('],
    ['a surrogate in UTF-8', Buffer.from([0xed, 0xa0, 0x80]), '\uFFFD\uFFFD\uFFFD'],
    ['a character cut in two', Buffer.from('1234567€'), '1234567'],
    ['a character that just fits', Buffer.from('12345€67'), '12345€'],
    ['nothing', Buffer.alloc(0), ''],
  ])('a body with %s becomes text that can be stored', async (_what, body, expected) => {
    const receiver = await receive((_request, response) => response.end(body));
    await expect(post(outbound(), receiver.url, { keepBytes: 8 })).resolves.toMatchObject({ text: expected });
  });

  test.each([
    ['103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n', { status: 204, text: '' }],
    ['200 OK\r\ncontent-length: 100\r\n\r\npart', { status: 200, text: 'part' }],
  ])('the answer is the last of several, and what came of one that breaks off: %j', async (words, answer) => {
    const receiver = await receiveRaw((socket) => socket.on('data', () => socket.end(`HTTP/1.1 ${words}`)));
    await expect(post(outbound(), receiver.url)).resolves.toMatchObject(answer);
  });

  test('an invalid header is an error of the caller', async () => {
    const receiver = await receive((_request, response) => response.end());
    const work = post(outbound(), receiver.url, { headers: { 'x-a': 'b\r\nc: d' } });
    await expect(work).rejects.toThrow('invalid x-a header');
    await expect(work).rejects.not.toHaveProperty('reason');
  });
});

describe('the deadline', () => {
  test.each([
    ['takes a connection and says nothing', ''],
    ['sends half a header', 'HTTP/1.1 200 OK\r\ncontent-le'],
  ])('ends the wait for a receiver that %s', async (_what, words) => {
    const receiver = await receiveRaw((socket) => socket.write(words));
    const fetch = outbound();
    const work = post(fetch, receiver.url, { timeoutMs: 250 });
    expect(await endsSoon(work)).toBe(true);
    await expect(work).rejects.toMatchObject({
      reason: 'timeout',
      message: 'The receiver did not answer in time.',
    });
    await expectAllClosed(fetch);
  });

  test('ends the wait for a silent name server', async () => {
    const fetch = outbound({ lookup: () => new Promise(() => {}) });
    const work = post(fetch, 'http://receiver.example/', { timeoutMs: 250 });
    expect(await endsSoon(work)).toBe(true);
    await expect(work).rejects.toMatchObject({ reason: 'timeout' });
    expect(await endsSoon(fetch.close())).toBe(true);
  });

  test('cuts off a slow body and returns the status and the received part', async () => {
    const receiver = await receive((_request, response) => {
      const timer = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(timer));
    });
    const fetch = outbound();
    const work = post(fetch, receiver.url, { timeoutMs: 2000, keepBytes: 3 });
    expect(await endsSoon(work)).toBe(true);
    await expect(work).resolves.toMatchObject({ status: 200, text: 'xxx' });
    await expectAllClosed(fetch);
  });

  test('includes the wait for a free connection, and a timed out request does not affect others', async () => {
    const release: (() => void)[] = [];
    const receiver = await receive((_request, response) => {
      if (release.length === 0) release.push(() => response.end());
      else response.end();
    });
    const fetch = outbound({ connectionsPerOrigin: 1 });
    const first = post(fetch, receiver.url);
    const second = post(fetch, receiver.url, { timeoutMs: 100 });
    await expect(second).rejects.toMatchObject({ reason: 'timeout' });
    release[0]?.();
    await expect(first).resolves.toMatchObject({ status: 200 });
    await expect(post(fetch, receiver.url)).resolves.toMatchObject({ status: 200 });
    expect(receiver.connections).toBe(1);
  });
});

describe('connections', () => {
  test('are reused, also after a body slightly above the limit', async () => {
    const receiver = await receive((_request, response) => response.end('x'.repeat(40_000)));
    const fetch = outbound();
    for (let round = 0; round < 5; round += 1) {
      expect((await post(fetch, receiver.url)).text).toBe('x'.repeat(1024));
      // A connection is reusable one turn of the event loop after its answer.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(receiver.connections).toBe(1);
  });

  test('are closed when a body has no end', async () => {
    let written = 0;
    const receiver = await receive((_request, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
      };
      response.on('drain', more);
      more();
    });
    const fetch = outbound();
    const work = post(fetch, receiver.url);
    expect(await endsSoon(work)).toBe(true);
    await expect(work).resolves.toMatchObject({ status: 200, text: 'x'.repeat(1024) });
    await expectAllClosed(fetch);
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  test('fail no request when the receiver closed them while idle', async () => {
    let received = 0;
    const receiver = await receive((request, response) => {
      received += 1;
      response.end();
      setTimeout(() => request.socket.destroy(), Math.random() * 6);
    });
    const fetch = outbound();
    const worker = async (): Promise<void> => {
      for (let round = 0; round < 100; round += 1) {
        await post(fetch, receiver.url);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 6));
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    expect(received).toBeGreaterThanOrEqual(800);
    expect(receiver.connections).toBeGreaterThan(50);
  });

  test('to one origin are limited, other requests wait', async () => {
    const receiver = await receive((_request, response) => setTimeout(() => response.end(), 5));
    const fetch = outbound({ connectionsPerOrigin: 3 });
    await Promise.all(Array.from({ length: 30 }, () => post(fetch, receiver.url)));
    expect(receiver.connections).toBe(3);
  });

  test('close when idle', async () => {
    // The receivers announce a keep-alive of three seconds; the client closes after one.
    const fetch = outbound();
    const waiting: ServerResponse[] = [];
    let opened = 0;
    const listener: RequestListener = (_request, response) => {
      if (waiting.push(response) < 10) return;
      opened = fetch.openSockets;
      for (const one of waiting) one.end();
    };
    const receivers = await Promise.all(Array.from({ length: 10 }, () => receive(listener)));
    await Promise.all(receivers.map(({ url }) => post(fetch, url)));
    expect(opened).toBe(10);
    await expectAllClosed(fetch);
  });
});

describe('failures are described in plain words', () => {
  test.each([
    ['SSH-2.0-OpenSSH_9.2p1\r\n', 'protocol', 'The answer is not HTTP/1.1.'],
    [
      `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n`,
      'protocol',
      'The headers of the answer are too large.',
    ],
    [
      'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      'protocol',
      'The answer is not HTTP/1.1.',
    ],
    [null, 'connection', 'The receiver closed the connection before it answered.'],
  ])('for a receiver that says %j, which is asked once', async (words, reason, message) => {
    const receiver = await receiveRaw((socket) => {
      socket.once('data', () => (words === null ? socket.destroy() : socket.write(words)));
    });
    const failure = { name: 'OutboundError', reason, message };
    await expect(post(outbound(), receiver.url)).rejects.toMatchObject(failure);
    expect(receiver.connections).toBe(1);
  });

  test('for a port without a listener', async () => {
    const failure = { reason: 'connection', message: 'The receiver refused the connection.' };
    await expect(post(outbound(), 'http://127.0.0.1:1/')).rejects.toMatchObject(failure);
  });

  test.each([
    ['ENOTFOUND', 'The host name has no address.'],
    ['ESERVFAIL', 'The host name could not be looked up.'],
  ])('a DNS lookup that ends with %s', async (code, message) => {
    const lookup = (): Promise<string[]> => Promise.reject(Object.assign(new Error('no'), { code }));
    await expect(post(outbound({ lookup }), 'http://receiver.example/')).rejects.toMatchObject({
      reason: 'dns',
      message,
    });
  });
});

describe('aborting and closing', () => {
  test('a signal aborts a request before and during its run', async () => {
    const receiver = await receive(() => {});
    const fetch = outbound();
    const controller = new AbortController();
    const ask = () => post(fetch, receiver.url, { signal: controller.signal });
    const running = Array.from({ length: 20 }, ask);
    setTimeout(() => controller.abort(), 50);
    const results = await Promise.allSettled(running);
    const aborted = { status: 'rejected', reason: { reason: 'aborted' } };
    expect(results).toMatchObject(results.map(() => aborted));
    await expect(ask()).rejects.toMatchObject({ reason: 'aborted' });
  });

  test('closing waits for running requests and accepts no new ones', async () => {
    const receiver = await receive((_request, response) => setTimeout(() => response.end('done'), 100));
    const fetch = outbound();
    const running = post(fetch, receiver.url);
    const closing = fetch.close();
    await expect(post(fetch, receiver.url)).rejects.toMatchObject({ reason: 'aborted' });
    await expect(running).resolves.toMatchObject({ text: 'done' });
    await closing;
    await expectAllClosed(fetch);
  });
});
