import { base64url } from 'jose';

/**
 * Reads one file of the script-tag build by its path in it (`natter.js`, `natter/panel-4f2a91bc.js`); null when there is none.
 *
 * Compressed copies have the same path with the suffix `.br` or `.gz`, source maps with `.map`. The proxy only requests
 * paths that match `natter.js` or `natter/<file>`, so a reader cannot be led outside. Return the same array for the
 * same content, because its checksum is cached with it.
 */
export type ReadEmbedFile = (path: string) => Promise<Uint8Array | null>;

// No name begins with a dot, which excludes `..` and hidden files.
const FILE_PATH = /^natter(?:\.js(?:\.map)?|\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,199})$/;
// The build puts a content hash into script names, so the content of a name never changes.
const HASHED = /-[0-9a-f]{8}\.js(?:\.map)?$/;
const REVALIDATED = 'public, max-age=300';
const IMMUTABLE = 'public, max-age=31536000, immutable';

const MIME_TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  map: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  webp: 'image/webp',
  woff2: 'font/woff2',
  mp3: 'audio/mpeg',
  wasm: 'application/wasm',
  txt: 'text/plain; charset=utf-8',
};

const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

const etags = new WeakMap<Uint8Array, Promise<string>>();

/** A checksum of the bytes as sent: each encoding has its own, as a strong ETag requires. */
function etagOf(bytes: Uint8Array): Promise<string> {
  let etag = etags.get(bytes);
  if (etag === undefined) {
    etag = crypto.subtle
      .digest('SHA-256', Uint8Array.from(bytes))
      .then((digest) => `"${base64url.encode(new Uint8Array(digest).subarray(0, 16))}"`);
    etags.set(bytes, etag);
  }
  return etag;
}

/** Whether an `Accept-Encoding` accepts this encoding: named, or covered by `*`, without a weight of 0. */
export function acceptsEncoding(header: string | null, encoding: string): boolean {
  let isAccepted = false;
  for (const entry of (header ?? '').toLowerCase().split(',')) {
    const [name, ...parameters] = entry.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const isWanted = weight === undefined || Number(weight) > 0;
    if (name === encoding) return isWanted;
    if (name === '*') isAccepted = isWanted;
  }
  return isAccepted;
}

function matchesEtag(header: string | null, etag: string): boolean {
  if (header === null) return false;
  return header.split(',').some((candidate) => {
    const value = candidate.trim();
    return value === '*' || value === etag || value === `W/${etag}`;
  });
}

/**
 * Serves a GET or HEAD for a file of the build: any page may load it, including cross-origin isolated ones and with
 * integrity attributes. The entry is revalidated after five minutes, files with a hash in their name never. Null when
 * there is no such file.
 */
export async function serveEmbedFile(
  read: ReadEmbedFile,
  askedPath: string,
  request: Request,
): Promise<Response | null> {
  // The loader adds a slash per retry, because browsers cache a module's failed fetch.
  const path = askedPath.replace(/^natter\/+/, 'natter/');
  if (!FILE_PATH.test(path)) return null;
  const mimeType = MIME_TYPES[path.slice(path.lastIndexOf('.') + 1)];
  const plain = mimeType === undefined ? null : await read(path);
  if (mimeType === undefined || plain === null) return null;

  let body = plain;
  const headers = new Headers({
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': HASHED.test(path) ? IMMUTABLE : REVALIDATED,
    'Content-Type': mimeType,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Timing-Allow-Origin': '*',
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
  });
  // Where debuggers find the sources; other programs do not request them.
  const map = `${path}.map`;
  if (path.endsWith('.js') && (await read(map)))
    headers.set('SourceMap', map.slice(map.lastIndexOf('/') + 1));
  for (const { name, suffix } of ENCODINGS) {
    if (!acceptsEncoding(request.headers.get('accept-encoding'), name)) continue;
    const compressed = await read(path + suffix);
    if (compressed === null) continue;
    body = compressed;
    headers.set('Content-Encoding', name);
    break;
  }
  const etag = await etagOf(body);
  headers.set('ETag', etag);
  if (matchesEtag(request.headers.get('if-none-match'), etag)) {
    headers.delete('Content-Encoding');
    headers.delete('Content-Type');
    return new Response(null, { status: 304, headers });
  }
  headers.set('Content-Length', String(body.byteLength));
  return new Response(request.method === 'HEAD' ? null : Uint8Array.from(body), { status: 200, headers });
}
