const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

function isIpv4(text: string): boolean {
  const parts = IPV4.exec(text)?.slice(1);
  return parts?.every((part) => Number(part) <= 255) ?? false;
}

/** The eight groups of an IPv6 address, null when it is none. The URL parser does the reading: it knows every spelling. */
function readIpv6(text: string): readonly number[] | null {
  if (!text.includes(':') || !/^[0-9A-Fa-f:.]+$/.test(text) || !URL.canParse(`http://[${text}]/`))
    return null;
  const host = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const [head = '', tail] = host.split('::');
  const groupsOf = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const start = groupsOf(head);
  const end = tail === undefined ? [] : groupsOf(tail);
  return [...start, ...new Array<number>(8 - start.length - end.length).fill(0), ...end];
}

/** Removes what proxies write around an address: brackets, a port, a zone. */
function strip(text: string): string {
  const trimmed = text.trim().replace(/^"|"$/g, '');
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1];
  if (bracketed !== undefined) return bracketed.split('%', 1)[0] ?? '';
  const withPort = /^(\d{1,3}(?:\.\d{1,3}){3}):\d+$/.exec(trimmed)?.[1];
  return withPort ?? trimmed.split('%', 1)[0] ?? '';
}

/**
 * The part of an address that one visitor cannot change at will, as a key to count by: an IPv4 address whole, an IPv6 address
 * by its /64, since a single home has all of the rest. IPv4 inside IPv6 counts as IPv4. Null when it is no address.
 */
export function toAddressKey(address: string): string | null {
  const text = strip(address);
  if (isIpv4(text)) return text.split('.').map(Number).join('.');
  const groups = readIpv6(text);
  if (groups === null) return null;
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  const prefix = groups.slice(0, 4).map((group) => group.toString(16));
  return `${prefix.join(':')}::/64`;
}

/** The address alone, without what proxies write around it; null when it is none. */
function readAddress(text: string): string | null {
  const address = strip(text);
  return toAddressKey(address) === null ? null : address;
}

/**
 * The visitor's address. With `trustedProxyHops` n, the n-th `X-Forwarded-For` entry from the right is what the outermost
 * proxy of ours saw; everything left of it can be invented by the caller. With 0 the header is not read at all.
 * A header with too few entries did not come through all our proxies, so the connection's own address counts.
 * Null when nothing usable is known.
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
