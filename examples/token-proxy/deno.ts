import { env } from 'node:process';
import { createTokenProxy } from '@natter/token-proxy';

const proxy = createTokenProxy({
  upstreamUrl: env.NATTER_UPSTREAM_URL ?? '',
  connectors: {
    default: { token: env.NATTER_CONNECTOR_TOKEN ?? '', host: env.NATTER_CONNECTOR_HOST ?? '' },
  },
  ticketKeys: (env.NATTER_TICKET_KEYS ?? '').split(','),
  allowedOrigins: (env.NATTER_ALLOWED_ORIGINS ?? '').split(','),
});

export default {
  fetch: (request: Request, { remoteAddr }: { remoteAddr: { hostname: string } }) =>
    proxy(request, { clientAddress: remoteAddr.hostname }),
};
