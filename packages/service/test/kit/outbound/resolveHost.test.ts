import { createSocket, type Socket } from 'node:dgram';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHostResolver } from '#kit/outbound/guardedConnector.js';

/**
 * A name server with three names: two.example has both kinds of address, four.example one,
 * silent.example never answers.
 */
let server: Socket;
let servers: string[];

beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const answer = answerTo(query);
    if (answer !== null) server.send(answer, port, address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  servers = [`127.0.0.1:${server.address().port}`];
});

afterAll(() => new Promise<void>((resolve) => server.close(resolve)));

describe('looking up a host name', () => {
  test('returns every IPv4 and IPv6 address', async () => {
    const resolve = createHostResolver({ knowsPrivateNames: false, servers });
    await expect(resolve('two.example')).resolves.toEqual(['192.0.2.1', '2001:db8::1']);
    await expect(resolve('four.example')).resolves.toEqual(['192.0.2.1']);
  });

  test('an unknown name is an error that says so', async () => {
    const resolve = createHostResolver({ knowsPrivateNames: false, servers });
    await expect(resolve('none.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolve('localhost')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('names of the hosts file resolve only if private networks are open', async () => {
    const resolve = createHostResolver({ knowsPrivateNames: true, servers });
    const addresses = await resolve('localhost');
    expect(addresses.every((address) => ['127.0.0.1', '::1'].includes(address))).toBe(true);
    expect(addresses.length).toBeGreaterThan(0);
  });

  test('names with silent servers do not delay others', async () => {
    const resolve = createHostResolver({ knowsPrivateNames: false, servers });
    let givenUp = 0;
    for (let asked = 0; asked < 20; asked += 1) {
      resolve('silent.example').catch(() => {
        givenUp += 1;
      });
    }
    await resolve('four.example');
    expect(givenUp).toBe(0);
  });
});

function answerTo(query: Buffer): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const question = query.subarray(12, at + 5);
  const type = query.readUInt16BE(at + 1);
  const name = labels.join('.').toLowerCase();
  if (name === 'silent.example') return null;
  const isKnown = name === 'two.example' || name === 'four.example';
  const address = type === 1 ? [192, 0, 2, 1] : [0x20, 0x01, 0x0d, 0xb8, ...Array(11).fill(0), 1];
  const hasAddress = isKnown && (type === 1 || name === 'two.example');
  const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 9, 0, address.length, ...address]);
  const header = Buffer.from([0, 0, 0x81, isKnown ? 0x80 : 0x83, 0, 1, 0, hasAddress ? 1 : 0, 0, 0, 0, 0]);
  query.copy(header, 0, 0, 2);
  return Buffer.concat(hasAddress ? [header, question, record] : [header, question]);
}
