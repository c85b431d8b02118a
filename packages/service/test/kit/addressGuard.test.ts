import { BlockList, isIPv6 } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { words } from '#harness/words.js';
import { isAllowedAddress, isOpenedAddress, parseNetworks, refusalOf } from '#kit/addressGuard.js';

const nothing = parseNetworks('');

/**
 * IANA's registries of special addresses; what of IPv6 is not assigned, or embeds an IPv4 address;
 * and the address at which every Azure machine answers itself.
 */
const special = words`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24
  203.0.113.0/24 224.0.0.0/3 168.63.129.16/32
  ::/3 2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 4000::/2 8000::/1`;
// In one list, an IPv4 address would also be looked up as one of IPv6.
const closed = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const network of special) {
  const [start = '', bits] = network.split('/');
  closed[kindOf(start)].addSubnet(start, Number(bits), kindOf(start));
}

function kindOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** The first and the last address of a network, and those before and after it. */
function edgesOf(network: string): string[] {
  const [start, bits] = ipaddr.parseCIDR(network);
  const bytes = start.toByteArray();
  const first = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  const size = 1n << BigInt(bytes.length * 8 - bits);
  return [first, first + size - 1n, first - 1n, first + size].flatMap((number) => {
    const hex = number.toString(16).padStart(bytes.length * 2, '0');
    if (number < 0n || hex.length > bytes.length * 2) return [];
    return [ipaddr.fromByteArray([...Buffer.from(hex, 'hex')]).toString()];
  });
}

function expectOpenUnlessSpecial(address: string): void {
  const isSpecial = closed[kindOf(address)].check(address, kindOf(address));
  expect([address, isAllowedAddress(address, nothing)]).toEqual([address, !isSpecial]);
  expect(isOpenedAddress(address, nothing)).toBe(false);
}

describe('an address without an exception', () => {
  test.each(special)('is refused within %s, and public beside it unless another one has it', (network) => {
    for (const address of edgesOf(network)) expectOpenUnlessSpecial(address);
  });

  test('is public exactly if no such network has it', () => {
    const global = fc.ipV6().map((address) => `2${address.slice(1)}`);
    const any = fc.oneof(fc.ipV4(), fc.ipV6(), global.filter(isIPv6));
    fc.assert(fc.property(any, expectOpenUnlessSpecial), { numRuns: 1000 });
  });

  test.each([
    '',
    ...words`localhost 127.1 0x7f.1 2130706433 010.0.0.1 [::1] fe80::1%eth0 ::1%lo 2606:4700:4700::1111%eth0
      ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:0:8.8.8.8 ::127.0.0.1 ::8.8.8.8 64:ff9b::8.8.8.8
      64:ff9b:1::1 2002:808:808::1 2001:0:4136:e378:8000:63bf:3fff:fdd2`,
  ])('is refused with a zone, an IPv4 address in it, or a form that no socket writes: %j', (address) => {
    expect(isAllowedAddress(address, nothing)).toBe(false);
    expect(isOpenedAddress(address, nothing)).toBe(false);
  });
});

describe('networks that the operator opened', () => {
  test.each([
    ['10.0.0.0/8', '10.200.3.4', true],
    ['10.0.0.0/8', '::ffff:10.200.3.4', true],
    ['10.0.0.0/8', '::ffff:ac8:304', true],
    ['::ffff:10.0.0.0/104', '10.200.3.4', true],
    ['127.0.0.1', '127.0.0.1', true],
    ['fd00::/8, 192.168.1.0/24', '192.168.1.77', true],
    ['fd00::/8, 192.168.1.0/24', 'fd12::1', true],
    ['::1', '::1', true],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['64:ff9b::/96', '64:ff9b::8.8.8.8', true],
    ['64:ff9b::/96,10.0.0.0/8', '64:ff9b::10.0.0.1', true],
    ['64:ff9b:1::/48', '64:ff9b:1:a00::1', true],
    ['2002::/16', '2002:808:808::1', true],
    ['168.63.129.16', '168.63.129.16', true],
    ['0.0.0.0/0', '127.0.0.1', true],
    ['11.0.0.0/8', '10.0.0.1', false],
    ['10.0.0.0/8', '127.0.0.1', false],
    ['10.0.0.0/8', '::10.0.0.1', false],
    ['10.0.0.0/8', '64:ff9b::10.0.0.1', false],
    ['10.0.0.0/8', '2002:a00:1::1', false],
    ['127.0.0.1', '127.0.0.2', false],
    ['127.0.0.0/8', '::1', false],
    ['fd00::/8', 'fc00::1', false],
    ['64:ff9b::/96', '64:ff9b::10.0.0.1', false],
    ['2002::/16', '2002:7f00:1::', false],
    ['2001::/32', '2001:0:4136:e378:8000:63bf:80ff:fffe', false],
    ['::/0', '::ffff:127.0.0.1', false],
    ['::/96', '::127.0.0.1', false],
  ])('%s opens %s: %s', (networks, address, isOpen) => {
    expect(isAllowedAddress(address, parseNetworks(networks))).toBe(isOpen);
  });

  test('plain http is allowed in opened networks only, not behind an opened gateway', () => {
    expect(isOpenedAddress('64:ff9b::8.8.8.8', parseNetworks('64:ff9b::/96'))).toBe(false);
    expect(isOpenedAddress('8.8.8.8', parseNetworks('10.0.0.0/8'))).toBe(false);
    expect(isOpenedAddress('10.0.0.1', parseNetworks('10.0.0.0/8'))).toBe(true);
  });

  test.each(
    words`10/8 10.0.0.0/33 10.0.0.0/ 10.0.0.0/-1 10.0.0.0/8/8 10.0.0.0/1e1 0x0a.0.0.0/8 fd00::/129
      fe80::%eth0/10 localhost 10.0.0.0/8;fd00::/8`,
  )('%s is refused as networks', (text) => {
    expect(() => parseNetworks(text)).toThrow(
      `must be networks or addresses such as 10.0.0.0/8,fd00::/8 ("${text}" is neither)`,
    );
  });

  test('an empty value opens nothing', () => {
    expect([...parseNetworks(''), ...parseNetworks(' , ')]).toEqual([]);
  });
});

const notPublic = 'The URL points to an address that is not public.';
const notHttps = 'The URL must begin with https://.';
const namesUser = 'The URL must not contain a user name or a password.';
const port0 = 'The URL has port 0, on which no server can listen.';

describe('the check of a URL without a lookup', () => {
  test.each(
    words`https://example.com/hooks https://example.com:8443/hooks?to=us#part https://hooks.example.co.uk
      https://bücher.example/ https://93.184.216.34/ https://[2606:4700:4700::1111]:444/x https://1.example.com/
      https://localhost.example.com/ https://internal.example.com/`,
  )('%s may be a target', (url) => {
    expect(refusalOf(url, nothing)).toBeNull();
    expect(refusalOf(new URL(url), nothing)).toBeNull();
  });

  test.each(
    words`127.0.0.1 127.0.0.1:8443 2130706433 017700000001 0x7f000001 0x7f.1 127.1 127.0.1 0177.0.0.01 127.0.0.1.
      %31%32%37.0.0.1 127。0。0。1 １２７.０.０.１ ①②⑦.⓪.⓪.① 0 0.0.0.0 169.254.169.254 2852039166 10.0.0.1
      [::1] [::] [::ffff:7f00:1] [::ffff:127.0.0.1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] [fd00:ec2::254]
      localhost LOCALHOST ｌｏｃａｌｈｏｓｔ app.localhost localhost.localdomain ip6-localhost ip6-loopback`,
  )('the host %s is not public', (host) => {
    expect(refusalOf(`https://${host}/`, nothing)).toBe(notPublic);
    expect(refusalOf(`https:\\\\${host}\\`, nothing)).toBe(notPublic);
  });

  test.each<readonly [url: string, refusal: string]>([
    ...words`http://example.com/ http://127.0.0.1/ ftp://example.com/ file:///etc/passwd data:text/plain,x
      javascript:alert(1) gopher://127.0.0.1:6379/`.map((url) => [url, notHttps] as const),
    ...['nonsense', 'https://', 'https://exa mple.com', 'https://1.2.3.4.5/', 'https://256.0.0.1/']
      .concat('https://[::1%25eth0]/')
      .map((url) => [url, 'The URL cannot be read.'] as const),
    ['https://user@example.com/', namesUser],
    ['https://:secret@example.com/', namesUser],
    ['https://example.com:0/', port0],
    ...words`localhost. intranet. example.com.`.map(
      (host) => [`https://${host}/`, 'The host name must not end with a dot.'] as const,
    ),
    ...words`intranet postgres:5432 metadata.google.internal printer.local nas.home.arpa`.map(
      (host) => [`https://${host}/`, 'The host name exists only in private networks.'] as const,
    ),
  ])('%s may not: %s', (url, refusal) => {
    expect(refusalOf(url, nothing)).toBe(refusal);
  });

  test.each<readonly [url: string, refusal: string | null]>([
    ...words`http://10.1.2.3:8080/hook https://10.1.2.3/hook http://127.0.0.1:3000/ http://2130706433:3000/
      http://localhost:3000/ http://[::ffff:10.0.0.1]/ http://intranet/ http://receiver.internal/
      http://example.com/ https://example.com/`.map((url) => [url, null] as const),
    ['http://93.184.216.34/', notHttps],
    ['http://192.168.0.1/', notPublic],
    ['https://127.0.0.2/', notPublic],
    ['https://[::1]/', notPublic],
    ['ftp://10.0.0.1/', notHttps],
    ['http://user@10.0.0.1/', namesUser],
    ['http://10.0.0.1:0/', port0],
  ])('with networks opened, of %s: %s', (url, refusal) => {
    expect(refusalOf(url, parseNetworks('10.0.0.0/8,127.0.0.1'))).toBe(refusal);
  });

  test('localhost stays closed when other networks are open', () => {
    expect(refusalOf('http://localhost/', parseNetworks('10.0.0.0/8'))).toBe(notPublic);
    expect(refusalOf('http://localhost/', parseNetworks('::1'))).toBeNull();
  });
});
