import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createTicketKey } from '@natter/token-proxy';
import { startTokenProxy } from '@natter/token-proxy/node';
import type { Page } from '@playwright/test';
import { buildEmbed } from '../demo/build-embed.ts';
import { expect, test } from './fixtures.ts';
import { CONNECTOR_TOKEN, type Stack } from './stack.ts';

const DOCS = readFileSync(fileURLToPath(new URL('../docs/security.md', import.meta.url)), 'utf8');
const [POLICY = ''] = /^default-src 'none'.*$/m.exec(DOCS) ?? [];

const STORAGES = ['indexedDB', 'localStorage', 'sessionStorage', 'caches'];

const PAGE = (script: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A page</title><link rel="icon" href="data:,"><h1>A page</h1><script src="${script}" defer></script></html>`;

/** A customer's page with nothing on it but the widget, under the given headers. */
async function serve(stack: Stack, headersFor: (policy: string) => Readonly<Record<string, string>>) {
  let proxyUrl = '';
  let headers: Readonly<Record<string, string>> = {};
  const site = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
    response.end(PAGE(`${proxyUrl}/natter.js`));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  // A server that listens on a host and port has an address of this kind.
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const proxy = await startTokenProxy({
    port: 0,
    upstreamUrl: stack.urls.platform,
    connectors: { default: { token: CONNECTOR_TOKEN, host: '127.0.0.1' } },
    ticketKeys: [createTicketKey()],
    allowedOrigins: [new URL(url).origin],
    embedDir: buildEmbed(),
    logLevel: 'warn',
  });
  proxyUrl = proxy.url;
  const socket = new URL(stack.urls.platform);
  socket.protocol = 'ws:';
  headers = headersFor(
    POLICY.replaceAll('https://chat.example.com', proxyUrl).replaceAll(
      'wss://platform.example.com',
      socket.origin,
    ),
  );
  return {
    url,
    async close() {
      await proxy.close();
      site.closeAllConnections();
      site.close();
    },
  };
}

/** What the browser has refused because of a policy. */
async function watchViolations(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Reflect.set(window, 'violations', seen);
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      seen.push(`${effectiveDirective} ${blockedURI}`),
    );
  });
  return () => page.evaluate(() => Reflect.get(window, 'violations'));
}

test('the policy in docs/security.md is there, and allows nothing inline', () => {
  expect(POLICY).toContain("require-trusted-types-for 'script'");
  expect(POLICY).not.toMatch(/unsafe|\*|data:|blob:/);
});

test('talks under exactly the header that docs/security.md prints', async ({ page, chat, stack }) => {
  const site = await serve(stack, (policy) => ({ 'content-security-policy': policy }));
  const violations = await watchViolations(page);
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.goto(site.url);
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  // The page's own icon is a `data:` address, which this policy forbids; the widget asked for nothing that it does.
  expect((await violations()).filter((line) => line !== 'img-src data')).toEqual([]);
  expect(faults).toEqual([]);
  await site.close();
});

test('saves and prints the conversation under the same header', async ({ page, chat, stack }) => {
  const site = await serve(stack, (policy) => ({ 'content-security-policy': policy }));
  const violations = await watchViolations(page);
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  // Nobody is there to answer a print dialog. Frames are pages too, and get this as well.
  await page.addInitScript(() => {
    window.print = () => Reflect.set(top ?? window, 'printed', document.body.textContent);
  });
  await page.goto(site.url);
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  const choose = async (name: string): Promise<void> => {
    await chat.dialog.getByRole('button', { name: 'More' }).click();
    await chat.dialog.getByRole('menuitem', { name }).click();
  };
  for (const [name, content] of [
    ['TXT', 'You: Can I bring my dog?'],
    ['HTML', '<p class="plain" dir="auto">Can I bring my dog?</p>'],
    ['JSON', '"text": "Can I bring my dog?"'],
  ] as const) {
    const download = page.waitForEvent('download');
    await choose(name);
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^chat-\d{4}-\d\d-\d\d\.(?:txt|html|json)$/);
    expect(readFileSync(await file.path(), 'utf8')).toContain(content);
  }
  await choose('Print');
  await expect
    .poll(() => page.evaluate(() => Reflect.get(window, 'printed')))
    .toContain('Can I bring my dog?');
  expect((await violations()).filter((line) => line !== 'img-src data')).toEqual([]);
  expect(faults).toEqual([]);
  await site.close();
});

test('talks on a page that is isolated from all other origins', async ({ page, chat, stack }) => {
  const site = await serve(stack, () => ({
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-opener-policy': 'same-origin',
  }));
  await page.goto(site.url);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  await site.close();
});

test('talks where storage is blocked, and begins anew after a reload', async ({ page, chat, stack }) => {
  const site = await serve(stack, () => ({}));
  await page.addInitScript((names) => {
    const refuse = (): never => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    const own = names.map((name) => [name, Object.getOwnPropertyDescriptor(window, name) ?? {}] as const);
    Reflect.set(window, 'allowStorage', () => Object.defineProperties(window, Object.fromEntries(own)));
    for (const name of names) Object.defineProperty(window, name, { get: refuse, configurable: true });
  }, STORAGES);
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.goto(site.url);
  await chat.open();
  await chat.say('Can I bring my dog?');
  await chat.expectAnswer(/dog|pet/i);
  await page.reload();
  await chat.open();
  await chat.expectQuiet();
  await expect(chat.messages('user')).toHaveCount(0);
  expect(faults).toEqual([]);
  // What looks for tokens afterwards may read the storage again.
  await page.evaluate(() => Reflect.get(window, 'allowStorage')());
  await site.close();
});
