import { createServer } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { createTokenProxy } from '@natter/token-proxy';
import { nodeHandshake } from '@natter/token-proxy/node';

const { env } = process;
const proxy = createTokenProxy({
  upstreamUrl: env.NATTER_UPSTREAM_URL ?? '',
  connectors: {
    default: { token: env.NATTER_CONNECTOR_TOKEN ?? '', host: env.NATTER_CONNECTOR_HOST ?? '' },
  },
  ticketKeys: (env.NATTER_TICKET_KEYS ?? '').split(','),
  allowedOrigins: (env.NATTER_ALLOWED_ORIGINS ?? '').split(','),
  basePath: '/chat',
  handshake: nodeHandshake,
});
const listener = getRequestListener(
  (request, env) => proxy(request, { clientAddress: (env as HttpBindings).incoming.socket.remoteAddress }),
  { overrideGlobalObjects: false },
);

const server = createServer((request, response) => {
  if (request.url?.startsWith('/chat/')) void listener(request, response);
  else response.writeHead(404).end();
});
server.listen(Number(env.PORT ?? 8787), '127.0.0.1');
