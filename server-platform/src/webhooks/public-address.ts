import { BlockList, isIPv6 } from 'node:net';

// What is not the public internet: this machine, private and shared networks, link-local addresses (among them the
// metadata services of clouds), documentation, benchmarks, multicast and reserved ranges. IANA's special-purpose
// registries.
const V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
// The last four contain an IPv4 address, which would need a check of its own; no receiver of webhooks uses them.
const V6: readonly (readonly [string, number])[] = [
  ['::', 96],
  ['100::', 64],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 23],
  ['2002::', 16],
];

const special = new BlockList();
for (const [network, prefix] of V4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of V6) special.addSubnet(network, prefix, 'ipv6');

/** Whether an IP address, as a resolver gives it, is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  // A BlockList compares an IPv4 address written as IPv6 (::ffff:10.0.0.1) with the IPv4 ranges by itself.
  return !special.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
