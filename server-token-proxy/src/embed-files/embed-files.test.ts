import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptsEncoding, type ReadEmbedFile, serveEmbedFile } from './serve-embed-file.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const FILES: ReadonlyMap<string, Uint8Array> = new Map([
  ['natter.js', bytes('entry')],
  ['natter.js.br', bytes('entry as brotli')],
  ['natter.js.gz', bytes('entry as gzip')],
  ['natter.js.map', bytes('{}')],
  ['natter/panel-4f2a91bc.js', bytes('panel')],
  ['natter/bloom.css', bytes('theme')],
  ['natter/manifest.json', bytes('{}')],
  ['natter/notes.exe', bytes('no type for this')],
  ['secret.txt', bytes('outside')],
]);

const asked: string[] = [];
const read: ReadEmbedFile = async (path) => {
  asked.push(path);
  return FILES.get(path) ?? null;
};

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response | null> {
  return serveEmbedFile(read, path, new Request(`https://chat.example/${path}`, { method, headers }));
}

async function found(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  const response = await get(path, headers, method);
  if (response === null) throw new Error(`${path} was not found`);
  return response;
}

describe('embed files', () => {
  it('serves the entry to every page, to be revalidated after five minutes', async () => {
    const response = await found('natter.js');
    expect(await response.text()).toBe('entry');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300',
      'content-length': '5',
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['natter/panel-4f2a91bc.js', 'public, max-age=31536000, immutable', 'text/javascript; charset=utf-8'],
    ['natter///panel-4f2a91bc.js', 'public, max-age=31536000, immutable', 'text/javascript; charset=utf-8'],
    ['natter/manifest.json', 'public, max-age=300', 'application/json; charset=utf-8'],
    ['natter/bloom.css', 'public, max-age=300', 'text/css; charset=utf-8'],
    ['natter.js.map', 'public, max-age=300', 'application/json; charset=utf-8'],
  ])('keeps %s in caches for as long as its name promises', async (path, caching, type) => {
    const response = await found(path);
    expect(response.headers.get('cache-control')).toBe(caching);
    expect(response.headers.get('content-type')).toBe(type);
  });

  it('sends the address of source maps if the build has them', async () => {
    expect((await found('natter.js')).headers.get('sourcemap')).toBe('natter.js.map');
    expect((await found('natter/panel-4f2a91bc.js')).headers.has('sourcemap')).toBe(false);
    expect((await found('natter.js.map')).headers.has('sourcemap')).toBe(false);
  });

  it('answers 304 for an unchanged file', async () => {
    const etag = (await found('natter.js')).headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await found('natter.js', { 'If-None-Match': known });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe('');
      expect(response.headers.get('etag')).toBe(etag);
      expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    }
    expect((await found('natter.js', { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('serves a compressed copy that the browser accepts, each with its own ETag', async () => {
    const brotli = await found('natter.js', { 'Accept-Encoding': 'gzip, deflate, br' });
    const gzip = await found('natter.js', { 'Accept-Encoding': 'gzip, br;q=0' });
    const plain = await found('natter.js', { 'Accept-Encoding': 'deflate' });
    expect(await Promise.all([brotli.text(), gzip.text(), plain.text()])).toEqual([
      'entry as brotli',
      'entry as gzip',
      'entry',
    ]);
    expect([brotli, gzip, plain].map((response) => response.headers.get('content-encoding'))).toEqual([
      'br',
      'gzip',
      null,
    ]);
    expect(new Set([brotli, gzip, plain].map((response) => response.headers.get('etag'))).size).toBe(3);
    const uncompressed = await found('natter/panel-4f2a91bc.js', { 'Accept-Encoding': 'br' });
    expect(uncompressed.headers.get('content-encoding')).toBeNull();
  });

  it.each([
    ['br', 'br', true],
    ['gzip;q=0.5, BR;q=0.1', 'br', true],
    ['br;q=0', 'br', false],
    ['br;q=0.000', 'br', false],
    ['*', 'br', true],
    ['*;q=0', 'br', false],
    ['br;q=0, *', 'br', false],
    ['*, br;q=0', 'br', false],
    ['x-br', 'br', false],
    ['', 'br', false],
    [null, 'br', false],
  ])('Accept-Encoding %j accepts %s: %s', (header, encoding, expected) => {
    expect(acceptsEncoding(header, encoding)).toBe(expected);
  });

  it('answers HEAD for embed files with headers only', async () => {
    const response = await found('natter.js', {}, 'HEAD');
    expect(response.headers.get('content-length')).toBe('5');
    expect(await response.text()).toBe('');
  });

  it.each([
    'secret.txt',
    'natter/../secret.txt',
    'natter/..%2fsecret.txt',
    'natter/.hidden.js',
    'natter/a/b.js',
    'natter/4f2a91bc/panel-4f2a91bc.js',
    'natter/4f2a91bc/',
    'natter/a\\b.js',
    'natter/',
    'natter.js.br',
    'natter/panel-4f2a91bc.js.br',
    'natter/notes.exe',
    'natter/missing.js',
    '',
  ])('finds no embed file under %j', async (path) => {
    expect(await get(path)).toBeNull();
  });

  it('never requests a path outside the build from the reader', async () => {
    const piece = fc.constantFrom(
      'natter',
      '.js',
      '/',
      '..',
      '.',
      '%2e',
      '\\',
      'a',
      '\0',
      '-4f2a91bc',
      'secret.txt',
      '//',
    );
    asked.length = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const request = new Request('https://chat.example/', { headers: { 'Accept-Encoding': 'br' } });
        await serveEmbedFile(read, pieces.join(''), request);
      }),
      { numRuns: 2_000 },
    );
    for (const path of asked) expect(path).toMatch(/^natter(\.js(\.map)?|\/[\w-][\w.-]*)(\.br|\.gz)?$/);
  });
});
