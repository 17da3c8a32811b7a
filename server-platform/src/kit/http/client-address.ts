import { findClientAddress, toAddressKey } from '@natter/sdk';

/**
 * Returns the address that a request is counted under. With `trustedHops` reverse proxies in front, it is the
 * `X-Forwarded-For` entry that the outermost of them wrote. An IPv6 address is reduced to its /64.
 *
 * @example
 * clientAddress('10.0.0.2', '6.6.6.6, 203.0.113.9', 1); // '203.0.113.9'
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | null,
  trustedHops: number,
): string {
  const address = findClientAddress(peer, forwardedFor, trustedHops);
  return (address === null ? null : toAddressKey(address)) ?? 'unknown';
}
