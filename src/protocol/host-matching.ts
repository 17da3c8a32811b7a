// Web-standard, and the algorithm the contract names (HOST-4); this layer has no host library of types.
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
  /** `http:` or `https:`, null when the value gave none. */
  readonly scheme: string | null;
  /** The port written out, null when there was none. */
  readonly writtenPort: number | null;
  readonly isSingleName: boolean;
}

const MAX_HOST_LENGTH = 2_048;
// Space, control characters, backslash, wildcard and user information (HOST-2).
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing control characters is the point
const FORBIDDEN = /[\s\u0000-\u001f\u007f\\*@]/;
const ASCII_SPACE = '\t\n\f\r ';
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** The trimmed value, null when it can never match. Source: HOST-2. */
function clean(value: string): string | null {
  // By hand: a pattern for the spaces at the end tries every run of spaces in between, from each of its characters.
  let start = 0;
  let end = value.length;
  while (start < end && ASCII_SPACE.includes(value.charAt(start))) start += 1;
  while (start < end && ASCII_SPACE.includes(value.charAt(end - 1))) end -= 1;
  const trimmed = value.slice(start, end);
  return trimmed === '' || trimmed.length > MAX_HOST_LENGTH || FORBIDDEN.test(trimmed) ? null : trimmed;
}

/** URL parsers drop a port that equals the scheme's default, so the text decides (HOST-8). */
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
    // What does not parse never matches (HOST-4).
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
 * Whether the value of an `X-Host` header is one of the connector's registered hosts: exact for app
 * namespaces, whole labels for domains. Source: HOST-1 to HOST-8.
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
 * Whether an `Origin` header may use the connector. A missing or opaque origin passes, and so does every
 * origin when no domain is registered or the check is off. Source: HOST-9, WS-7.
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

/** Whether a host may be registered at all: it could match, and is no bare name but `localhost`. Source: HOST-10. */
export function isRegistrableHost({ kind, value }: RegisteredHost): boolean {
  const own = clean(value);
  if (own === null) return false;
  if (kind === 'app') return true;
  const host = parseDomain(own);
  if (host === null) return false;
  const isAddress = host.hostname.startsWith('[') || IPV4.test(host.hostname);
  return isAddress || !host.isSingleName || host.hostname === 'localhost';
}
