import { createTicketKey } from '@natter/token-proxy';
import type { StartOptions } from '@natter/token-proxy/node';

const A_DAY_S = 86_400;

/** Options of a token proxy that any number of clients may use for a day, all from one address. */
export function unlimitedProxy({
  upstreamPort,
  socketPort = upstreamPort,
  connectorToken,
  write,
}: {
  readonly upstreamPort: number;
  /** Default: the upstream's. */
  readonly socketPort?: number;
  readonly connectorToken: string;
  /** Called with every line of its log. */
  readonly write: (fields: object, message: string) => void;
}): StartOptions {
  return {
    upstreamUrl: `http://127.0.0.1:${upstreamPort}`,
    websocketUrl: `ws://127.0.0.1:${socketPort}/ws`,
    connectors: { default: { token: connectorToken, host: 'example.com' } },
    ticketKeys: [createTicketKey()],
    allowedOrigins: ['https://example.com'],
    allowRequestsWithoutOrigin: true,
    ticketLifetimeSeconds: A_DAY_S,
    limits: { sessionsPerClient: 0, resumesPerClient: 0, sessionsTotal: 0, resumesTotal: 0 },
    log: { info: write, warn: write, error: write },
  };
}
