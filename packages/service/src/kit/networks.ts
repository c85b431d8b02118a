import ipaddr from 'ipaddr.js';
import { type Address, isMapped, type Networks, parseAddress, parseNetworks } from './addressGuard.js';

/** "10.1.2.3/8" as "10.0.0.0/8", "192.0.2.7" as "192.0.2.7/32"; null for what is not one network or address. */
export function canonicalNetwork(text: string): string | null {
  try {
    const [network, ...more] = parseNetworks(text);
    return network && more.length === 0 ? networkText(...network) : null;
  } catch {
    return null;
  }
}

/** The same of many, each once; what is none is left out. */
export function canonicalNetworks(texts: readonly string[]): string[] {
  return [...new Set(texts.map(canonicalNetwork).filter((text) => text !== null))];
}

/** Whether one of the networks holds the address; an IPv4 address in IPv6 form counts as the IPv4 address. */
export function isWithin(address: string, networks: Networks): boolean {
  const parsed = plainAddress(address);
  return parsed !== null && networks.some((network) => covers(network, [parsed, bitsOf(parsed)]));
}

/** The networks of `wanted` that no network of `allowed` contains entirely. Both as texts, one network each. */
export function networksBeyond(allowed: readonly string[], wanted: readonly string[]): string[] {
  const outer = parseNetworks(allowed.join());
  return wanted.filter((text) => {
    const [inner] = parseNetworks(text);
    return !inner || !outer.some((network) => covers(network, inner));
  });
}

/** The network of 24 (IPv4) or 64 bits (IPv6) around an address, "203.0.113.0/24"; null for what is no address. */
export function coarseNetwork(address: string): string | null {
  const parsed = plainAddress(address);
  return parsed && networkText(parsed, parsed.kind() === 'ipv4' ? 24 : 64);
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
  const { [address.kind() === 'ipv4' ? 'IPv4' : 'IPv6']: family } = ipaddr;
  return `${family.networkAddressFromCIDR(cidr).toString()}/${bits}`;
}

function bitsOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}
