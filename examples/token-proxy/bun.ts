import { createTokenProxy } from '@natter/token-proxy';

const { env } = process;
const proxy = createTokenProxy({
  upstreamUrl: env.NATTER_UPSTREAM_URL ?? '',
  connectors: {
    default: { token: env.NATTER_CONNECTOR_TOKEN ?? '', host: env.NATTER_CONNECTOR_HOST ?? '' },
  },
  ticketKeys: (env.NATTER_TICKET_KEYS ?? '').split(','),
  allowedOrigins: (env.NATTER_ALLOWED_ORIGINS ?? '').split(','),
});

export default {
  hostname: '127.0.0.1',
  port: Number(env.PORT ?? 8787),
  fetch: (request: Request, server: { requestIP(request: Request): { address: string } | null }) =>
    proxy(request, { clientAddress: server.requestIP(request)?.address }),
};
