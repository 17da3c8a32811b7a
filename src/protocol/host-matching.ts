// The contract names the URL parser as the algorithm (HOST-4). Declared here, because this layer has no host types.
declare const URL: new (
  text: string,
) => { readonly protocol: string; readonly hostname: string; readonly port: string };

/** A host a connector is registered for. Source: HOST-1. */
export interface RegisteredHost {
  readonly kind: 'domain' | 'app';
  readonly value: string;
}

interface ParsedHost {
  readonly hostname: string;
  /** `http:` or `https:`; `null` without a scheme. */
  readonly scheme: string | null;
  /** The port in the text; `null` without one. */
  readonly writtenPort: number | null;
  readonly isSingleName: boolean;
}

const MAX_HOST_LENGTH = 2_048;
// Space, control characters, backslash, wildcard and user information (HOST-2).
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
const FORBIDDEN = /[\s\u0000-\u001f\u007f\\*@]/;
const ASCII_SPACE = '\t\n\f\r ';
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Returns the trimmed value; `null` if it can never match. Source: HOST-2. */
function clean(value: string): string | null {
  // Loops instead of a regular expression, which takes quadratic time on long runs of spaces inside the value.
  let start = 0;
  let end = value.length;
  while (start < end && ASCII_SPACE.includes(value.charAt(start))) start += 1;
  while (start < end && ASCII_SPACE.includes(value.charAt(end - 1))) end -= 1;
  const trimmed = value.slice(start, end);
  return trimmed === '' || trimmed.length > MAX_HOST_LENGTH || FORBIDDEN.test(trimmed) ? null : trimmed;
}

/** Reads the port from the text, because URL parsers drop a port that equals the scheme's default (HOST-8). */
function readWrittenPort(withScheme: string): number | null {
  const authority = withScheme.slice(withScheme.indexOf('://') + 3).split(/[/?#]/, 1)[0] ?? '';
  const port = /:(\d+)$/.exec(authority)?.[1];
  return port === undefined ? null : Number(port);
}

/** Source: HOST-4. */
function parseDomain(value: string): ParsedHost | null {
  const hasScheme = value.includes('://');
  const withScheme = hasScheme ? value : `https://${value}`;
  let url: { readonly protocol: string; readonly hostname: string };
  try {
    url = new URL(withScheme);
  } catch {
    // A value that cannot be parsed never matches (HOST-4).
    return null;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  const hostname = url.hostname.toLowerCase().replace(/\.$/, '');
  if (hostname === '' || hostname.split('.').includes('')) return null;
  return {
    hostname,
    scheme: hasScheme ? url.protocol : null,
    writtenPort: readWrittenPort(withScheme),
    isSingleName: hostname.startsWith('[') || IPV4.test(hostname) || !hostname.includes('.'),
  };
}

function matchesDomain(registered: ParsedHost, presented: ParsedHost): boolean {
  const isSameHost =
    presented.hostname === registered.hostname ||
    (!registered.isSingleName && presented.hostname.endsWith(`.${registered.hostname}`));
  if (!isSameHost) return false;
  if (registered.scheme && presented.scheme && registered.scheme !== presented.scheme) return false;
  if (registered.writtenPort === null) return true;
  const presentedPort = presented.writtenPort ?? (presented.scheme === 'http:' ? 80 : 443);
  return presentedPort === registered.writtenPort;
}

/**
 * Returns true if an `X-Host` header matches one of the connector's registered hosts: exactly for app namespaces, by whole
 * labels for domains. Source: HOST-1 to HOST-8.
 *
 * @example
 * matchesRegisteredHost([{ kind: 'domain', value: 'example.com' }], 'www.example.com'); // true
 */
export function matchesRegisteredHost(registered: readonly RegisteredHost[], xHost: string): boolean {
  const presented = clean(xHost);
  if (presented === null) return false;
  return registered.some(({ kind, value }) => {
    const own = clean(value);
    if (own === null) return false;
    if (kind === 'app') return own === presented;
    const [ownHost, presentedHost] = [parseDomain(own), parseDomain(presented)];
    return ownHost !== null && presentedHost !== null && matchesDomain(ownHost, presentedHost);
  });
}

/**
 * Returns true if an `Origin` header may use the connector. A missing or opaque origin may, and so may every origin if no
 * domain is registered or the check is off. Source: HOST-9, WS-7.
 */
export function matchesOrigin(
  registered: readonly RegisteredHost[],
  origin: string | null,
  isEnforced: boolean,
): boolean {
  if (!isEnforced || origin === null || origin === 'null') return true;
  const domains = registered.filter(({ kind }) => kind === 'domain');
  return domains.length === 0 || matchesRegisteredHost(domains, origin);
}

/** Returns true if a host may be registered: it can match, and is no single name except `localhost`. Source: HOST-10. */
export function isRegistrableHost({ kind, value }: RegisteredHost): boolean {
  const own = clean(value);
  if (own === null) return false;
  if (kind === 'app') return true;
  const host = parseDomain(own);
  if (host === null) return false;
  const isAddress = host.hostname.startsWith('[') || IPV4.test(host.hostname);
  return isAddress || !host.isSingleName || host.hostname === 'localhost';
}
