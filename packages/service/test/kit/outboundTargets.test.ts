import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { SOON } from '#harness/eventually.js';
import { endsInTime } from '#kit/inTime.js';
import {
  expectAllClosed,
  makeCertificate,
  outbound,
  post,
  receive,
  receiveRaw,
  receiveSecurely,
} from './outbound/receivers.js';

const refusedName = {
  reason: 'refused_target',
  message: 'The host name resolves to an address that is not public.',
};
const certificate = makeCertificate();

describe('a forbidden target', () => {
  test('is not contacted by its address', async () => {
    const receiver = await receive((_request, response) => response.end());
    const fetch = outbound({ allowed: '' });
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:7f00:1]', 'localhost']) {
      const message = 'The URL points to an address that is not public.';
      const refusal = { reason: 'refused_target', message };
      await expect(post(fetch, `https://${host}:${receiver.port}/`)).rejects.toMatchObject(refusal);
    }
    await expect(post(fetch, receiver.url)).rejects.toMatchObject({ reason: 'refused_target' });
    expect(receiver.connections).toBe(0);
  });

  test.each([
    ['one address', ['127.0.0.1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a public address and another one', ['93.184.216.34', '127.0.0.1']],
    ['another one and a public address', ['::1', '2606:4700:4700::1111']],
    ['no address at all but a text', ['localhost']],
  ])('is not contacted by a name that has %s', async (_what, answers) => {
    const receiver = await receive((_request, response) => response.end());
    const fetch = outbound({ allowed: '', lookup: async () => answers });
    await expect(post(fetch, `https://receiver.example:${receiver.port}/`)).rejects.toMatchObject(
      refusedName,
    );
    expect(receiver.connections).toBe(0);
  });

  test('is checked for every connection with the address that is dialled', async () => {
    const receiver = await receive((_request, response) => response.setHeader('connection', 'close').end());
    const answers = [['127.0.0.1'], ['127.0.0.1', '127.0.0.2'], ['127.0.0.2'], ['127.0.0.1']];
    const fetch = outbound({ allowed: '127.0.0.1', lookup: async () => answers.shift() ?? [] });
    const url = `http://receiver.example:${receiver.port}/`;
    await expect(post(fetch, url)).resolves.toMatchObject({ status: 200 });
    await expect(post(fetch, url)).rejects.toMatchObject(refusedName);
    await expect(post(fetch, url)).rejects.toMatchObject(refusedName);
    await expect(post(fetch, url)).resolves.toMatchObject({ status: 200 });
    await expect(post(fetch, url)).rejects.toMatchObject({ reason: 'dns' });
    expect(receiver.connections).toBe(2);
  });

  test('gets no byte when the connection reaches another address than dialled', async () => {
    const receiver = await receiveRaw(() => {});
    // 0.0.0.0 is an alias of 127.0.0.1.
    const fetch = outbound({ allowed: '0.0.0.0' });
    await expect(post(fetch, `http://0.0.0.0:${receiver.port}/`)).rejects.toMatchObject(refusedName);
    expect(receiver.bytesRead()).toBe(0);
    await expectAllClosed(fetch);
  });

  test('is not reached by a redirect, which is returned as the answer', async () => {
    const hidden = await receive((_request, response) => response.end('secret'));
    const location = hidden.url.replace('127.0.0.1', '127.0.0.2');
    const receiver = await receive((_request, response) => {
      response.writeHead(307, { location }).end('go there');
    });
    await expect(post(outbound({ allowed: '127.0.0.1' }), receiver.url)).resolves.toMatchObject({
      status: 307,
      text: 'go there',
    });
    expect(hidden.connections).toBe(0);
  });

  test('plain http connects to opened networks only, for any host name', async () => {
    const fetch = outbound({ allowed: '127.0.0.1', lookup: async () => ['93.184.216.34'] });
    await expect(post(fetch, 'http://receiver.example/')).rejects.toMatchObject(refusedName);
    await expect(post(fetch, 'http://93.184.216.34/')).rejects.toMatchObject({ reason: 'refused_target' });
  });

  test('localhost resolves to this machine without a name server', async () => {
    const receiver = await receive((_request, response) => response.end());
    const fetch = outbound({ lookup: () => Promise.reject(new Error('asked')) });
    await expect(post(fetch, `http://localhost:${receiver.port}/`)).resolves.toMatchObject({ status: 200 });
    const other = outbound({ allowed: '10.0.0.0/8', lookup: async () => ['10.0.0.1'] });
    await expect(post(other, `http://localhost:${receiver.port}/`)).rejects.toMatchObject({
      reason: 'refused_target',
    });
    expect(receiver.connections).toBe(1);
  });
});

describe.skipIf(certificate === null)('over TLS', () => {
  const own = certificate ?? { key: Buffer.alloc(0), cert: Buffer.alloc(0) };
  const lookup = async (): Promise<string[]> => ['127.0.0.1'];

  test('the client sends the host name of the URL and checks the certificate for it', async () => {
    let host: string | undefined;
    const receiver = await receiveSecurely(own, (request, response) => {
      host = request.headers.host;
      response.end('safe');
    });
    const fetch = outbound({ lookup, ca: own.cert });
    const url = `https://receiver.example:${receiver.port}/hook`;
    await expect(post(fetch, url)).resolves.toMatchObject({ status: 200, text: 'safe' });
    await turn(); // then the connection can be used again
    await expect(post(fetch, url)).resolves.toMatchObject({ status: 200, text: 'safe' });
    await expect(post(fetch, receiver.url)).resolves.toMatchObject({ status: 200 });
    expect(host).toBe(`127.0.0.1:${receiver.port}`);
    expect(receiver.connections).toBe(2);
    await fetch.close();
    await expectAllClosed(fetch);
  });

  test('an untrusted certificate and one for another name are refused', async () => {
    const receiver = await receiveSecurely(own, (_request, response) => response.end());
    const url = `https://receiver.example:${receiver.port}/`;
    await expect(post(outbound({ lookup }), url)).rejects.toMatchObject({
      reason: 'tls',
      message: "The receiver's certificate is self-signed.",
    });
    const other = `https://other.example:${receiver.port}/`;
    await expect(post(outbound({ lookup, ca: own.cert }), other)).rejects.toMatchObject({
      reason: 'tls',
      message: "The receiver's certificate is for another host name.",
    });
  });

  test('a receiver without TLS is a TLS failure', async () => {
    const receiver = await receiveRaw((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const url = `https://receiver.example:${receiver.port}/`;
    await expect(post(outbound({ lookup }), url)).rejects.toMatchObject({ reason: 'tls' });
  });

  test('a handshake without an answer ends at the deadline', async () => {
    const receiver = await receiveRaw(() => {});
    const fetch = outbound({ lookup });
    const url = `https://receiver.example:${receiver.port}/`;
    const refused = expect(post(fetch, url, { timeoutMs: 200 })).rejects;
    expect(await endsInTime(refused.toMatchObject({ reason: 'timeout' }), 200 + SOON.timeout)).toBe(true);
    await fetch.close();
    await expectAllClosed(fetch);
  });
});
