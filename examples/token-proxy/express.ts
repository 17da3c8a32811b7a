import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { createTokenProxy } from '@natter/token-proxy';
import { nodeHandshake } from '@natter/token-proxy/node';
import express from 'express';

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

const app = express();
// Before middleware such as express.json(), because the proxy reads the body itself.
app.all('/chat/*path', (request, response) => listener(request, response));
app.listen(Number(env.PORT ?? 8787), '127.0.0.1');
