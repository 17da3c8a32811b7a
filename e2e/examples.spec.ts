import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createTicketKey } from '@natter/token-proxy';
import { startTokenProxy } from '@natter/token-proxy/node';
import type { Page } from '@playwright/test';
import { build, preview } from 'vite';
import type { ChatPanel } from './chat-panel.ts';
import { expect, test } from './fixtures.ts';
import { findFreePort } from './free-port.ts';
import { runProcess } from './run-process.ts';
import { CONNECTOR_TOKEN, type Stack } from './stack.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EXAMPLES = [
  { name: 'react', server: '../react/src/server.tsx', html: 'Natter in a React app', hasWidget: true },
  { name: 'react-18', server: '../react/src/server.tsx', html: 'Natter in a React app', hasWidget: true },
  {
    name: 'preact',
    server: 'src/server.tsx',
    html: '<button type="button">Talk to us</button>',
    hasWidget: false,
  },
  { name: 'vue', server: 'src/server.ts', html: 'Natter in a Vue app', hasWidget: true },
] as const;

let folder = '';

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'natter-examples-'));
  // The examples use the package as customers get it.
  await build({ configFile: join(ROOT, 'vite.config.ts'), root: ROOT, mode: 'npm', logLevel: 'silent' });
});

/** A token proxy that pages of `address` may use, and the address of such a page. */
async function serveProxy(stack: Stack, address: string) {
  const proxy = await startTokenProxy({
    port: 0,
    upstreamUrl: stack.urls.platform,
    connectors: { default: { token: CONNECTOR_TOKEN, host: '127.0.0.1' } },
    ticketKeys: [createTicketKey()],
    allowedOrigins: [new URL(address).origin],
    logLevel: 'warn',
  });
  const pageUrl = (path = '') => `${address}${path}?endpoint=${encodeURIComponent(proxy.url)}`;
  return { pageUrl, close: proxy.close };
}

/** What a page reports as an error, until the test is over. */
function watchFaults(page: Page): readonly string[] {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return faults;
}

/** Talks on the page of an example, and renames the agent while the visitor is writing. */
async function talkAndRename(page: Page, chat: ChatPanel): Promise<void> {
  await page.getByRole('button', { name: 'Talk to us' }).click();
  await expect(chat.dialog).toBeVisible();
  await chat.say('Can I bring my dog?');
  await expect(page.locator('#answer')).toContainText(/dog|pet/i);

  await chat.composer.pressSequentially('And my ca');
  // By a page that decides so itself: the visitor goes on writing.
  await page
    .getByRole('button', { name: 'Rename the agent' })
    .evaluate((button: HTMLButtonElement) => button.click());
  await expect(chat.dialog).toHaveAccessibleName(/Ada|Grace/);
  await page.keyboard.type('t?');
  await expect(chat.composer).toHaveValue('And my cat?');
  await expect(chat.transcript).toContainText('Can I bring my dog?');
  // Strict mode mounts twice: there is one widget all the same.
  await expect(page.locator('natter-chat')).toHaveCount(1);
}

/** Talks in a view of the example's own, which has no widget. */
async function talkInOwnView(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Talk to us' }).click();
  const said = (name: string) =>
    page.getByRole('log', { name: 'Conversation' }).getByRole('article', { name });
  await expect(said('Assistant')).toHaveCount(1);
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.fill('Can I bring my dog?');
  await field.press('Enter');
  await expect(field).toHaveValue('');
  await expect(said('You')).toHaveText('Can I bring my dog?');
  await expect(said('Assistant').last()).toContainText(/dog|pet/i);
  await expect(page.locator('natter-chat')).toHaveCount(0);
}

test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Builds an example and serves it, with a token proxy beside it. */
async function serveExample(stack: Stack, root: string, outDir: string) {
  const configFile = join(root, 'vite.config.ts');
  await build({ configFile, root, logLevel: 'silent', build: { outDir, emptyOutDir: true } });
  const site = await preview({
    configFile,
    root,
    logLevel: 'silent',
    build: { outDir },
    preview: { host: '127.0.0.1', port: await findFreePort(), strictPort: true },
  });
  const [address = ''] = site.resolvedUrls?.local ?? [];
  const proxy = await serveProxy(stack, address);
  const close = async (): Promise<void> => {
    await proxy.close();
    await site.close();
  };
  return { pageUrl: proxy.pageUrl, close };
}

for (const { name, server, html, hasWidget } of EXAMPLES) {
  const root = join(ROOT, 'examples', name);
  const configFile = join(root, 'vite.config.ts');

  if (hasWidget) {
    test(`the ${name} example talks, follows its options and leaves nothing behind`, async ({
      page,
      chat,
      stack,
    }) => {
      const example = await serveExample(stack, root, join(folder, name));
      const faults = watchFaults(page);
      await page.goto(example.pageUrl());
      await talkAndRename(page, chat);
      expect(faults).toEqual([]);
      await example.close();
    });
  }

  test(`the ${name} example talks in a view of its own`, async ({ page, stack }) => {
    const example = await serveExample(stack, root, join(folder, `${name}-own`));
    const faults = watchFaults(page);
    await page.goto(`${example.pageUrl()}&view=own`);
    await talkInOwnView(page);
    expect(faults).toEqual([]);
    await example.close();
  });

  test(`the ${name} example is rendered on a server`, async () => {
    const outDir = join(folder, `${name}-server`);
    await build({
      configFile,
      root,
      logLevel: 'silent',
      ssr: { noExternal: true },
      build: {
        outDir,
        ssr: join(root, server),
        rolldownOptions: { output: { entryFileNames: 'server.mjs' } },
      },
    });
    const { render } = await import(pathToFileURL(join(outDir, 'server.mjs')).href);
    expect(await render('https://chat.example.com')).toContain(html);
  });
}

test.describe('the Next.js example', () => {
  const next = join(ROOT, 'node_modules/next/dist/bin/next');

  test('is built by the App Router, rendered on its server, and talks through its own route', async ({
    page,
    chat,
    stack,
  }) => {
    process.env['NEXT_TELEMETRY_DISABLED'] = '1';
    const app = join(ROOT, 'examples/next');
    await promisify(execFile)(process.execPath, [next, 'build', app]);
    const port = String(await findFreePort());
    const address = `http://127.0.0.1:${port}/`;
    const site = runProcess(next, ['start', app, '--port', port, '--hostname', '127.0.0.1'], {
      NATTER_UPSTREAM_URL: stack.urls.platform,
      NATTER_CONNECTOR_TOKEN: CONNECTOR_TOKEN,
      NATTER_CONNECTOR_HOST: '127.0.0.1',
      NATTER_TICKET_KEYS: createTicketKey(),
      NATTER_ALLOWED_ORIGINS: new URL(address).origin,
    });
    await site.waitForLine(/Ready/);
    const faults = watchFaults(page);
    await page.goto(address);
    await expect(page).toHaveTitle('Natter in a Next.js app');
    await talkAndRename(page, chat);
    expect((await page.context().cookies()).map(({ name, httpOnly }) => ({ name, httpOnly }))).toEqual([
      { name: expect.stringMatching(/^natter-/), httpOnly: true },
    ]);

    // A component of the server that gives properties and nothing else, inline.
    await page.goto(`${address}plain`);
    await expect(page.locator('main natter-chat').getByRole('dialog')).toBeVisible();
    expect(faults).toEqual([]);
    await site.stop();
  });
});
