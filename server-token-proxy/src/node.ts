import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { boundUnfinishedRequests } from './bound-unfinished-requests.ts';
import { createLog } from './create-log.ts';
import { createTokenProxy } from './create-token-proxy.ts';
import type { ReadEmbedFile } from './embed-files.ts';
import { nodeHandshake } from './node-handshake.ts';
import { hasOneHost, UNNAMED_HOST } from './one-host.ts';
import type { TokenProxyOptions } from './options.ts';
import { takeTurns } from './take-turns.ts';
import { DEFAULT_UPLOADS } from './upload-options.ts';

export { nodeHandshake };

/** Settings of a token proxy that listens on a port. */
export interface StartOptions extends Omit<TokenProxyOptions, 'readEmbedFile'> {
  /** Address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** Port to listen on. Default 0, a free one. */
  readonly port?: number;
  /** Directory with `natter.js` and `natter/`; read and compressed once, at the start. Default: no files are served. */
  readonly embedDir?: string;
  /** How long the head of a request may take. Default 15000. */
  readonly headersTimeoutMs?: number;
  /** How long a whole request may take to arrive, body included; with uploads at least their time. Default 30000. */
  readonly requestTimeoutMs?: number;
  /** Connections of one address with an unfinished request; above it the oldest ones are closed after a second. Default 500. */
  readonly maxUnfinishedRequests?: number;
  /** For the log that is written when `log` is not given. Default `info`. */
  readonly logLevel?: string;
}

/** A token proxy that is listening. */
export interface RunningTokenProxy {
  /** Base URL, mount path included: what a page is given as its endpoint. */
  readonly url: string;
  /** Stops taking connections, lets requests in flight finish for up to 5 s, and frees the port. Safe to call twice. */
  close(): Promise<void>;
}

// What a request in flight may still need after a stop was asked for.
const CLOSE_GRACE_MS = 5_000;
// An idle connection of a browser is kept this long for its next request.
const KEEP_ALIVE_MS = 5_000;
// How late a request that takes too long is found. Node's 30 s would triple the time for headers.
const CHECK_MS = 1_000;
// Compressing less than this saves no packet.
const MIN_COMPRESSED_BYTES = 1_024;
// Source maps would take most of the start, and only debuggers ask for them.
const COMPRESSIBLE = /\.(?:js|css|json|svg|txt|wasm)$/;

const compressors = [
  { suffix: '.br', compress: promisify(brotliCompress) },
  { suffix: '.gz', compress: promisify(gzip) },
] as const;

async function listFiles(directory: string): Promise<readonly string[]> {
  const parts = await readdir(join(directory, 'natter'), { recursive: true }).catch(() => []);
  return [
    ...(await readdir(directory)).filter((name) => name.startsWith('natter.js')),
    ...parts.map((path) => `natter/${path.replaceAll('\\', '/')}`),
  ];
}

/**
 * Reads the build into memory and adds the compressed copies it lacks. What is served afterwards is looked up by name in that
 * memory, so no request can reach the disk.
 */
async function readEmbedDir(directory: string): Promise<ReadEmbedFile> {
  const files = new Map<string, Uint8Array>();
  const paths = await listFiles(directory).catch(() => []);
  for (const path of paths) {
    const file = join(directory, path);
    if ((await stat(file)).isFile()) files.set(path, await readFile(file));
  }
  if (!files.has('natter.js')) {
    throw new Error(
      `There is no natter.js in the embed directory ${directory}. Build the widget first, or correct NATTER_EMBED_DIR.`,
    );
  }
  for (const [path, bytes] of [...files]) {
    if (!COMPRESSIBLE.test(path) || bytes.byteLength < MIN_COMPRESSED_BYTES) continue;
    for (const { suffix, compress } of compressors) {
      if (!files.has(path + suffix)) files.set(path + suffix, await compress(bytes));
    }
  }
  return async (path) => files.get(path) ?? null;
}

function writeUrl({ address, port }: AddressInfo, basePath: string): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}${basePath}`;
}

/**
 * Starts a token proxy on a port of this machine.
 *
 * Rejects when an option is wrong, the embed directory has no `natter.js`, or the port cannot be had.
 *
 * @example
 * const { url, close } = await startTokenProxy({ upstreamUrl, connectors, ticketKeys, allowedOrigins });
 */
export async function startTokenProxy(options: StartOptions): Promise<RunningTokenProxy> {
  const {
    host = '127.0.0.1',
    port = 0,
    embedDir,
    logLevel = 'info',
    headersTimeoutMs = 15_000,
    requestTimeoutMs = 30_000,
    maxUnfinishedRequests = 500,
    ...proxyOptions
  } = options;
  const log = options.log ?? createLog(logLevel);
  // Every other body has to arrive within `deadlineMs`.
  const uploadMs = options.uploads ? (options.uploads.deadlineMs ?? DEFAULT_UPLOADS.deadlineMs) : 0;
  const readEmbedFile = embedDir === undefined ? undefined : await readEmbedDir(embedDir);
  const proxy = createTokenProxy({
    handshake: nodeHandshake,
    ...proxyOptions,
    log,
    ...(readEmbedFile === undefined ? {} : { readEmbedFile }),
  });
  const serve = getRequestListener(
    async (request, env) => {
      // Its server speaks HTTP/1.1 only.
      const { incoming } = env as HttpBindings;
      if (!hasOneHost(incoming)) return new Response(null, { status: 400, headers: { Connection: 'close' } });
      if (request.method === 'GET' && new URL(request.url).pathname === `${options.basePath ?? ''}/livez`)
        return Response.json({ status: 'ok' });
      return await proxy(request, { clientAddress: incoming.socket.remoteAddress });
    },
    // A library must not replace its host's Request and Response.
    { overrideGlobalObjects: false, hostname: UNNAMED_HOST },
  );
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      // Node refuses a shorter time for the whole than for its head.
      requestTimeout: Math.max(requestTimeoutMs, headersTimeoutMs, uploadMs),
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: CHECK_MS,
    },
    takeTurns((request, response) => void serve(request, response)),
  );
  boundUnfinishedRequests(server, maxUnfinishedRequests);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', () => log.error({}, 'the server reported an error'));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');

  let closing: Promise<void> | null = null;
  return {
    url: writeUrl(address, options.basePath ?? ''),
    close() {
      closing ??= new Promise((resolve) => {
        const force = setTimeout(() => {
          server.closeAllConnections();
        }, CLOSE_GRACE_MS);
        server.close(() => {
          clearTimeout(force);
          resolve();
        });
        server.closeIdleConnections();
      });
      return closing;
    },
  };
}
