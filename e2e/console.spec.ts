import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page, type Route, test } from '@playwright/test';
import { COLOUR_RULES, findViolations } from './page/find-violations.ts';
import { PATIENCE } from './patience.ts';
import { bundleSnippet } from './stack/bundle-snippet.ts';
import { type CustomerPage, page as html, serveCustomerSite } from './stack/customer-site.ts';
import { type RunningDemo, runDemo } from './stack/run-demo.ts';
import { START_TIMEOUT_MS } from './stack/run-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'natter-console-'));
let demo: RunningDemo;

test.beforeAll(async () => {
  test.setTimeout(START_TIMEOUT_MS);
  demo = runDemo(folder);
  await demo.whenReady();
});
test.afterAll(async () => {
  await demo.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Asks the agent a question as a visitor, without a browser. */
async function ask(question: string): Promise<string> {
  const proxy = await demo.urlOf('proxy');
  const origin = new URL(await demo.urlOf('demo')).origin;
  const post = async (path: string, body: object) => {
    const headers = { 'Content-Type': 'application/json', Origin: origin };
    return await fetch(new URL(path, proxy), { method: 'POST', headers, body: JSON.stringify(body) });
  };
  const created = await (await post('/v1/chat/create', {})).json();
  const answer = await post('/v1/chat/respond', {
    chat: created.chat,
    text: question,
  });
  expect(answer.status).toBe(200);
  return await answer.text();
}

const SCHEMES = [
  ['light', {}],
  ['dark', { rules: COLOUR_RULES }],
] as const;

/** Opens a view by its name in the navigation, and checks it in both colour schemes and at both widths. */
async function inspect(page: Page, path: string, isThere: () => Promise<void>): Promise<void> {
  await page.goto(path);
  await isThere();
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 760 });
    for (const [colorScheme, rules] of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      const where = `${path}, ${colorScheme}, ${width}`;
      expect(await findViolations(page, rules), where).toEqual([]);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(sideways, `${where} scrolls sideways`).toBeLessThanOrEqual(0);
    }
  }
  // 1280 px at 400 %.
  await page.setViewportSize({ width: 320, height: 256 });
  const reflown = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(reflown, `${path} scrolls sideways at 400 %`).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 760 });
}

/** Pressed, chosen or current elements differ from their neighbours in forced colours. */
async function expectForced(page: Page, chosen: Locator, other: Locator): Promise<void> {
  const coloursOf = (each: Locator): Promise<readonly string[]> =>
    each.evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      return [color, backgroundColor];
    });
  await page.emulateMedia({ forcedColors: 'active' });
  const highlight = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('p'));
    probe.style.color = 'HighlightText';
    probe.style.backgroundColor = 'Highlight';
    const { color, backgroundColor } = getComputedStyle(probe);
    probe.remove();
    return [color, backgroundColor];
  });
  expect(await coloursOf(chosen)).toEqual(highlight);
  expect(await coloursOf(other)).not.toEqual(highlight);
  await page.emulateMedia({ forcedColors: 'none' });
}

async function signIn(page: Page, email = 'rita@example.com'): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(await demo.passwordOf(email));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation', { name: 'Views' })).toBeVisible();
}

/** Writes an article, previews its answer, publishes it, and asks as a visitor. */
async function publishArticle(page: Page, url: string): Promise<void> {
  await page.goto(`${url}knowledge/new?question=Can+I+bring+a+trampoline%3F`);
  await expect(page.getByText('No answer')).toBeVisible();
  await page.getByLabel('Title').fill('Trampolines');
  await page.getByLabel('Text', { exact: true }).fill('Trampolines travel for **£40**, folded.');
  await page.getByRole('button', { name: 'Ask again' }).click();
  const tried = page.getByRole('region', { name: 'What would the agent answer?' });
  await expect(tried.getByText('Confident')).toBeVisible();
  await expect(tried.getByText('£40').first()).toBeVisible();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Added in console')).toBeVisible();
  expect(await ask('Can I bring a trampoline?')).toContain('£40');
}

/** Returns the text of a snippet in the view Install. */
async function readSnippet(page: Page, name: string): Promise<string> {
  await page.getByRole('tab', { name, exact: true }).click();
  return (await page.getByRole('tabpanel', { name, exact: true }).locator('code').textContent()) ?? '';
}

/** Expects an answer in the widget of a snippet. */
async function expectAnswer(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('dialog', { name: 'Ask "Ada" <now>' }), name).toBeVisible();
  await page.getByRole('textbox').fill('Can I bring a trampoline?');
  await page.keyboard.press('Enter');
  await expect(page.getByText('£40', { exact: true }), name).toBeVisible();
}

/** The headless snippet only accepts https addresses; another test compiles it. */
const BUNDLED = ['React', 'Vue', 'npm'] as const;
const TURBO = readFileSync(fileURLToPath(import.meta.resolve('@hotwired/turbo')), 'utf8');
/** The page that each of these systems makes of its snippet, where its recipe says to put it. */
const SYSTEMS: Readonly<Record<string, (snippet: string) => string>> = {
  WordPress: (snippet) => html(`<div class="wp-site-blocks"></div>${snippet}`),
  Shopify: (snippet) => html(`<div id="shopify-section-header"></div>${snippet}`),
  // A tag manager adds its tags when the page is there.
  'Google Tag Manager': (snippet) =>
    html(`<template>${snippet}</template><script>
      const script = document.createElement('script');
      script.text = document.querySelector('template').content.querySelector('script').text;
      addEventListener('load', () => document.body.append(script));
    </script>`),
  Webflow: (snippet) => html(`<div class="w-layout-blockcontainer"></div>${snippet}`),
  Squarespace: (snippet) => html(`<main id="page"></main>${snippet}`),
  Django: (snippet) => html(`<main></main>${snippet}`),
  Rails: (snippet) => html('<main></main>', `<script type="module" src="/turbo.js"></script>${snippet}`),
};

/** Configures the widget, pastes the snippets into pages of a customer's site, and gets an answer there. */
async function pasteSnippets(page: Page, url: string): Promise<void> {
  const { connectorToken } = JSON.parse(readFileSync(join(folder, 'demo-secrets.json'), 'utf8'));
  const files = new Map<string, CustomerPage>();
  const site = await serveCustomerSite(
    { urls: { platform: await demo.urlOf('platform') } },
    { token: connectorToken, render: (path) => files.get(path) ?? null },
  );
  const setup = new URLSearchParams({
    'w-endpoint': site.urls.proxy,
    'w-title': 'Ask "Ada" <now>',
    'w-accent': '#c2410c',
    'w-auto-open': 'true',
  });
  await inspect(page, `${url}install?${setup}`, () =>
    expect(page.frameLocator('iframe').getByText(/^Hello! I am a scripted agent/)).toBeVisible(),
  );
  const policy = (await readSnippet(page, 'CSP header')).replace(/^Content-Security-Policy:/, '');
  files.set('/', {
    body: html('', await readSnippet(page, 'Script tag')),
    // Exactly the policy of the snippet.
    headers: { 'content-security-policy': `default-src 'none'; ${policy.replaceAll('\n', ' ')}` },
  });
  const main = '<div id="app"></div><script type="module" src="main.js"></script>';
  for (const kind of BUNDLED) {
    const bundle = await bundleSnippet(kind, await readSnippet(page, kind));
    for (const [path, body] of bundle)
      files.set(`/${kind}${path}`, { body, type: path.endsWith('.css') ? 'text/css' : 'text/javascript' });
    files.set(`/${kind}/`, { body: html(main) });
  }
  files.set('/turbo.js', { body: TURBO, type: 'text/javascript' });
  for (const [name, write] of Object.entries(SYSTEMS))
    files.set(`/${encodeURIComponent(name)}/`, { body: write(await readSnippet(page, name)) });
  // Each is a separate visitor.
  const embedded = [...BUNDLED, ...Object.keys(SYSTEMS)].map((name) => [
    name,
    `${encodeURIComponent(name)}/`,
  ]);
  for (const [name, path] of [['Script tag', ''], ...embedded]) {
    const visitor = await (await page.context().browser()?.newContext())?.newPage();
    if (visitor === undefined) throw new Error('The browser has gone.');
    await visitor.goto(`${site.urls.site}/${path}`);
    await expectAnswer(visitor, name ?? '');
    await visitor.context().close();
  }
  await site.close();
}

/** Adds half a day of states to each rule, because the platform evaluates once a minute. */
async function addStates(route: Route): Promise<void> {
  if (route.request().method() !== 'GET') return await route.fallback();
  const response = await route.fetch();
  const answer = await response.json();
  const hours = (count: number): number => answer.to_ms - count * 3_600_000;
  const states = answer.rules.flatMap(({ id }: { id: string }) =>
    (
      [
        ['no_data', 12],
        ['ok', 10],
        ['alert', 6],
        ['ok', 5],
        ['alert', 2],
        ['ok', 1.5],
      ] as const
    ).map(([state, ago]) => ({ rule_id: id, state, value: null, at_ms: hours(ago) })),
  );
  await route.fulfill({ json: { ...answer, states } });
}

test('the views of the console can be found by palette, searched, exported, shared and erased', async ({
  page,
}) => {
  // axe checks twenty-five views, each of them four times.
  test.setTimeout(120_000 * PATIENCE);
  const url = await demo.urlOf('console');
  await ask('Is there a ferry on Sunday?');
  await ask('When does the ferry to Tarrow leave?');
  // This platform has no OpenID provider.
  await page.route('**/desk/api/sign-in-options', (route) => route.fulfill({ json: { oidc: 'Kittiwake' } }));
  await inspect(page, `${url}?sign_in=unknown_person`, async () => {
    await expect(page.getByRole('alert')).toContainText('Ask an admin to invite you.');
    await expect(page.getByRole('link', { name: 'Sign in with Kittiwake' })).toHaveAttribute(
      'href',
      '/desk/api/oidc/start',
    );
    expect(page.url()).toBe(url);
  });
  await signIn(page);
  await expect(page.getByRole('heading', { name: 'Desk' })).toBeVisible();
  await page.setViewportSize({ width: 360, height: 640 });
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await page.getByRole('link', { name: 'Knowledge' }).press('Escape');
  await expect(page.getByRole('button', { name: 'Open the menu' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Knowledge' })).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 760 });
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: /^Search pages/ });
  await expect(palette).toBeVisible();
  expect(await findViolations(page), 'the palette').toEqual([]);
  await palette.fill('conversations');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Conversations' })).toBeVisible();
  const listed = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem');
  await expect(listed.first()).toContainText('When does the ferry to Tarrow leave?');
  await page.getByLabel('Order').selectOption('Oldest first');
  await expect(listed.first()).toContainText('Is there a ferry on Sunday?');
  await page.getByLabel('Order').selectOption('Newest first');
  await page.getByLabel('Search', { exact: true }).fill('tarrow');
  await page.keyboard.press('Enter');
  const found = page.getByRole('link', { name: /When does the ferry to Tarrow leave/ });
  await expect(found).toBeVisible();
  // The address contains the search.
  await page.reload();
  await expect(found).toBeVisible();

  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  expect(readFileSync(await file.path(), 'utf8')).toContain('When does the ferry to Tarrow leave?');

  // A visitor without a widget sends no ratings, and the script stores no state.
  await page.route(/\/console\/api\/conversations\/[^/?]+$/, async (route) => {
    if (route.request().method() !== 'GET') return await route.fallback();
    const response = await route.fetch();
    const { conversation, ...rest } = await response.json();
    const feedback = { turn: conversation.turns.length, rating: 'down', reason: 'The 9:20 is missing.' };
    const metrics = { ...conversation.metrics, FEEDBACK: JSON.stringify(feedback) };
    const states = { [feedback.turn]: { place: 'Tarrow', seen: ['ferries', 'fares'] } };
    await route.fulfill({ json: { ...rest, states, conversation: { ...conversation, metrics } } });
  });
  await found.click();
  const transcript = page.getByRole('region', { name: 'Transcript' });
  await expect(transcript).toContainText('When does the ferry to Tarrow leave?');
  const conversation = page.url();
  await inspect(page, conversation, async () => {
    await expect(transcript).toContainText('thumbs down');
    await expect(transcript).toContainText('The 9:20 is missing.');
    await transcript.getByText('State after this turn').click();
    await expect(transcript).toContainText('["ferries","fares"]');
    const life = page.getByRole('region', { name: 'Timeline' });
    await life.getByRole('button', { name: 'Show' }).click();
    await expect(life.getByRole('listitem').first()).toContainText('turn 1 on record');
    await expect(life).not.toContainText('ferry to Tarrow');
    await life.getByLabel('Show messages').check();
    await expect(life).toContainText('When does the ferry to Tarrow leave?');
  });
  await inspect(page, `${url}conversations`, () => expect(found).toBeVisible());
  // In a narrow window the badges fit below the text, also after the window has become narrow.
  const heightOf = (each: Locator) => each.evaluate((element) => element.getBoundingClientRect().height);
  const wide = await heightOf(found);
  await page.setViewportSize({ width: 360, height: 760 });
  // The list is on the first screen, with its filters in reach.
  await expect(page.getByLabel('Channel')).toBeHidden();
  await expect(found).toBeInViewport();
  await page.getByText('Filters', { exact: true }).click();
  await expect(page.getByLabel('Channel')).toBeVisible();
  await expect.poll(() => heightOf(found)).toBeGreaterThan(wide);
  await page.setViewportSize({ width: 1280, height: 760 });
  await inspect(page, `${url}knowledge`, () =>
    expect(page.getByRole('table', { name: /^Articles/ })).toBeVisible(),
  );
  await inspect(page, `${url}knowledge/new?question=Can+I+bring+a+trampoline%3F`, () =>
    expect(page.getByText('No answer')).toBeVisible(),
  );
  await inspect(page, `${url}overview`, async () => {
    await expect(page.getByText('Not answered')).toBeVisible();
    await expect(page.getByText('Satisfaction').first()).toBeVisible();
    await page.getByRole('region', { name: 'Volume' }).getByRole('button', { name: 'Table' }).click();
    await expect(page.getByRole('table', { name: /^Volume/ })).toBeVisible();
    const table = (chart: string): Locator =>
      page.getByRole('region', { name: chart, exact: true }).getByRole('button', { name: 'Table' });
    await expectForced(page, table('Volume'), table('Answer latency'));
    const views = page.getByRole('navigation', { name: 'Views' });
    await expectForced(
      page,
      views.getByRole('link', { name: 'Overview' }),
      views.getByRole('link', { name: 'Live' }),
    );
  });

  await inspect(page, `${url}operations`, async () => {
    const nodes = page.getByRole('table', { name: 'Nodes of the platform' });
    await expect(nodes.getByRole('row', { name: /embedded/ })).toContainText('s left');
  });
  for (const part of ['connectors', 'retention'])
    await inspect(page, `${url}operations/${part}`, () =>
      expect(page.getByRole('table').first()).toContainText(part === 'retention' ? 'indefinitely' : 'active'),
    );
  await inspect(page, `${url}operations/keys`, async () => {
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('crm');
    expect(await findViolations(page), 'a new key').toEqual([]);
    await page.keyboard.press('Enter');
    await expect(page.getByText(/^nak_/)).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Revoke crm/ }).click();
    await expect(page.getByRole('dialog')).toContainText('It has never been used.');
    await page.getByRole('button', { name: 'Revoke crm', exact: true }).click();
    await expect(page.getByRole('row', { name: /^crm/ })).toContainText('revoked');
  });

  // The receiver accepts the signature of the platform's delivery.
  await page.goto(`${url}alerts/receiver`);
  await page.getByRole('button', { name: /^200/ }).click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByText('Signature valid', { exact: true })).toBeVisible();
  await inspect(page, `${url}alerts/receiver`, async () => {
    await expect(page.getByText('Signature valid', { exact: true })).toBeVisible();
    const parts = page.getByRole('navigation', { name: 'Parts of Alerts and webhooks' });
    await expectForced(
      page,
      parts.getByRole('link', { name: 'Receiver' }),
      parts.getByRole('link', { name: 'Rules' }),
    );
  });
  await inspect(page, `${url}alerts/deliveries`, async () => {
    await page.getByRole('button', { name: 'Show alerts.triggered' }).click();
    await expect(page.getByRole('dialog')).toContainText('Test from the console');
    await expect(page.getByRole('region', { name: 'Attempts' })).toContainText('HTTP 200');
  });
  await inspect(page, `${url}alerts/endpoints`, () =>
    expect(page.getByText('No endpoints yet')).toBeVisible(),
  );
  await page.route(/\/console\/api\/alert-rules\?/, addStates);
  await inspect(page, `${url}alerts`, async () => {
    const newRule = page.getByRole('button', { name: 'New rule' });
    await newRule.press('Enter');
    await expect(page.getByLabel('Name')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(newRule).toBeFocused();
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await expect(newRule).toBeFocused();
    await newRule.click();
    await page.getByLabel('Name').fill('Slow answers');
    await page.getByLabel('Threshold').fill('3000');
    await page.keyboard.press('Enter');
    const row = page.getByRole('row', { name: /^Slow answers/ });
    await expect(row).toContainText('> 3,000 ms');
    const bars = row.getByRole('img', { name: 'It fired 2 times, for 90 min in all.' });
    const sizes = await bars.locator('rect').evaluateAll((all) =>
      all.map((each) => {
        const { width, height } = each.getBoundingClientRect();
        return { state: each.getAttribute('data-state'), width, height };
      }),
    );
    expect(sizes.map(({ state }) => state)).toEqual(['no_data', 'ok', 'alert', 'ok', 'alert', 'ok']);
    // Firing alerts also differ by height, and every state is visible.
    const [, calm, firing] = sizes;
    expect(firing?.height).toBeGreaterThan(2 * (calm?.height ?? 0));
    for (const { width } of sizes) expect(width).toBeGreaterThan(1);
  });

  await inspect(page, `${url}try`, async () => {
    await page.getByRole('button', { name: 'Reserve' }).click();
    await expect(page.getByText(/^Reserved for the next call: \+44/)).toBeVisible();
    await expect(page.getByRole('region', { name: 'On the command line' })).toContainText('YOUR_KEY');
  });
  await inspect(page, `${url}try/events`, () => expect(page.getByText('No pending events')).toBeVisible());
  await inspect(page, `${url}try/voice`, async () => {
    await page.getByRole('button', { name: 'Play' }).click();
    const player = page.locator('audio');
    await expect(player).toBeVisible();
    await expect.poll(() => player.evaluate((each: HTMLAudioElement) => each.duration)).toBeGreaterThan(1);
  });

  await page.goto(conversation);
  await page.getByRole('button', { name: 'Erase' }).click();
  await page.getByRole('button', { name: 'Erase permanently' }).click();
  await expect(page.getByText('Conversation erased.')).toBeVisible();
  await expect(listed.first()).toContainText('Is there a ferry on Sunday?');
  await expect(found).toHaveCount(0);
});

test('a published article applies to the next answer; snippets from Install work where they are pasted', async ({
  page,
}) => {
  // Bundles a page for each of three snippets, and asks a question as a new visitor of eleven pages.
  test.setTimeout(150_000 * PATIENCE);
  const url = await demo.urlOf('console');
  await page.goto(url);
  await signIn(page);
  await publishArticle(page, url);
  await pasteSnippets(page, url);
});

test('Install writes the tag with the address of this installation, and asks for one that the platform does not know', async ({
  page,
}) => {
  const url = await demo.urlOf('console');
  const proxy = new URL(await demo.urlOf('proxy')).origin;
  await page.goto(url);
  await signIn(page);
  await page.goto(`${url}install`);
  const tab = page.getByRole('tab', { name: 'Script tag', exact: true });
  await expect(tab).toBeVisible();
  expect(await readSnippet(page, 'Script tag')).toBe(`<script src="${proxy}/natter.js" defer></script>`);
  expect(await readSnippet(page, 'WordPress')).toContain(`${proxy}/natter.js`);

  await page.route('**/console/api/me', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), token_proxy_url: null } });
  });
  await inspect(page, `${url}install`, () =>
    expect(page.getByRole('heading', { name: 'Your script tag' })).toBeVisible(),
  );
  await expect(tab).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Copy script tag' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Enter the address' }).click();
  await expect(page.getByLabel('Address of your token proxy')).toBeFocused();
  await page.keyboard.type('https://chat.shop.test/');
  expect(await readSnippet(page, 'Script tag')).toBe(
    '<script src="https://chat.shop.test/natter.js" defer></script>',
  );

  await page.setViewportSize({ width: 360, height: 760 });
  const tops = await page
    .locator('.page-actions button')
    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
  expect(tops).toHaveLength(3);
  expect(new Set(tops).size, 'lines of buttons on a phone').toBe(1);
});

test('Install checks a site, and says what is wrong and what to paste', async ({ page }) => {
  const url = await demo.urlOf('console');
  const proxy = new URL(await demo.urlOf('proxy')).origin;
  const tag = `<script src="${proxy}/natter.js" defer></script>`;
  const site = createServer(({ url: path }, response) => {
    const policy = path === '/strict' ? { 'content-security-policy': "default-src 'self'" } : {};
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...policy });
    response.end(html('', path === '/empty' ? '' : tag));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const address = `localhost:${(site.address() as AddressInfo).port}`;
  await page.goto(url);
  await signIn(page);
  const card = page.getByRole('region', { name: 'Check my site' });
  const findings = card.getByRole('list', { name: 'Findings' }).getByRole('listitem');
  const check = async (typed: string): Promise<void> => {
    await card.getByLabel('Address of a page').fill(typed);
    await page.keyboard.press('Enter');
    await expect(card.getByText(`http://${typed}`)).toBeVisible();
  };
  await page.goto(`${url}install`);
  await check(`${address}/empty`);
  const missing = findings.filter({ hasText: 'The tag is not in the page’s HTML.' });
  await expect(missing).toContainText(tag);
  await check(`${address}/strict`);
  await expect(findings.filter({ hasText: 'Content-Security-Policy' })).toContainText(
    `script-src 'self' ${proxy}`,
  );
  // The demo's proxy only accepts the demo's own page.
  await expect(findings.first()).toContainText('(problem)');
  await expect(findings.filter({ hasText: 'NATTER_ALLOWED_ORIGINS' })).toContainText(`http://${address}`);
  const looks = async (): Promise<void> => await expect(findings.first()).toBeVisible();
  await inspect(page, `${url}install?site=${encodeURIComponent(await demo.urlOf('demo'))}`, async () => {
    await card.getByRole('button', { name: 'Check my site' }).click();
    await looks();
  });
  await expect(findings.filter({ hasText: 'The tag is on the page, once.' })).toContainText('(fine)');
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
});

test('an agent who signs in sees the desk, and without one reads why there is nothing to do', async ({
  page,
}) => {
  const url = await demo.urlOf('console');
  await page.goto(url);
  await signIn(page, 'grace@example.com');
  await expect(page.getByRole('switch', { name: 'Available' })).toBeVisible();
  await page.route('**/console/api/me', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), has_desk: false } });
  });
  await inspect(page, url, () =>
    expect(page.getByText('Conversations are not handed to people here.')).toBeVisible(),
  );
});
