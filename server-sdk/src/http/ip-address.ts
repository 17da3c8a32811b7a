import ipaddr from 'ipaddr.js';

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

// The longest spelling of an IPv6 address has 45 characters, followed by a zone.
const MAX_CHARACTERS = 64;

/**
 * Parses an IP address; null when the text is not one. An IPv4 address must have four decimal parts, because `127.1`
 * and `0x7f.1` are addresses for some parsers and names for others. IPv4 inside IPv6 (`::ffff:…`) is IPv4.
 */
function parseIpAddress(text: string): IpAddress | null {
  if (text.length > MAX_CHARACTERS) return null;
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : null;
}

// ipaddr.js treats IPv6 addresses that end in an IPv4 address without a prefix (`::10.0.0.1`) as ordinary ones.
const IPV4_COMPATIBLE: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('::'), 96];

// A public address, but every Azure machine reaches its own host there, which gives out certificates and settings.
const AZURE_HOST = '168.63.129.16';

/**
 * Whether an IP address belongs to the public internet: not this machine, no private, shared or link-local network, no
 * reserved range, and no IPv6 address that embeds an IPv4 address, whose network is unknown. False for other text.
 *
 * @example
 * isPublicAddress('169.254.169.254'); // false
 */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text);
  if (address === null || address.range() !== 'unicast' || address.toString() === AZURE_HOST) return false;
  return address.kind() === 'ipv4' || !address.match(IPV4_COMPATIBLE);
}

/** The range of a parsed URL's host if it is an address; null for a name. */
function rangeOfHost(hostname: string): string | null {
  return parseIpAddress(hostname.replace(/^\[(.*)\]$/, '$1'))?.range() ?? null;
}

/** Whether the host name of a parsed URL is a loopback address, or `localhost`. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || rangeOfHost(name) === 'loopback';
}

const PRIVATE_RANGES: ReadonlySet<string> = new Set([
  'unspecified',
  'private',
  'carrierGradeNat',
  'linkLocal',
  'uniqueLocal',
]);

/**
 * Whether a parsed URL's host is a loopback, private or link-local address, or a name for this machine. A name that
 * resolves to such an address passes, so check the address before you connect. Source: section 11.
 */
export function isPrivateHost(hostname: string): boolean {
  const range = rangeOfHost(hostname.replace(/\.$/, ''));
  return isLoopbackHost(hostname) || (range !== null && PRIVATE_RANGES.has(range));
}

/** Removes the brackets, the port, the zone and the quotes that proxies write around an address. */
function stripAddress(text: string): string {
  const trimmed = text.trim().replace(/^"|"$/g, '');
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1];
  const bare = bracketed ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  return bare.split('%', 1)[0] ?? '';
}

/**
 * Returns the part of an address that a visitor cannot easily change, as a key to count by: a whole IPv4 address, or
 * the /64 of an IPv6 address, because a single home has all addresses in it. Null when the text is not an address.
 *
 * @example
 * toAddressKey('2001:db8:1:2::9'); // '2001:db8:1:2::/64'
 */
export function toAddressKey(text: string): string | null {
  const address = parseIpAddress(stripAddress(text));
  if (address === null) return null;
  if ('octets' in address) return address.toString();
  const prefix = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(':')}::/64`;
}

/** The address without port and brackets, as written by proxies; null when the text is not an address. */
function readAddress(text: string): string | null {
  const address = stripAddress(text);
  return parseIpAddress(address) === null ? null : address;
}

/**
 * Finds the visitor's address. With `trustedProxyHops` n, it is the n-th `X-Forwarded-For` entry from the right, which
 * the outermost trusted proxy wrote; callers can forge the entries left of it. With 0 the header is not read. A header
 * with too few entries did not pass all proxies, so the connection's address is used. Null when no address is known.
 *
 * @example
 * findClientAddress('10.0.0.2', '6.6.6.6, 203.0.113.9', 1); // '203.0.113.9'
 */
export function findClientAddress(
  connectionAddress: string | undefined,
  forwardedFor: string | null,
  trustedProxyHops: number,
): string | null {
  if (trustedProxyHops > 0 && forwardedFor !== null) {
    const forwarded = forwardedFor.split(',').at(-trustedProxyHops);
    const address = forwarded === undefined ? null : readAddress(forwarded);
    if (address !== null) return address;
  }
  return connectionAddress === undefined ? null : readAddress(connectionAddress);
}
