import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTicketKey } from '@natter/token-proxy';
import { type RunningTokenProxy, startTokenProxy } from '@natter/token-proxy/node';
import type { Page } from '@playwright/test';
import { buildEmbed } from '../demo/build/build-embed.ts';
import { expect, test } from './fixtures.ts';
import { ChatPanel } from './page/chat-panel.ts';
import { readEverything } from './page/token-watch.ts';
import { page as html } from './stack/customer-site.ts';
import { forward, forwardSockets } from './stack/forward.ts';
import { findFreePort } from './stack/free-port.ts';
import { CONNECTOR_TOKEN, type Stack } from './stack/stack.ts';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'none'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** A site with a token proxy under its own `/chat`, which relays the sockets. */
interface RelayedSite {
  readonly url: string;
  /** The access tokens that the platform has sent to the proxy. */
  readonly accessTokens: readonly string[];
  restartProxy(): Promise<void>;
  close(): Promise<void>;
}

async function serveRelayedSite(stack: Stack): Promise<RelayedSite> {
  const port = await findFreePort();
  const site: Server = createServer((request, response) => {
    if (request.url?.startsWith('/chat/')) return forward(request, response, port);
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
    });
    return response.end(html('<h1>A page</h1>', '<script src="/chat/natter.js" defer></script>'));
  });
  forwardSockets(site, port);
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const accessTokens: string[] = [];
  const ticketKey = createTicketKey();
  const start = (): Promise<RunningTokenProxy> =>
    startTokenProxy({
      port,
      basePath: '/chat',
      relay: true,
      upstreamUrl: stack.urls.platform,
      connectors: { default: { token: CONNECTOR_TOKEN, host: '127.0.0.1' } },
      ticketKeys: [ticketKey],
      allowedOrigins: [url],
      // All visitors of a test are on one machine.
      limits: { sessionsPerClient: 0, resumesPerClient: 0, turnsPerClient: 0 },
      embedDir: buildEmbed(),
      logLevel: 'warn',
      async fetch(input, init) {
        const response = await fetch(input, init);
        if (input.endsWith('/access-token')) accessTokens.push((await response.clone().json()).access_token);
        return response;
      },
    });
  let proxy = await start();
  return {
    url,
    accessTokens,
    async restartProxy() {
      await proxy.close();
      proxy = await start();
    },
    async close() {
      await proxy.close();
      site.closeAllConnections();
      await new Promise((resolve) => site.close(resolve));
    },
  };
}

/** Records everything that a page sends, receives, opens and prints. */
function watchPage(page: Page): {
  readonly texts: () => Promise<readonly string[]>;
  readonly sockets: string[];
} {
  const texts: string[] = [];
  const sockets: string[] = [];
  const pending: Promise<unknown>[] = [];
  const add = (text: string): void => void texts.push(text);
  page.on('console', (message) => add(message.text()));
  page.on('pageerror', (error) => add(String(error)));
  page.on('request', (request) => add(`${request.url()} ${request.postData() ?? ''}`));
  page.on('response', (response) => {
    add(JSON.stringify(response.headers()));
    // The response is lost when the page navigates.
    pending.push(response.text().then(add, () => {}));
  });
  page.on('websocket', (socket) => {
    sockets.push(socket.url());
    socket.on('framereceived', ({ payload }) => add(String(payload)));
    socket.on('framesent', ({ payload }) => add(String(payload)));
  });
  return {
    sockets,
    async texts() {
      await Promise.all(pending);
      return [...texts, ...sockets, await page.evaluate(readEverything)];
    },
  };
}

/** Returns payload and signature of the access tokens, and the host of the platform. */
const secretsOf = ({ accessTokens }: RelayedSite, stack: Stack): readonly string[] => [
  ...accessTokens.flatMap((token) => token.split('.').slice(1)),
  new URL(stack.urls.platform).host,
];

test('a relayed chat answers under connect-src self, in two tabs and after a reload, and no page gets token or host', async ({
  page,
  context,
  chat,
  stack,
}) => {
  const site = await serveRelayedSite(stack);
  const leader = await context.newPage();
  const first = watchPage(leader);
  const own = new ChatPanel(leader);
  await leader.goto(site.url);
  await own.open();
  await own.expectAnswer(/Ada/);
  await own.say('Can I bring my dog?');
  await own.expectAnswer(/dog|pet/i);
  const chunks = (await first.texts()).filter((text) => text.includes('AGENT_MESSAGE_CHUNK'));
  expect(chunks.length).toBeGreaterThan(3);

  await leader.reload();
  await own.open();
  await own.expectQuiet();
  await expect(own.messages('user')).toHaveCount(1);

  const second = watchPage(page);
  await page.goto(site.url);
  await chat.open();
  await chat.ask('Do you have wifi on board?');
  await own.expectAnswer(/wi-?fi/i);
  await own.expectLines(await chat.readLines());
  const texts = [...(await first.texts())];

  // Its socket closes with it.
  await leader.close();
  await chat.ask('When does the first ferry leave on Sundays?');
  texts.push(...(await second.texts()));
  expect(site.accessTokens).toHaveLength(1);
  const address = `${site.url.replace('http', 'ws')}/chat/v1/ws?ticket=`;
  for (const url of [...first.sockets, ...second.sockets]) expect(url).toContain(address);
  expect([first.sockets.length, second.sockets.length]).toEqual([2, 1]);
  const secrets = secretsOf(site, stack);
  expect(texts.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
  await site.close();
});

test('a relayed chat logs no token when the proxy restarts, and continues', async ({ page, chat, stack }) => {
  const site = await serveRelayedSite(stack);
  const watch = watchPage(page);
  await page.goto(site.url);
  await chat.open();
  await chat.ask('Can I bring my dog?');
  await site.restartProxy();
  await chat.ask('Do you have wifi on board?');
  await expect(chat.messages('user')).toHaveCount(2);
  const texts = await watch.texts();
  const secrets = secretsOf(site, stack);
  expect(texts.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
  expect(site.accessTokens).toHaveLength(1);
  await site.close();
});
