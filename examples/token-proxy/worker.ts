import { createTokenProxy, type TokenProxy } from '@natter/token-proxy';

type Env = Readonly<Record<string, string | undefined>>;

let proxy: TokenProxy | undefined;

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    // Created once per isolate, so that its limits count across requests.
    proxy ??= createTokenProxy({
      upstreamUrl: env.NATTER_UPSTREAM_URL ?? '',
      connectors: {
        default: { token: env.NATTER_CONNECTOR_TOKEN ?? '', host: env.NATTER_CONNECTOR_HOST ?? '' },
      },
      ticketKeys: (env.NATTER_TICKET_KEYS ?? '').split(','),
      allowedOrigins: (env.NATTER_ALLOWED_ORIGINS ?? '').split(','),
    });
    return proxy(request, { clientAddress: request.headers.get('cf-connecting-ip') ?? undefined });
  },
};
