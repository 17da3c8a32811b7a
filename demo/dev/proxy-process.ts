import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { createTokenProxy } from '@natter/token-proxy';
import { nodeHandshake } from '@natter/token-proxy/node';
import { type InspectedStart, type ServedServer, serveCalls } from '../processes/serve-calls.ts';
import { createProxyOptions, type ProxyParts } from '../proxy-options.ts';

/** Options of the token proxy's process. */
export interface ProxyStart extends InspectedStart, ProxyParts {
  /** 0 picks a free port. */
  readonly port: number;
  readonly embedDir: string;
}

/** The token proxy of the development server, which serves the files of the widget as they are now. */
serveCalls<ProxyStart, ServedServer>({
  async start({ port, embedDir, ...parts }) {
    const proxy = createTokenProxy({
      ...createProxyOptions(parts),
      handshake: nodeHandshake,
      readEmbedFile: (path) => readFile(join(embedDir, path)).catch(() => null),
      log: {
        info() {},
        warn() {},
        error: (fields, message) => console.error(`Token proxy: ${message} ${JSON.stringify(fields)}`),
      },
    });
    const listener = getRequestListener(async (request, env) => {
      const { incoming } = env as HttpBindings;
      const response = await proxy(request, { clientAddress: incoming.socket.remoteAddress });
      if (request.method !== 'GET' || !new URL(request.url).pathname.startsWith('/natter')) return response;
      const headers = new Headers(response.headers);
      headers.set('Cache-Control', 'no-store');
      return new Response(response.body, { status: response.status, headers });
    });
    const server = createServer((request, response) => void listener(request, response));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return {
      // A server that listens on a host and port has an address of this kind.
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      async close() {
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      },
    };
  },
  commands: {},
});
