import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parsedUrl } from '#domain/parsedUrl.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Networks that the operator opened although they are not public: an address and its prefix length. */
export type Networks = readonly (readonly [Address, number])[];

/**
 * Parses networks and single addresses, separated by commas: "10.0.0.0/8, fd00::/8, 192.0.2.7". A
 * blank text gives none. Throws an Error whose message continues the name of the setting.
 */
export function parseNetworks(text: string): Networks {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseNetwork);
}

/** Whether requests may go to this address: it is public, or the operator opened it. */
export function isAllowedAddress(address: string, allowed: Networks): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && (isPublic(parsed) || isOpened(parsed, allowed, isPublic));
}

export function isOpenedAddress(address: string, allowed: Networks): boolean {
  const parsed = parseAddress(address);
  return parsed !== null && isOpened(parsed, allowed, () => false);
}

/** Null: it is not. Without a DNS query: addresses are checked when a connection is made. */
export function refusalOf(url: URL | string, allowed: Networks): string | null {
  const parsed = typeof url === 'string' ? parsedUrl(url) : url;
  if (!parsed) return 'The URL cannot be read.';
  return refusalOfForm(parsed, allowed) ?? refusalOfHost(parsed, allowed);
}

/** Whether the host of the URL is refused by itself, whatever the scheme: it is this machine or private. */
export function isPrivateTarget(url: string, allowed: Networks): boolean {
  const parsed = parsedUrl(url);
  return (
    parsed !== null && refusalOfHost({ hostname: parsed.hostname, protocol: 'https:' }, allowed) !== null
  );
}

export function loopbackBehind(hostname: string): readonly string[] | null {
  return LOOPBACK_NAME.test(hostname) ? LOOPBACK : null;
}

export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

const LOOPBACK = ['127.0.0.1', '::1'];
const LOOPBACK_NAME =
  /^(?:(?:.+\.)?localhost6?|(?:.+\.)?localhost6?\.localdomain6?|ip6-localhost|ip6-loopback)$/;
/** RFC 6762, RFC 8375, and .internal, which ICANN reserves for private use. */
const PRIVATE_NAME = /\.(?:local|localdomain|internal|home\.arpa)$/;

/** ipaddr.js also calls ::7f00:1 and 4000:: unicast. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16');
const TEREDO = ipaddr.IPv6.parseCIDR('2001::/32');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const TRANSLATED = ipaddr.IPv6.parseCIDR('::ffff:0:0:0/96');
const COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');
/** In a public range, but inside every Azure machine the agent of the platform answers it. */
const CLOUD_AGENTS = new Set(['168.63.129.16']);

function refusalOfForm(url: URL, allowed: Networks): string | null {
  const isPlain = url.protocol === 'http:' && allowed.length > 0;
  if (url.protocol !== 'https:' && !isPlain) return 'The URL must begin with https://.';
  if (url.username !== '' || url.password !== '')
    return 'The URL must not contain a user name or a password.';
  if (url.hostname.endsWith('.')) return 'The host name must not end with a dot.';
  if (url.port === '0') return 'The URL has port 0, on which no server can listen.';
  return null;
}

function refusalOfHost(
  { hostname, protocol }: Pick<URL, 'hostname' | 'protocol'>,
  allowed: Networks,
): string | null {
  const host = bareHost(hostname);
  if (host === '') return 'The URL has no host.';
  const known = isIP(host) === 0 ? loopbackBehind(host) : [host];
  if (known !== null) return refusalOfAddresses(known, protocol, allowed);
  if (allowed.length > 0 || (host.includes('.') && !PRIVATE_NAME.test(host))) return null;
  return 'The host name exists only in private networks.';
}

function refusalOfAddresses(known: readonly string[], protocol: string, allowed: Networks): string | null {
  if (!known.some((address) => isAllowedAddress(address, allowed))) {
    return 'The URL points to an address that is not public.';
  }
  const isPlain = protocol === 'http:' && !known.some((address) => isOpenedAddress(address, allowed));
  return isPlain ? 'The URL must begin with https://.' : null;
}

/** Follows IANA's registries of special addresses. An address that embeds an IPv4 address is never public. */
function isPublic(address: Address): boolean {
  if (address instanceof ipaddr.IPv4) {
    return address.range() === 'unicast' && !CLOUD_AGENTS.has(address.toString());
  }
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast' && address.zoneId === undefined;
}

/**
 * Whether an opened network contains the address. Opening a gateway into IPv4 (NAT64, 6to4) does not open the
 * addresses behind it: `isFine` must accept the embedded address, or the operator must have opened it too. A
 * mapped address (::ffff:10.0.0.1) counts as its IPv4 address, as it does for sockets.
 */
function isOpened(address: Address, allowed: Networks, isFine: (address: Address) => boolean): boolean {
  if (isMapped(address)) return isOpened(address.toIPv4Address(), allowed, isFine);
  const isNamed = allowed.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  );
  if (!isNamed) return false;
  const inner = embeddedIPv4(address);
  return inner === null || isFine(inner) || isOpened(inner, allowed, isFine);
}

/**
 * The IPv4 address to which a gateway forwards packets for this address. Only the owner of
 * 64:ff9b:1::/48 knows its layout, so opening it opens everything behind it.
 */
function embeddedIPv4(address: Address): ipaddr.IPv4 | null {
  if (address instanceof ipaddr.IPv4) return null;
  const bytes = address.toByteArray();
  if (address.match(SIX_TO_FOUR)) return new ipaddr.IPv4(bytes.slice(2, 6));
  if (address.match(TEREDO)) return new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff));
  const isLast = [NAT64, TRANSLATED, COMPATIBLE].some((network) => address.match(network));
  return isLast && !LOOPBACK.includes(address.toString()) ? new ipaddr.IPv4(bytes.slice(12)) : null;
}

export function isMapped(address: Address): address is ipaddr.IPv6 {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
}

export function parseAddress(text: string): Address | null {
  const version = isIP(text);
  if (version === 0) return null;
  if (version === 4) return ipaddr.IPv4.parse(text);
  const [address = '', zone] = text.split('%');
  // Through the URL parser, since ipaddr.js takes ::127.0.0.1 (IPv4-compatible) for
  // ::ffff:127.0.0.1 (mapped).
  const parsed = ipaddr.IPv6.parse(bareHost(new URL(`http://[${address}]`).hostname));
  if (zone !== undefined) parsed.zoneId = zone;
  return parsed;
}

function parseNetwork(text: string): readonly [Address, number] {
  const [start = '', bits, ...rest] = text.split('/');
  const address = start.includes('%') ? null : parseAddress(start);
  const maxBits = address?.kind() === 'ipv4' ? 32 : 128;
  const length = bits === undefined ? maxBits : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (address === null || rest.length > 0 || !(length <= maxBits)) {
    throw new Error(`must be networks or addresses such as 10.0.0.0/8,fd00::/8 ("${text}" is neither)`);
  }
  return isMapped(address) && length >= 96 ? [address.toIPv4Address(), length - 96] : [address, length];
}

/** "10.1.2.3/8" becomes "10.0.0.0/8", "192.0.2.7" becomes "192.0.2.7/32". Null: not exactly one network. */
export function canonicalNetwork(text: string): string | null {
  try {
    const [network, ...more] = parseNetworks(text);
    return network && more.length === 0 ? networkText(...network) : null;
  } catch {
    return null;
  }
}

export function canonicalNetworks(texts: readonly string[]): string[] {
  return [...new Set(texts.map(canonicalNetwork).filter((text) => text !== null))];
}

/** An IPv4-mapped IPv6 address counts as its IPv4 address. */
export function isWithin(address: string, networks: Networks): boolean {
  const parsed = plainAddress(address);
  return (
    parsed !== null &&
    networks.some((network) => covers(network, [parsed, parsed.kind() === 'ipv4' ? 32 : 128]))
  );
}

/** The networks of `wanted` that no network of `allowed` contains entirely. Each text is one network. */
export function networksBeyond(allowed: readonly string[], wanted: readonly string[]): string[] {
  const outer = parseNetworks(allowed.join());
  return wanted.filter((text) => {
    const [inner] = parseNetworks(text);
    return !inner || !outer.some((network) => covers(network, inner));
  });
}

/** The /24 (IPv4) or /64 (IPv6) network of an address, "203.0.113.0/24". Null: no address. */
export function coarseNetwork(address: string): string | null {
  const parsed = plainAddress(address);
  return parsed && networkText(parsed, parsed.kind() === 'ipv4' ? 24 : 64);
}

/** The owner of a /64 could use a new address of it for each request. */
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
