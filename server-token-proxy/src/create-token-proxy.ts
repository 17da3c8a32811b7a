import { createApp } from './app.ts';
import type { TokenProxy, TokenProxyOptions } from './options.ts';
import { findOptionProblems } from './options-schema.ts';
import { createProxyContext, type ProxyContext } from './proxy-context.ts';
import type { RelayOptions } from './relay/relay-options.ts';
import { warnOfPrivateAddress } from './upstream/setup-findings.ts';

/**
 * Makes a token proxy: the small server that keeps connector tokens out of browsers. A web-standard handler that needs
 * `fetch` and Web Crypto, but no Node APIs.
 *
 * Promises: it answers every request and never rejects; one deadline bounds each request with all its upstream calls;
 * no secret appears in a response (except the requested access token and ticket) or in the log. Throws when options are
 * missing or wrong, naming all of them. Source: messaging.md 3.2, 3.4, HTTP-9, ST-3.
 *
 * @example
 * const proxy = createTokenProxy({
 *   upstreamUrl: 'https://messaging.example.com',
 *   connectors: { default: { token, host: 'www.example.com' } },
 *   ticketKeys: [ticketKey],
 *   allowedOrigins: ['https://www.example.com'],
 * });
 * const response = await proxy(request, { clientAddress });
 */
export function createTokenProxy(options: TokenProxyOptions): TokenProxy {
  const app = createApp(openProxy(options));
  return async (request, info = {}) => await app.fetch(request, info);
}

/**
 * Validates the options and creates what all routes share. Throws when options are missing or wrong, naming all of
 * them.
 */
export function openProxy(options: TokenProxyOptions & RelayOptions): ProxyContext {
  const problems = findOptionProblems({ ...options });
  if (problems.length > 0) {
    const lines = problems.map(({ path, problem }) => `- ${path.join('.')} ${problem}`);
    throw new Error(`The token proxy cannot start with these options:\n${lines.join('\n')}`);
  }
  const isRelay = options.relay === true;
  const proxy = createProxyContext(options, isRelay);
  if (!isRelay) warnOfPrivateAddress(options, proxy.log);
  return proxy;
}
