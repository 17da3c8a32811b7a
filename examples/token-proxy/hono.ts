import { type HttpBindings, serve } from '@hono/node-server';
import { createTokenProxy } from '@natter/token-proxy';
import { nodeHandshake } from '@natter/token-proxy/node';
import { Hono } from 'hono';

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

const app = new Hono<{ Bindings: HttpBindings }>();
app.all('/chat/*', ({ env, req }) => proxy(req.raw, { clientAddress: env.incoming.socket.remoteAddress }));
serve({ fetch: app.fetch, port: Number(env.PORT ?? 8787), hostname: '127.0.0.1' });
