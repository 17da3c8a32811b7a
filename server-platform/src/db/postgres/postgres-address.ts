import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ConnectionOptions, createSecureContext } from 'node:tls';
import type pg from 'pg';

/** A server to connect to. */
export interface PostgresTarget {
  /** Name, address or folder of a Unix socket; absent: from `PGHOST`, or else localhost. */
  readonly host?: string;
  readonly port?: number;
  /** Absent: from `PGSSLMODE`, or else no TLS. */
  readonly ssl?: false | ConnectionOptions;
}

/** The content of a `postgres://` URL. */
export interface PostgresAddress {
  /** Settings of all connections, including the password. */
  readonly config: pg.ClientConfig;
  /** In the order in which they are tried. */
  readonly targets: readonly [PostgresTarget, ...PostgresTarget[]];
}

const SCHEME_HELP = 'must begin with postgres://';
const PORT_HELP = 'has a port that is not a number from 1 to 65535';
const ENCODE_HELP =
  'in a user name or password, # must be written as %23, / as %2F, ? as %3F, @ as %40, : as %3A and % as %25';

// Parameters that the library supports; other libpq parameters, such as `channel_binding`, are ignored.
const TEXT_PARAMETERS = ['options', 'application_name', 'client_encoding', 'sslnegotiation'] as const;
const TIME_PARAMETERS = [
  'statement_timeout',
  'lock_timeout',
  'query_timeout',
  'idle_in_transaction_session_timeout',
] as const;

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
// Spellings of `sslmode` that the library accepts: `ssl=true`.
const SSL_ALIASES: Readonly<Record<string, string>> = {
  true: 'verify-full',
  '1': 'verify-full',
  false: 'disable',
  '0': 'disable',
  'no-verify': 'require',
};

class Fault extends Error {}

/**
 * Parses `postgres://user:password@host:port,host:port/database?parameters` as libpq does. Reads the files of
 * `sslrootcert`, `sslcert` and `sslkey`. Returns a problem as text, which never contains the user name, the password or
 * a part of them.
 */
export function readPostgresAddress(url: string): PostgresAddress | string {
  try {
    return read(url);
  } catch (error) {
    if (error instanceof Fault) return error.message;
    throw error;
  }
}

function read(url: string): PostgresAddress {
  const [, rest] = /^postgres(?:ql)?:\/\/(.*)$/s.exec(url) ?? [];
  if (rest === undefined) throw new Fault(SCHEME_HELP);
  if (rest.includes('#')) throw new Fault(`holds a #: ${ENCODE_HELP}`);
  const [beforeQuery = '', query = ''] = splitOnce(rest, '?');
  const [authority = '', path = ''] = splitOnce(beforeQuery, '/');
  const parameters = new Map(new URLSearchParams(query));
  // An @ after the first / or ? belongs to a password with such a character.
  if (path.includes('@') || [...parameters.keys()].some((name) => name.includes('@')))
    throw new Fault(`cannot be read: ${ENCODE_HELP}`);
  const at = authority.lastIndexOf('@');
  const [user = '', password = ''] = splitOnce(at < 0 ? '' : authority.slice(0, at), ':');
  const credentials = {
    user: parameters.get('user') ?? decode(user),
    password: parameters.get('password') ?? decode(password),
    database: parameters.get('dbname') ?? decode(path),
  };
  const hosts = readHosts(authority.slice(at + 1), parameters);
  checkSessionKind(parameters);
  const modes = readTls(parameters);
  const targets = hosts.flatMap((host) => modes.map((tls) => ({ ...host, ...tls })));
  const [first, ...others] = targets;
  if (first === undefined) throw new Fault('names no server');
  return {
    config: { ...withoutEmpty(credentials), ...readParameters(parameters) },
    targets: [first, ...others],
  };
}

function readHosts(
  authority: string,
  parameters: ReadonlyMap<string, string>,
): readonly { readonly host?: string; readonly port?: number }[] {
  const inPath = authority.split(',').map((entry) => {
    const [all, bracketed, plain = '', port = ''] =
      /^(?:\[([^\]]*)\]|([^:]*))(?::([^:]*))?$/.exec(entry) ?? [];
    if (all === undefined) throw new Fault('has a host that cannot be read; write an IPv6 address as [::1]');
    return { host: decode(bracketed ?? plain), port };
  });
  const hosts = parameters.get('host')?.split(',') ?? inPath.map(({ host }) => host);
  const ports = parameters.get('port')?.split(',') ?? inPath.map(({ port }) => port);
  if (ports.length !== 1 && ports.length !== hosts.length)
    throw new Fault('names more hosts than ports, or fewer');
  return hosts.map((host, index) => {
    const text = ports.length === 1 ? ports[0] : ports[index];
    const port = text === undefined || text === '' ? undefined : Number(text);
    if (port !== undefined && !(/^\d{1,5}$/.test(text ?? '') && port >= 1 && port <= 65_535))
      throw new Fault(PORT_HELP);
    return { ...(host !== '' && { host }), ...(port !== undefined && { port }) };
  });
}

/** The platform must write, so read-only servers are skipped even if the URL allows them. */
function checkSessionKind(parameters: ReadonlyMap<string, string>): void {
  const kind = parameters.get('target_session_attrs') ?? 'read-write';
  if (!['any', 'read-write', 'primary'].includes(kind))
    throw new Fault('has a read-only target_session_attrs: the platform writes, so remove it');
}

/** TLS variants in the order of trial: more than one for `allow` and `prefer`. */
function readTls(
  parameters: ReadonlyMap<string, string>,
): readonly { readonly ssl?: false | ConnectionOptions }[] {
  const authorityFile = parameters.get('sslrootcert') ?? null;
  const sslMode = parameters.get('sslmode') ?? parameters.get('ssl');
  const mode = sslMode === undefined ? undefined : (SSL_ALIASES[sslMode] ?? sslMode);
  if (mode !== undefined && !SSL_MODES.includes(mode))
    throw new Fault(`has an unknown sslmode; there are ${SSL_MODES.join(', ')}`);
  const isFileNamed = ['sslrootcert', 'sslcert', 'sslkey'].some((name) => parameters.has(name));
  // A file without a mode implies TLS with full verification.
  const meant =
    mode ?? (isFileNamed || parameters.get('sslnegotiation') === 'direct' ? 'verify-full' : undefined);
  if (meant === undefined) return [{}];
  if (meant === 'disable') return [{ ssl: false }];
  const ca =
    authorityFile === null || authorityFile === 'system' ? undefined : readAuthorities(authorityFile);
  if (meant === 'verify-ca' && ca === undefined)
    throw new Fault('has sslmode=verify-ca, which needs sslrootcert; or use verify-full');
  const own = readClientCertificate(parameters);
  const ssl: ConnectionOptions = {
    ...own,
    ...(ca !== undefined && { ca }),
    ...checksOf(meant, authorityFile),
  };
  if (meant === 'prefer') return [{ ssl }, { ssl: false }];
  return meant === 'allow' ? [{ ssl: false }, { ssl }] : [{ ssl }];
}

/** How the server's certificate is checked. As in libpq, `require` checks the CA if one is given. */
function checksOf(mode: string, authorityFile: string | null): ConnectionOptions {
  if (mode === 'verify-full' || authorityFile === 'system') return {};
  if (mode === 'verify-ca' || (mode === 'require' && authorityFile !== null))
    return { checkServerIdentity: () => undefined };
  return { rejectUnauthorized: false };
}

function readAuthorities(path: string): string {
  const text = readNamedFile('sslrootcert', path);
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  try {
    // Node skips unreadable certificates, and would then trust none.
    for (const certificate of certificates) new X509Certificate(certificate);
    if (certificates.length > 0) return text;
  } catch {
    // Reported below.
  }
  throw new Fault(`names a sslrootcert without a certificate in PEM: ${path}`);
}

function readClientCertificate(parameters: ReadonlyMap<string, string>): ConnectionOptions {
  const [certFile, keyFile] = [parameters.get('sslcert'), parameters.get('sslkey')];
  if (certFile === undefined && keyFile === undefined) return {};
  if (certFile === undefined || keyFile === undefined) throw new Fault('needs sslcert and sslkey together');
  const own = { cert: readNamedFile('sslcert', certFile), key: readNamedFile('sslkey', keyFile) };
  try {
    createSecureContext(own);
  } catch {
    throw new Fault(
      `names an sslcert and an sslkey that do not belong together, or are not PEM files: ${certFile}, ${keyFile}`,
    );
  }
  return own;
}

function readNamedFile(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new Fault(`names a ${name} that cannot be read (${code}): ${path}`);
  }
}

function readParameters(parameters: ReadonlyMap<string, string>): pg.ClientConfig {
  const texts = TEXT_PARAMETERS.map((name) => [name, parameters.get(name) ?? '']);
  const times = TIME_PARAMETERS.filter((name) => parameters.has(name)).map((name) => {
    const value = parameters.get(name) ?? '';
    if (!/^\d{1,10}$/.test(value)) throw new Fault(`has a ${name} that is not a number of milliseconds`);
    return [name, Number(value)];
  });
  return { ...withoutEmpty(Object.fromEntries(texts)), ...Object.fromEntries(times) };
}

function withoutEmpty(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

function splitOnce(text: string, separator: string): readonly string[] {
  const index = text.indexOf(separator);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + separator.length)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Fault(`holds a % that begins no code; ${ENCODE_HELP}`);
  }
}
