import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTicketKey } from '@natter/token-proxy';
import { startTokenProxy } from '@natter/token-proxy/node';
import type { Page } from '@playwright/test';
import { build, preview } from 'vite';
import { expect } from '../fixtures.ts';
import type { ChatPanel } from '../page/chat-panel.ts';
import { findFreePort } from './free-port.ts';
import { CONNECTOR_TOKEN, type Stack } from './stack.ts';

/** Returns the folder of an example. */
export const exampleRoot = (name: string): string =>
  fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));

/** Builds an example into a folder, with the package as customers install it. */
export async function buildExample(name: string, outDir: string): Promise<void> {
  const root = exampleRoot(name);
  const configFile = join(root, 'vite.config.ts');
  await build({ configFile, root, logLevel: 'silent', build: { outDir, emptyOutDir: true } });
}

/** Serves a token proxy for pages of `address`, and returns the address of such a page. */
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

/** Serves an example that was built into `outDir`, with a token proxy beside it. */
export async function serveExample(stack: Stack, name: string, outDir: string) {
  const root = exampleRoot(name);
  const site = await preview({
    configFile: join(root, 'vite.config.ts'),
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

/** Records what a page reports as errors. */
export function watchFaults(page: Page): readonly string[] {
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return faults;
}

/** Has a conversation on the page of an example, and renames the agent while the visitor writes. */
export async function talkAndRename(page: Page, chat: ChatPanel): Promise<void> {
  await page.getByRole('button', { name: 'Talk to us' }).click();
  await expect(chat.dialog).toBeVisible();
  await chat.say('Can I bring my dog?');
  await expect(page.locator('#answer')).toContainText(/dog|pet/i);

  await chat.composer.pressSequentially('And my ca');
  // The page decides that itself, while the visitor keeps writing.
  await page
    .getByRole('button', { name: 'Rename the agent' })
    .evaluate((button: HTMLButtonElement) => button.click());
  await expect(chat.dialog).toHaveAccessibleName(/Ada|Grace/);
  await page.keyboard.type('t?');
  await expect(chat.composer).toHaveValue('And my cat?');
  await expect(chat.transcript).toContainText('Can I bring my dog?');
  // Strict mode mounts twice, but only one widget remains.
  await expect(page.locator('natter-chat')).toHaveCount(1);
}
