const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True for the host names of this machine. */
const isLoopback = (hostname: string): boolean => LOOPBACK_HOSTS.has(hostname);

/**
 * Whether a hook may return this address to a visitor. Query strings are allowed, because they may contain a signature;
 * passwords are not.
 */
export const isForVisitors = ({ protocol, hostname, username, password }: URL): boolean =>
  username === '' &&
  password === '' &&
  (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)));

/**
 * Returns the problem of an address, `null` if valid: it needs the secure scheme (or the plain one on a loopback host),
 * and must not contain a user, query or fragment. With `isPlainAllowed`, the plain scheme is accepted on every host.
 * The address is not quoted, because it may contain a password. Source: H-3.
 */
export function findUrlProblem(
  text: string,
  secure: 'https:' | 'wss:',
  isPlainAllowed = false,
): string | null {
  const plain = secure === 'https:' ? 'http:' : 'ws:';
  if (!URL.canParse(text)) return 'is not a URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.search !== '' || url.hash !== '') return 'must not hold a query or fragment';
  if (url.protocol === secure) return null;
  if (url.protocol !== plain) return `must begin with ${secure}//`;
  if (isPlainAllowed || isLoopback(url.hostname)) return null;
  const exception =
    secure === 'https:'
      ? 'Connector tokens and keys would cross the network unencrypted. Where that network is private, such as between containers, set allowHttpUpstream (NATTER_ALLOW_HTTP_UPSTREAM=true)'
      : 'Browsers open this address. Where the relay does instead, over a private network, set allowHttpUpstream (NATTER_ALLOW_HTTP_UPSTREAM=true)';
  return `must begin with ${secure}// (${plain}// only for localhost, 127.0.0.1 and [::1]). ${exception}`;
}

/** True for an address without TLS on another machine, which browsers outside a private network cannot reach. */
export function isInsecureRemote(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' && !isLoopback(hostname);
}

/** The base URL without a trailing slash. */
export function trimBaseUrl(text: string): string {
  const url = new URL(text);
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;
}

/** Derives the socket's address from a messaging host: same host, `wss` for `https`, path `/ws`. Source: H-1. */
export function deriveWebsocketUrl(upstreamUrl: string): string {
  return `${trimBaseUrl(upstreamUrl).replace(/^http/, 'ws')}/ws`;
}
