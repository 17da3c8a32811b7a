import { isIPv4, isIPv6 } from 'node:net';

/**
 * The address a request is counted under. With `trustedHops` reverse proxies in front, it is the entry of
 * `X-Forwarded-For` that the outermost of them wrote; entries further left can be made up by the caller. An IPv6
 * address counts as its /64, because one customer line has all of that.
 *
 * @example
 * clientAddress('10.0.0.2', '6.6.6.6, 203.0.113.9', 1); // '203.0.113.9'
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | null,
  trustedHops: number,
): string {
  const chain = (forwardedFor ?? '').split(',').map((entry) => entry.trim());
  const forwarded = trustedHops > 0 ? chain.at(-trustedHops) : undefined;
  return networkOf(forwarded !== undefined && forwarded !== '' ? forwarded : (peer ?? 'unknown'));
}

function networkOf(written: string): string {
  const address = written.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIPv4(address) || !isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
