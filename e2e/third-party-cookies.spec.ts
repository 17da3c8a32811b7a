import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ChatPanel } from './page/chat-panel.ts';
import { watchTokens } from './page/token-watch.ts';
import { page as html, serveCustomerSite, snippet } from './stack/customer-site.ts';

/** Opens a separate browser whose settings block third-party cookies, or allow them. */
async function openBrowser(
  isBlocking: boolean,
  launchOptions: object,
): Promise<{ readonly context: BrowserContext; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'natter-cookies-'));
  mkdirSync(join(folder, 'Default'));
  const profile = { cookie_controls_mode: isBlocking ? 1 : 0, block_third_party_cookies: isBlocking };
  writeFileSync(join(folder, 'Default/Preferences'), JSON.stringify({ profile }));
  const context = await chromium.launchPersistentContext(folder, launchOptions);
  return {
    context,
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Serves cookies from another site than the pages, for every kind of frame, and reports which ones come back. */
async function serveCookies() {
  const server = createServer((request, response) => {
    response.writeHead(200, {
      'access-control-allow-origin': request.headers.origin ?? '',
      'access-control-allow-credentials': 'true',
      'set-cookie': 'control=1; SameSite=None; Secure; HttpOnly; Path=/',
    });
    response.end(request.headers.cookie ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The address of a server that listens on a host and port has this type.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    /** Returns which cookies come back when requested from `page`. */
    async ask(page: Page): Promise<string> {
      const ask = (address: string) =>
        fetch(address, { credentials: 'include' }).then((response) => response.text());
      await page.evaluate(ask, url);
      return page.evaluate(ask, url);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

for (const isBlocking of [true, false]) {
  test(`resumes on a page of another site while third-party cookies are ${isBlocking ? 'blocked' : 'allowed'}`, async ({
    stack,
    launchOptions,
  }) => {
    // `localhost` and 127.0.0.1 are one machine and two sites.
    const site = await serveCustomerSite(stack, {
      host: 'localhost',
      render: (_, urls) => ({ body: html('<h1>A page</h1>', snippet(urls)) }),
    });
    const cookies = await serveCookies();
    const browser = await openBrowser(isBlocking, launchOptions);
    const page = browser.context.pages()[0] ?? (await browser.context.newPage());
    const tokens = watchTokens(page);
    await page.goto(site.urls.site);
    expect(await cookies.ask(page), 'what the browser’s setting does').toBe(isBlocking ? '' : 'control=1');

    const chat = new ChatPanel(page);
    const started = page.waitForResponse((response) => response.url().endsWith('/v1/session'));
    await chat.open();
    const { resume_by: by, resume_ticket: ticket, ...secrets } = await (await started).json();
    expect(by).toBe('ticket');
    // Encrypted by the proxy: its content cannot be read.
    const parts = [...secrets.access_token.split('.').slice(1), secrets.session_id];
    expect(
      parts.filter((part) => ticket.includes(part) || atob(ticket.split('.')[0]).includes(part)),
    ).toEqual([]);
    await chat.ask('Can I bring my dog?');
    const before = await chat.readLines();
    const own = (await browser.context.cookies()).filter(({ name }) => name !== 'control');
    expect(own).toEqual([]);

    const resumed = page.waitForRequest((request) => request.url().endsWith('/v1/resume'));
    await page.reload();
    await chat.open();
    expect((await resumed).postDataJSON()).toMatchObject({ resume_ticket: ticket });
    await chat.expectLines(before);
    await chat.ask('And what time is check-in?');
    expect(await tokens.count(), 'the same token came back through the ticket').toBe(1);
    await tokens.assertNoLeak();
    await browser.close();
    await cookies.close();
    await site.close();
  });
}
