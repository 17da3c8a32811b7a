import { createTokenProxy } from '@natter/token-proxy';
import { nodeHandshake } from '@natter/token-proxy/node';

let proxy;

// With the first request: the build reads this file too, and has no secrets.
const start = ({ env }) =>
  createTokenProxy({
    upstreamUrl: env.NATTER_UPSTREAM_URL ?? '',
    connectors: {
      default: { token: env.NATTER_CONNECTOR_TOKEN ?? '', host: env.NATTER_CONNECTOR_HOST ?? '' },
    },
    ticketKeys: (env.NATTER_TICKET_KEYS ?? '').split(','),
    allowedOrigins: (env.NATTER_ALLOWED_ORIGINS ?? '').split(','),
    basePath: '/api/chat',
    // The reverse proxy in front of Next says who asks. Without one Next does, and callers can claim any address.
    trustedProxyHops: 1,
    handshake: nodeHandshake,
  });

export function POST(request) {
  proxy ??= start(process);
  return proxy(request);
}
export const GET = POST;
export const OPTIONS = POST;
