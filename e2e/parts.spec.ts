import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { buildEmbed } from '../demo/build/build-embed.ts';
import { expect, test } from './fixtures.ts';

/** Files that a conversation needs on the demo's pages, which have feedback enabled. */
const PARTS: readonly string[] = ['en', 'feedback', 'markdown', 'panel'];

/** Records the names of the widget scripts that a page has fetched. */
function watchScripts(page: Page): ReadonlySet<string> {
  const names = new Set<string>();
  page.on('request', (request) => {
    const name = /\/natter\/+(.+)-[0-9a-f]{8}\.js$/.exec(new URL(request.url()).pathname)?.[1];
    if (name) names.add(name);
  });
  return names;
}

test('a conversation loads the panel, one language, the code for Markdown and enabled features, and other parts when needed', async ({
  page,
  stack,
  chat,
}) => {
  const scripts = watchScripts(page);
  await page.goto(stack.urls.demo);
  await chat.launcher.waitFor();
  expect([...scripts]).toEqual([]);

  await chat.open();
  await chat.expectAnswer(/Ada/);
  await chat.ask('Can I bring my dog?');
  await chat.expectAnswer(/dog/i);
  await chat.expectQuiet();
  await expect(chat.dialog.locator('time')).not.toHaveCount(0);
  await expect.poll(() => [...scripts].toSorted()).toEqual(PARTS);

  await chat.dialog.getByRole('button', { name: /more/i }).click();
  await chat.dialog.getByRole('menuitem', { name: /end chat/i }).click();
  expect([...scripts]).toContain('menu');
  expect([...scripts]).not.toContain('ended');
  await chat.dialog
    .getByRole('alertdialog')
    .getByRole('button', { name: /end chat/i })
    .click();
  await expect(chat.dialog.getByText(/you ended this chat/i)).toBeVisible();
  expect([...scripts]).toContain('ended');
  for (const name of ['cards', 'notices', 'survey', 'doctor']) expect([...scripts]).not.toContain(name);
});

test('a preloaded panel loads with its texts when the page is idle, and starts no session', async ({
  page,
  stack,
  chat,
}) => {
  const scripts = watchScripts(page);
  const sessions: string[] = [];
  const files: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/')) sessions.push(pathname);
    if (pathname.startsWith('/natter/')) files.push(pathname);
  });
  // While the page is parsed, before the deferred script runs.
  await page.addInitScript(() => {
    new MutationObserver(() => {
      document.querySelector('script[src$="natter.js"]')?.setAttribute('data-preload', 'idle');
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(stack.urls.demo);
  await chat.launcher.waitFor();
  await expect.poll(() => [...scripts].toSorted()).toEqual(['en', 'panel']);
  await page.waitForLoadState('networkidle');
  expect(sessions).toEqual([]);
  // The loader and the panel request the same file of texts.
  expect(files).toHaveLength(2);
  await chat.open();
  await chat.expectAnswer(/Ada/);
  await expect.poll(() => [...scripts].toSorted()).toEqual(PARTS);
});

test('the code for Markdown loads when the browser is idle, before the visitor writes', async ({
  page,
  stack,
  chat,
}) => {
  const scripts = watchScripts(page);
  await page.goto(stack.urls.demo);
  await chat.open();
  await expect.poll(() => [...scripts]).toContain('markdown');
});

for (const [who, connection] of [
  ['saves data', { saveData: true, effectiveType: '4g' }],
  ['has a slow network', { saveData: false, effectiveType: '3g' }],
] as const)
  test(`the code for Markdown loads with the first key for a visitor who ${who}`, async ({
    page,
    stack,
    chat,
  }) => {
    const scripts = watchScripts(page);
    await page.addInitScript((network) => {
      Object.defineProperty(Navigator.prototype, 'connection', { value: { ...network } });
    }, connection);
    await page.goto(stack.urls.demo);
    await chat.open();
    // The greeting has no Markdown.
    await chat.expectAnswer(/Ada/);
    // Times are rendered when the browser is idle.
    await expect(chat.dialog.locator('time').first()).not.toBeEmpty();
    await page.waitForLoadState('networkidle');
    expect([...scripts]).not.toContain('markdown');
    await chat.composer.press('H');
    await expect.poll(() => [...scripts]).toContain('markdown');
  });

test('a conversation on a phone also loads the part that closes the sheet', async ({ page, stack, chat }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const scripts = watchScripts(page);
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.ask('Can I bring my dog?');
  await expect(chat.dialog.locator('time')).not.toHaveCount(0);
  await expect.poll(() => [...scripts].toSorted()).toEqual(['close-on-back', ...PARTS]);
});

test('a menu that does not load is announced, and loads with the next try', async ({ page, stack, chat }) => {
  await page.route(/\/menu-[0-9a-f]{8}\.js/, (route) => route.abort());
  await page.goto(stack.urls.demo);
  await chat.open();
  await chat.expectQuiet();
  const more = chat.dialog.getByRole('button', { name: /more/i });
  const told = page.getByText(/couldn’t reach the chat/i);
  await more.click();
  // Visible and audible.
  await expect(told).toHaveCount(2);
  await expect(more).toHaveAttribute('aria-expanded', 'false');
  const banner = chat.dialog.locator('[part~=banner]');
  await chat.composer.click();
  await expect(banner).toHaveCount(0);
  await more.click();
  await expect(banner).toHaveCount(1);
  await page.unroute(/\/menu-[0-9a-f]{8}\.js/);
  await more.click();
  await expect(chat.dialog.getByRole('menuitem').first()).toBeVisible();
  await expect(banner).toHaveCount(0);
});

test('no late part imports another file than the panel: after a failure, all of it has a new address', () => {
  const folder = buildEmbed();
  const parts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /-[0-9a-f]{8}\.js$/.test(file),
  );
  expect(parts.length).toBeGreaterThan(20);
  // A page with a faulty setup loads this part, for its developer.
  const ofVisitors = parts.filter((file) => !file.includes('invalid-endpoint-stub'));
  const needed = ofVisitors.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/(?:from|import)\s*["']([^"']+\.js)["']/g)].map(
      ([, name]) => name,
    ),
  );
  expect([...new Set(needed)]).toEqual([expect.stringMatching(/^\.\/panel-[0-9a-f]{8}\.js$/)]);
});

test('Chromium compiles the loader and the panel, but no late part, before their first call', () => {
  const folder = buildEmbed();
  const hinted = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.js') &&
      readFileSync(join(folder, file), 'utf8').startsWith('//# allFunctionsCalledOnLoad\n'),
  );
  expect(hinted.toSorted()).toEqual(['natter.js', expect.stringMatching(/^natter\/panel-[0-9a-f]{8}\.js$/)]);
});
