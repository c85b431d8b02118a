import { describe, expect, test } from 'vitest';
import { isAllowedAddress, isOpenedAddress, parseNetworks, refusalOf } from '#kit/addressGuard.js';

const nothing = parseNetworks('');

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '203.0.112.255',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2001:200::1',
  '2400:cb00::1',
];

const refusedAddresses = {
  'this network': ['0.0.0.0', '0.0.0.1', '0.255.255.255', '::'],
  loopback: ['127.0.0.1', '127.1.2.3', '127.255.255.255', '::1'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'link-local, clouds tell their secrets there': ['169.254.0.1', '169.254.169.254', 'fe80::1', 'febf::1'],
  'with a zone': ['fe80::1%eth0', 'fe80::1%1', '2606:4700:4700::1111%eth0', '::1%lo'],
  'shared by carriers': ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  'kept for protocols': ['192.0.0.1', '192.0.0.170', '192.0.0.192', '192.88.99.1', '2001:1::1', '2001:3::1'],
  documentation: ['192.0.2.1', '198.51.100.7', '203.0.113.255', '2001:db8::1', '3fff::1', '3fff:fff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff00::1', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.1', '254.255.255.255', '255.255.255.255'],
  'unique local': ['fc00::1', 'fd00:ec2::254', 'fd20:ce::254', 'fdff::1'],
  'site-local of old': ['fec0::1', 'feff::1'],
  mapped: [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:8.8.8.8',
  ],
  'IPv4-compatible': ['::127.0.0.1', '::7f00:1', '::10.0.0.1', '::8.8.8.8', '0:0:0:0:0:0:127.0.0.1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '64:ff9b:1:ffff::1'],
  translated: ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  'ORCHID and drones': ['2001:10::1', '2001:20::1', '2001:2f:ffff::1', '2001:30::1'],
  'discard, segment routing, unassigned': [
    '100::1',
    '100::ffff:ffff:ffff:ffff',
    '5f00::1',
    '4000::1',
    'e000::1',
  ],
  'name servers that answer for private ranges, relays': ['192.175.48.1', '192.31.196.1', '192.52.193.1'],
  'public by number, yet inside the cloud': ['168.63.129.16'],
  'no address as a socket writes it': [
    '',
    'localhost',
    '127.1',
    '0x7f.1',
    '2130706433',
    '010.0.0.1',
    '[::1]',
  ],
};

describe('an address without an exception', () => {
  test.each(publicAddresses)('%s is public', (address) => {
    expect(isAllowedAddress(address, nothing)).toBe(true);
    expect(isOpenedAddress(address, nothing)).toBe(false);
  });

  describe.each(Object.entries(refusedAddresses))('%s', (_kind, addresses) => {
    test.each(addresses)('%s is refused', (address) => {
      expect(isAllowedAddress(address, nothing)).toBe(false);
      expect(isOpenedAddress(address, nothing)).toBe(false);
    });
  });
});

describe('networks that the operator opened', () => {
  const opened: [networks: string, address: string][] = [
    ['10.0.0.0/8', '10.200.3.4'],
    ['10.0.0.0/8', '::ffff:10.200.3.4'],
    ['10.0.0.0/8', '::ffff:ac8:304'],
    ['::ffff:10.0.0.0/104', '10.200.3.4'],
    ['127.0.0.1', '127.0.0.1'],
    ['fd00::/8, 192.168.1.0/24', '192.168.1.77'],
    ['fd00::/8, 192.168.1.0/24', 'fd12::1'],
    ['::1', '::1'],
    ['fe80::/10', 'fe80::1%eth0'],
    ['64:ff9b::/96', '64:ff9b::8.8.8.8'],
    ['64:ff9b::/96,10.0.0.0/8', '64:ff9b::10.0.0.1'],
    ['64:ff9b:1::/48', '64:ff9b:1:a00::1'],
    ['2002::/16', '2002:808:808::1'],
    ['168.63.129.16', '168.63.129.16'],
    ['0.0.0.0/0', '127.0.0.1'],
  ];
  test.each(opened)('%s opens %s', (networks, address) => {
    expect(isAllowedAddress(address, parseNetworks(networks))).toBe(true);
  });

  const shut: [networks: string, address: string][] = [
    ['11.0.0.0/8', '10.0.0.1'],
    ['10.0.0.0/8', '127.0.0.1'],
    ['10.0.0.0/8', '::10.0.0.1'],
    ['10.0.0.0/8', '64:ff9b::10.0.0.1'],
    ['10.0.0.0/8', '2002:a00:1::1'],
    ['127.0.0.1', '127.0.0.2'],
    ['127.0.0.0/8', '::1'],
    ['fd00::/8', 'fc00::1'],
    ['64:ff9b::/96', '64:ff9b::10.0.0.1'],
    ['2002::/16', '2002:7f00:1::'],
    ['2001::/32', '2001:0:4136:e378:8000:63bf:80ff:fffe'],
    ['::/0', '::ffff:127.0.0.1'],
    ['::/96', '::127.0.0.1'],
  ];
  test.each(shut)('%s does not open %s', (networks, address) => {
    expect(isAllowedAddress(address, parseNetworks(networks))).toBe(false);
  });

  test('plain http is allowed in opened networks only, not behind an opened gateway', () => {
    expect(isOpenedAddress('64:ff9b::8.8.8.8', parseNetworks('64:ff9b::/96'))).toBe(false);
    expect(isOpenedAddress('8.8.8.8', parseNetworks('10.0.0.0/8'))).toBe(false);
    expect(isOpenedAddress('10.0.0.1', parseNetworks('10.0.0.0/8'))).toBe(true);
  });

  test.each([
    '10/8',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/1e1',
    '0x0a.0.0.0/8',
    'fd00::/129',
    'fe80::%eth0/10',
    'localhost',
    '10.0.0.0/8;fd00::/8',
  ])('%s is refused as networks', (text) => {
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
const privateName = 'The host name exists only in private networks.';

describe('the check of a URL without a lookup', () => {
  test.each([
    'https://example.com/hooks',
    'https://example.com:8443/hooks?to=us#part',
    'https://hooks.example.co.uk',
    'https://bücher.example/',
    'https://93.184.216.34/',
    'https://[2606:4700:4700::1111]:444/x',
    'https://localhost.example.com/',
    'https://internal.example.com/',
    'https://1.example.com/',
  ])('%s may be a target', (url) => {
    expect(refusalOf(url, nothing)).toBeNull();
    expect(refusalOf(new URL(url), nothing)).toBeNull();
  });

  const refused: [url: string, refusal: string][] = [
    ['http://example.com/', notHttps],
    ['http://127.0.0.1/', notHttps],
    ['ftp://example.com/', notHttps],
    ['file:///etc/passwd', notHttps],
    ['data:text/plain,x', notHttps],
    ['javascript:alert(1)', notHttps],
    ['gopher://127.0.0.1:6379/', notHttps],
    ['nonsense', 'The URL cannot be read.'],
    ['https://', 'The URL cannot be read.'],
    ['https://exa mple.com', 'The URL cannot be read.'],
    ['https://1.2.3.4.5/', 'The URL cannot be read.'],
    ['https://256.0.0.1/', 'The URL cannot be read.'],
    ['https://[::1%25eth0]/', 'The URL cannot be read.'],
    ['https://user@example.com/', 'The URL must not contain a user name or a password.'],
    ['https://:secret@example.com/', 'The URL must not contain a user name or a password.'],
    ['https://example.com:0/', 'The URL has port 0, on which no server can listen.'],
    ['https://127.0.0.1/', notPublic],
    ['https://127.0.0.1:8443/', notPublic],
    ['https://2130706433/', notPublic],
    ['https://017700000001/', notPublic],
    ['https://0x7f000001/', notPublic],
    ['https://0x7f.1/', notPublic],
    ['https://127.1/', notPublic],
    ['https://127.0.1/', notPublic],
    ['https://0177.0.0.01/', notPublic],
    ['https://127.0.0.1./', notPublic],
    ['https://%31%32%37.0.0.1/', notPublic],
    ['https://127。0。0。1/', notPublic],
    ['https://１２７.０.０.１/', notPublic],
    ['https://①②⑦.⓪.⓪.①/', notPublic],
    ['https:\\\\127.0.0.1\\', notPublic],
    ['https://0/', notPublic],
    ['https://0.0.0.0/', notPublic],
    ['https://169.254.169.254/latest/meta-data/', notPublic],
    ['https://2852039166/', notPublic],
    ['https://10.0.0.1/', notPublic],
    ['https://[::1]/', notPublic],
    ['https://[::]/', notPublic],
    ['https://[::ffff:7f00:1]/', notPublic],
    ['https://[::ffff:127.0.0.1]/', notPublic],
    ['https://[::127.0.0.1]/', notPublic],
    ['https://[64:ff9b::7f00:1]/', notPublic],
    ['https://[2002:7f00:1::]/', notPublic],
    ['https://[fd00:ec2::254]/', notPublic],
    ['https://localhost/', notPublic],
    ['https://LOCALHOST/', notPublic],
    ['https://ｌｏｃａｌｈｏｓｔ/', notPublic],
    ['https://app.localhost/', notPublic],
    ['https://localhost.localdomain/', notPublic],
    ['https://ip6-localhost/', notPublic],
    ['https://ip6-loopback/', notPublic],
    ['https://localhost./', 'The host name must not end with a dot.'],
    ['https://intranet./', 'The host name must not end with a dot.'],
    ['https://example.com./', 'The host name must not end with a dot.'],
    ['https://intranet/', privateName],
    ['https://postgres:5432/', privateName],
    ['https://metadata.google.internal/', privateName],
    ['https://printer.local/', privateName],
    ['https://nas.home.arpa/', privateName],
  ];
  test.each(refused)('%s may not: %s', (url, refusal) => {
    expect(refusalOf(url, nothing)).toBe(refusal);
  });

  const allowed = parseNetworks('10.0.0.0/8,127.0.0.1');
  const withNetworks: [url: string, refusal: string | null][] = [
    ['http://10.1.2.3:8080/hook', null],
    ['https://10.1.2.3/hook', null],
    ['http://127.0.0.1:3000/', null],
    ['http://2130706433:3000/', null],
    ['http://localhost:3000/', null],
    ['http://[::ffff:10.0.0.1]/', null],
    ['http://intranet/', null],
    ['http://receiver.internal/', null],
    ['http://example.com/', null],
    ['https://example.com/', null],
    ['http://93.184.216.34/', notHttps],
    ['http://192.168.0.1/', notPublic],
    ['https://127.0.0.2/', notPublic],
    ['https://[::1]/', notPublic],
    ['ftp://10.0.0.1/', notHttps],
    ['http://user@10.0.0.1/', 'The URL must not contain a user name or a password.'],
    ['http://10.0.0.1:0/', 'The URL has port 0, on which no server can listen.'],
  ];
  test.each(withNetworks)('with networks opened, of %s: %s', (url, refusal) => {
    expect(refusalOf(url, allowed)).toBe(refusal);
  });

  test('localhost stays closed when other networks are open', () => {
    expect(refusalOf('http://localhost/', parseNetworks('10.0.0.0/8'))).toBe(notPublic);
    expect(refusalOf('http://localhost/', parseNetworks('::1'))).toBeNull();
  });
});
