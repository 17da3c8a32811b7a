import { isIPv6 } from 'node:net';

/** The error text for an address that {@link readListenHost} rejects. */
export const LISTEN_HOST_HELP = 'must be an address or a name without a port, such as 0.0.0.0 or ::1';

/** Reads an address to listen on; IPv6 may be in brackets, as in URLs. Null: invalid. */
export function readListenHost(text: string): string | null {
  const host = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  if (isIPv6(host)) return host;
  return host !== text || /[:/\s]/.test(host) ? null : host;
}
