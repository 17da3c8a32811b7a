import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { createTokenProxy } from '@natter/token-proxy';
import { nodeHandshake } from '@natter/token-proxy/node';
import fastify from 'fastify';

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

const app = fastify();
// In a plugin, so that other routes keep their parsers, because the proxy reads the body itself.
app.register(async (chat) => {
  chat.removeAllContentTypeParsers();
  chat.addContentTypeParser('*', (_request, _payload, done) => done(null));
  chat.all('/chat/*', (request, reply) => {
    reply.hijack();
    return listener(request.raw, reply.raw);
  });
});
await app.listen({ port: Number(env.PORT ?? 8787), host: '127.0.0.1' });
