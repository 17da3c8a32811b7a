/** One Content-Security-Policy: its directives by name, each with its sources. */
export type ContentPolicy = ReadonlyMap<string, readonly string[]>;

const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'ws:': '80',
  'wss:': '443',
};
// A directive that is missing falls back to the next one.
const FALLBACKS: Readonly<Record<string, readonly string[]>> = {
  'script-src': ['script-src-elem', 'script-src', 'default-src'],
  'style-src': ['style-src-elem', 'style-src', 'default-src'],
  'connect-src': ['connect-src', 'default-src'],
  'img-src': ['img-src', 'default-src'],
};

/** A directive, and the addresses that it has to let through. */
export interface PolicyNeed {
  readonly directive: keyof typeof FALLBACKS & string;
  readonly urls: readonly string[];
}

/** Reads the header, which may hold several policies, or the content of a meta tag. All policies of a page count. */
export function parsePolicies(text: string): readonly ContentPolicy[] {
  return text
    .split(',')
    .map((policy) => {
      const directives = new Map<string, readonly string[]>();
      for (const written of policy.split(';')) {
        const [name = '', ...sources] = written.trim().split(/\s+/);
        const key = name.toLowerCase();
        if (key !== '' && !directives.has(key)) directives.set(key, sources);
      }
      return directives;
    })
    .filter((policy) => policy.size > 0);
}

/** The directive that decides for another, with its sources; null: the policy does not limit these loads. */
function findDirective(
  policy: ContentPolicy,
  directive: string,
): { readonly name: string; readonly sources: readonly string[] } | null {
  const name = FALLBACKS[directive]?.find((each) => policy.has(each));
  return name === undefined ? null : { name, sources: policy.get(name) ?? [] };
}

/**
 * Returns the directive with the missing sources added; null if the policy allows all of the addresses. `'self'` stands for
 * `pageUrl`.
 */
export function completeDirective(
  policy: ContentPolicy,
  { directive, urls }: PolicyNeed,
  pageUrl: string,
): string | null {
  const found = findDirective(policy, directive);
  if (found === null) return null;
  const { name, sources } = found;
  const refused = urls.filter((url) => !sources.some((source) => matchesSource(source, url, pageUrl)));
  if (refused.length === 0) return null;
  const kept = sources.filter((source) => source.toLowerCase() !== "'none'");
  const added = refused.map((url) => new URL(url).origin);
  // An origin in `default-src` would be allowed for every kind of load.
  return [name === 'default-src' ? directive : name, ...new Set([...kept, ...added])].join(' ');
}

/** Whether scripts are trusted by nonce or hash alone, regardless of their address. */
export const isStrictDynamic = (policy: ContentPolicy): boolean =>
  findDirective(policy, 'script-src')?.sources.some(
    (source) => source.toLowerCase() === "'strict-dynamic'",
  ) === true;

/** Whether a source of a policy covers an address, by the rules of Content Security Policy Level 3. */
export function matchesSource(source: string, address: string, pageUrl: string): boolean {
  const url = new URL(address);
  const page = new URL(pageUrl);
  if (source === '*') return true;
  if (source.toLowerCase() === "'self'")
    return (
      url.hostname === page.hostname &&
      (portOf(url) === portOf(page) || (isDefaultPort(url) && isDefaultPort(page))) &&
      (allowsScheme(page.protocol, url.protocol) ||
        allowsScheme(page.protocol.replace('http', 'ws'), url.protocol))
    );
  if (source.startsWith("'")) return false;
  if (/^[a-z][a-z0-9+.-]*:$/i.test(source)) return allowsScheme(source.toLowerCase(), url.protocol);
  const [, scheme = page.protocol, host = '', port, path = ''] =
    /^(?:([a-z][a-z0-9+.-]*:)\/\/)?([^/:]+)(?::(\d+|\*))?(\/.*)?$/i.exec(source) ?? [];
  return (
    allowsScheme(scheme.toLowerCase(), url.protocol) &&
    allowsHost(host.toLowerCase(), url.hostname) &&
    allowsPort(port, url) &&
    allowsPath(path, url.pathname)
  );
}

const portOf = ({ port, protocol }: URL): string => port || (DEFAULT_PORTS[protocol] ?? '');
const isDefaultPort = (url: URL): boolean => url.port === '';

/** A source includes the encrypted form of its scheme, and a WebSocket scheme includes HTTP. */
function allowsScheme(allowed: string, actual: string): boolean {
  if (allowed === actual) return true;
  if (allowed === 'http:') return actual === 'https:';
  // The addresses here are of no other schemes.
  if (allowed === 'ws:') return true;
  return allowed === 'wss:' && actual === 'https:';
}

const allowsHost = (allowed: string, actual: string): boolean =>
  allowed.startsWith('*.') ? actual.endsWith(allowed.slice(1)) : allowed === actual || allowed === '*';

function allowsPort(allowed: string | undefined, url: URL): boolean {
  if (allowed === undefined) return isDefaultPort(url);
  return allowed === '*' || allowed === portOf(url) || (allowed === '80' && portOf(url) === '443');
}

function allowsPath(allowed: string, actual: string): boolean {
  if (allowed === '' || allowed === '/') return true;
  return allowed.endsWith('/') ? actual.startsWith(allowed) : actual === allowed;
}
