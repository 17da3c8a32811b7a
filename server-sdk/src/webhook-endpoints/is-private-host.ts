/**
 * Whether a host name of a parsed URL is a loopback, private or link-local address, or a name for this machine. A
 * name that resolves to such an address is not seen here: whoever connects checks that. Source: section 11.
 */
export function isPrivateHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (name.startsWith('[')) return isPrivateIpv6(name.slice(1, -1));
  const parts = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(name);
  return parts !== null && isPrivateIpv4(Number(parts[1]), Number(parts[2]));
}

function isPrivateIpv4(first: number, second: number): boolean {
  return (
    first === 0 ||
    first === 10 ||
    first === 127 ||
    (first === 100 && second >= 64 && second <= 127) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >= 16 && second <= 31) ||
    (first === 192 && second === 168)
  );
}

// URL parsers write addresses in their short form, an embedded IPv4 address as two groups of digits.
function isPrivateIpv6(address: string): boolean {
  if (address === '::' || address === '::1') return true;
  const mapped = /^::ffff:([0-9a-f]{1,4}):[0-9a-f]{1,4}$/.exec(address);
  if (mapped?.[1] !== undefined) {
    const high = Number.parseInt(mapped[1], 16);
    return isPrivateIpv4(high >> 8, high & 0xff);
  }
  // fc00::/7 is private, fe80::/10 link-local.
  return /^f[cd][0-9a-f]{2}:/.test(address) || /^fe[89ab][0-9a-f]:/.test(address);
}
