import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTicketKey } from '@natter/token-proxy';
import { startTokenProxy } from '@natter/token-proxy/node';
import { buildEmbed } from '../../demo/build/build-embed.ts';
import { CONNECTOR_TOKEN, type Stack } from './stack.ts';

/** Addresses of a customer, without a slash at the end. */
export interface CustomerUrls {
  readonly site: string;
  readonly proxy: string;
  /** Origin of the platform's socket. */
  readonly socket: string;
}

/** A response of a customer's site. */
export interface CustomerPage {
  readonly body: string | Uint8Array;
  /** Default `text/html; charset=utf-8`. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Differences between a customer's site and one with only the script tag. */
export interface CustomerSiteOptions {
  /** Returns the page at a path, `null` for none. */
  readonly render: (path: string, urls: CustomerUrls) => CustomerPage | null;
  /** Host name of the site; `localhost` makes it another site than the proxy. Default `127.0.0.1`. */
  readonly host?: 'localhost' | '127.0.0.1';
  /** Folder with `natter.js`. Default: the build of these sources. */
  readonly embedDir?: string;
  /** Names of the connectors at the proxy, all for one agent. Default: only `default`. */
  readonly connectors?: readonly string[];
  /** Address of the browsers' sockets. Default: the platform's. */
  readonly websocketUrl?: string;
  /** Token of all these connectors. Default: that of the connector without extras. */
  readonly token?: string;
}

/** A customer's site with its own token proxy, before the platform of the stack. */
export interface CustomerSite {
  readonly urls: CustomerUrls;
  close(): Promise<void>;
}

/** Returns a page with `body`, and with the additions of `head`. */
export const page = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A page</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`;

/** Returns the documentation's snippet. */
export const snippet = ({ proxy }: CustomerUrls, attributes = ''): string =>
  `<script src="${proxy}/natter.js" defer ${attributes}></script>`;

/** Serves a customer's site on a free port. */
export async function serveCustomerSite(
  stack: { readonly urls: Pick<Stack['urls'], 'platform'> },
  options: CustomerSiteOptions,
): Promise<CustomerSite> {
  const {
    render,
    host = '127.0.0.1',
    embedDir = buildEmbed(),
    connectors = ['default'],
    token = CONNECTOR_TOKEN,
    websocketUrl,
  } = options;
  const server = createServer((request, response) => {
    const answer = render(new URL(request.url ?? '/', urls.site).pathname, urls);
    const type = answer?.type ?? 'text/html; charset=utf-8';
    response.writeHead(answer ? 200 : 404, { 'content-type': type, ...answer?.headers });
    response.end(answer?.body ?? page('There is no such page.'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The address of a server that listens on a host and port has this type.
  const site = `http://${host}:${(server.address() as AddressInfo).port}`;
  const socket = new URL(stack.urls.platform);
  socket.protocol = 'ws:';
  const proxy = await startTokenProxy({
    port: 0,
    upstreamUrl: stack.urls.platform,
    connectors: Object.fromEntries(connectors.map((name) => [name, { token, host: '127.0.0.1' }])),
    ticketKeys: [createTicketKey()],
    allowedOrigins: [site],
    // All visitors of a test are on one machine.
    limits: { sessionsPerClient: 0, resumesPerClient: 0, turnsPerClient: 0 },
    embedDir,
    ...(websocketUrl !== undefined && { websocketUrl }),
    logLevel: 'warn',
  });
  const urls = { site, proxy: proxy.url, socket: socket.origin };
  return {
    urls,
    async close() {
      await proxy.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
