import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Address, isMapped, type Networks, parseAddress, parseNetworks } from './addressGuard.js';

/**
 * "10.1.2.3/8" becomes "10.0.0.0/8", "192.0.2.7" becomes "192.0.2.7/32". Null if the text is not
 * exactly one network or address.
 */
export function canonicalNetwork(text: string): string | null {
  try {
    const [network, ...more] = parseNetworks(text);
    return network && more.length === 0 ? networkText(...network) : null;
  } catch {
    return null;
  }
}

/** Each network once, in canonical form. Invalid texts are left out. */
export function canonicalNetworks(texts: readonly string[]): string[] {
  return [...new Set(texts.map(canonicalNetwork).filter((text) => text !== null))];
}

/**
 * Whether one of the networks contains the address. An IPv4-mapped IPv6 address counts as its IPv4
 * address.
 */
export function isWithin(address: string, networks: Networks): boolean {
  const parsed = plainAddress(address);
  return parsed !== null && networks.some((network) => covers(network, [parsed, bitsOf(parsed)]));
}

/** The networks of `wanted` that no network of `allowed` contains entirely. Each text is one network. */
export function networksBeyond(allowed: readonly string[], wanted: readonly string[]): string[] {
  const outer = parseNetworks(allowed.join());
  return wanted.filter((text) => {
    const [inner] = parseNetworks(text);
    return !inner || !outer.some((network) => covers(network, inner));
  });
}

/**
 * The /24 (IPv4) or /64 (IPv6) network of an address, "203.0.113.0/24"; null if the text is not an
 * address.
 */
export function coarseNetwork(address: string): string | null {
  const parsed = plainAddress(address);
  return parsed && networkText(parsed, parsed.kind() === 'ipv4' ? 24 : 64);
}

/**
 * The address, or the /64 network of an IPv6 address: its owner could use a new address of it for
 * each request.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

function covers([network, bits]: Networks[number], [inner, innerBits]: Networks[number]): boolean {
  return network.kind() === inner.kind() && bits <= innerBits && inner.match(network, bits);
}

function plainAddress(text: string): Address | null {
  const address = parseAddress(text);
  return address && isMapped(address) ? address.toIPv4Address() : address;
}

function networkText(address: Address, bits: number): string {
  const cidr = `${address.toString().split('%')[0]}/${bits}`;
  const family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${family.networkAddressFromCIDR(cidr).toString()}/${bits}`;
}

function bitsOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}
