import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import axeCore from 'axe-core';
import { marked, type Tokens } from 'marked';
import { buildDocs } from '../demo/build/build-docs.ts';
import { expect, test } from './fixtures.ts';
import { PATIENCE } from './patience.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SITE = join(ROOT, 'server-platform/docs');

let address = '';
test.beforeAll(async ({ stack }) => {
  // A changed page makes all pages build again.
  test.setTimeout(120_000 * PATIENCE);
  await buildDocs();
  address = new URL(stack.urls.platform).origin;
});

/** Records violations of the page's policy, failures, and requests to other hosts. */
function watch(page: Page): readonly string[] {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(address)) faults.push(request.url());
  });
  return faults;
}

test('the platform serves the documentation, whose search works offline', async ({ page }) => {
  const faults = watch(page);
  await page.goto(`${address}/docs`);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Natter');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('reconnecting');
  await page
    .getByRole('option', { name: /The client is reconnecting/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/docs\/troubleshooting#the-client-is-reconnecting$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Troubleshooting/);
  expect(faults).toEqual([]);
  expect((await page.goto(`${address}/docs/nothing`))?.status()).toBe(404);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`pages of the documentation are accessible in ${colorScheme} and on a phone`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme, viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    const faults = watch(page);
    for (const path of ['', 'recipes']) {
      await page.goto(`${address}/docs/${path}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, path).toBe(0);
      // The page's policy allows only its own scripts, so axe is injected through the browser's protocol.
      await page.evaluate(axeCore.source);
      const violations = await page.evaluate(async () => {
        const { axe } = globalThis as unknown as { axe: typeof axeCore };
        return (await axe.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
      });
      expect(violations, path).toEqual([]);
    }
    expect(faults).toEqual([]);
    await context.close();
  });
}

test('every link of the documentation leads to a page, and every anchor to a place on it', () => {
  const pages = new Map(
    globSync('**/*.html', { cwd: SITE }).map((file) => [file, readFileSync(join(SITE, file), 'utf8')]),
  );
  expect(pages.size).toBeGreaterThan(25);
  const idsOf = (html: string): ReadonlySet<string> =>
    new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
  const ids = new Map([...pages].map(([file, html]) => [file, idsOf(html)]));
  const broken: string[] = [];
  for (const [file, html] of pages) {
    for (const [, link = ''] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const name = path === '' ? file : path.replace(/^\/docs\//, '').replace(/(^|\/)$/, '$1index');
      const target = name.endsWith('.html') ? name : `${name}.html`;
      const there = ids.get(target);
      if (!there || (anchor && !there.has(decodeURIComponent(anchor)))) broken.push(`${file}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});

test('links of the documentation into the repository lead to its files', () => {
  const broken = globSync(['*.md', 'docs/**/*.md', 'server-*/README.md'], { cwd: ROOT }).flatMap((file) => {
    const links: string[] = [];
    marked.walkTokens(marked.lexer(readFileSync(join(ROOT, file), 'utf8')), (token) => {
      if (token.type === 'link' || token.type === 'image') links.push((token as Tokens.Link).href);
    });
    return links
      .filter((link) => !/^(?:[a-z]+:|#|\/)/.test(link))
      .map((link) => normalize(join(dirname(file), link.replace(/#.*/, ''))))
      .filter((target) => globSync(target, { cwd: ROOT }).length === 0)
      .map((target) => `${file}: ${target}`);
  });
  expect(broken).toEqual([]);
});

test('the HTML samples of the documentation load the widget', async ({ page }) => {
  const samples = globSync('docs/*.md', { cwd: ROOT }).flatMap((file) => {
    const blocks: string[] = [];
    marked.walkTokens(marked.lexer(readFileSync(join(ROOT, file), 'utf8')), (token) => {
      if (token.type === 'code' && token['lang'] === 'html') blocks.push((token as Tokens.Code).text);
    });
    return blocks
      .filter((text) => text.includes('natter.js') && !text.includes('integrity='))
      .map((text) => ({ file, text }));
  });
  expect(samples.length).toBeGreaterThan(15);
  await page.route('https://chat.example.com/natter**', (route) =>
    route.fulfill({ path: join(ROOT, 'dist/embed', new URL(route.request().url()).pathname) }),
  );
  for (const { file, text } of samples) {
    const errors: string[] = [];
    const note = (error: Error): void => void errors.push(error.message);
    page.on('pageerror', note);
    await page.route('https://www.example.com/', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>Shop</title><body>${text}` }),
    );
    await page.goto('https://www.example.com/');
    const methods = await page.evaluate(
      () => typeof (window as { Natter?: { open?: unknown } }).Natter?.open,
    );
    expect({ file, methods, errors }).toEqual({ file, methods: 'function', errors: [] });
    page.off('pageerror', note);
    await page.unroute('https://www.example.com/');
  }
});
