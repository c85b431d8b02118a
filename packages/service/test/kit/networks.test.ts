import { describe, expect, test } from 'vitest';
import {
  canonicalNetwork,
  coarseNetwork,
  isWithin,
  networkOf,
  networksBeyond,
  parseNetworks,
} from '#kit/addressGuard.js';

describe('networks', () => {
  test.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['192.0.2.7', '192.0.2.7/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::1/48', '2001:db8::/48'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
    ['::1', '::1/128'],
    ['10.0.0.0/33', null],
    ['10.0.0/8', null],
    ['10.0.0.0/8,11.0.0.0/8', null],
    ['', null],
    ['fe80::1%eth0', null],
    ['office', null],
  ])('%s is written as %s', (text, canonical) => {
    expect(canonicalNetwork(text)).toBe(canonical);
  });

  test.each([
    ['10.200.0.1', '10.0.0.0/8', true],
    ['::ffff:10.200.0.1', '10.0.0.0/8', true],
    ['::FFFF:0ac8:0001', '10.0.0.0/8', true],
    ['11.0.0.1', '10.0.0.0/8', false],
    ['2001:db8::1', '10.0.0.0/8,2001:db8::/32', true],
    ['2001:db9::1', '2001:db8::/32', false],
    ['::1', '0.0.0.0/0', false],
    ['', '0.0.0.0/0,::/0', false],
  ])('%s is within %s: %s', (address, networks, isIn) => {
    expect(isWithin(address, parseNetworks(networks))).toBe(isIn);
  });

  test('a network is outside others unless one of them contains it', () => {
    const own = ['10.0.0.0/8', '2001:db8::/32'];
    const wanted = ['10.1.0.0/16', '10.0.0.0/8', '0.0.0.0/0', '10.0.0.0/7', '2001:db8:1::/48', '::/0'];
    expect(networksBeyond(own, wanted)).toEqual(['0.0.0.0/0', '10.0.0.0/7', '::/0']);
    expect(networksBeyond([], ['10.0.0.0/8'])).toEqual(['10.0.0.0/8']);
  });

  test.each([
    ['203.0.113.77', '203.0.113.0/24', '203.0.113.77'],
    ['::ffff:203.0.113.77', '203.0.113.0/24', '203.0.113.77'],
    ['127.0.0.1', '127.0.0.0/24', '127.0.0.1'],
    ['::1', '::/64', '0:0:0:0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64', '2001:db8:1:2'],
    ['fe80::1%eth0', 'fe80::/64', 'fe80:0:0:0'],
    ['unknown', null, 'unknown'],
  ])('%s lies in %s, and is counted as %s', (address, coarse, counted) => {
    expect(coarseNetwork(address)).toBe(coarse);
    expect(networkOf(address)).toBe(counted);
  });
});
