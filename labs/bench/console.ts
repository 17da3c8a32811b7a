import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BrowserContext, Page } from '@playwright/test';
import { keepSecrets } from '../../demo/demo-config.ts';
import { startDemo } from '../../demo/start-demo.ts';
import { launchChromium } from '../../test/chromium/launch-chromium.ts';

/**
 * Requests and time of each view of the console on 100,000 conversations: opened by its address, and from another view. Ready
 * means that nothing on the page is loading any more. `--only PATH` chooses a view and may be given several times.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '.natter/bench-console' },
    rounds: { type: 'string', default: '3' },
    conversations: { type: 'string', default: '100000' },
    only: { type: 'string', multiple: true },
  },
});
const ROUNDS = Number(values.rounds);
// Below the limit of a person's calls: those that read much count five.
const PAUSE_MS = 1_500;

/** Paths below the console's own, and the names of the links that lead there; null: a page below a view. */
const VIEWS: readonly (readonly [path: string, link: string | null])[] = [
  ['desk', 'Desk'],
  ['live', 'Live'],
  ['service-levels', 'Service levels'],
  ['people', 'People and roles'],
  ['overview', 'Overview'],
  ['conversations', 'Conversations'],
  ['knowledge', 'Knowledge'],
  ['install', 'Install'],
  ['alerts', 'Alerts and webhooks'],
  ['alerts/deliveries', null],
  ['try', 'Numbers, events, voice'],
  ['try/events', null],
  ['operations', 'Operations'],
  ['operations/keys', null],
  ['operations/retention', null],
  ['audit', 'Audit log'],
];

interface Opened {
  readonly requests: number;
  readonly ms: number;
}

/** In the page: resolves with the time at which everything was there, once that has lasted. */
async function waitUntilReady(sinceMs: number): Promise<number> {
  const LASTING_MS = 400;
  const isReady = (): boolean =>
    document.querySelector('main h1') !== null &&
    document.querySelector('main [aria-busy="true"], [data-loading="true"]') === null;
  let readyAt: number | null = null;
  for (;;) {
    const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    readyAt = isReady() ? (readyAt ?? now) : null;
    if (readyAt !== null && now - readyAt > LASTING_MS) return readyAt - sinceMs;
  }
}

/** Does something in a page, and measures until the view is ready. */
async function measure(page: Page, open: () => Promise<number>): Promise<Opened> {
  let requests = 0;
  const count = (): void => {
    requests += 1;
  };
  page.on('request', count);
  page.on('response', refuseFailure);
  const sinceMs = await open();
  const ms = await page.evaluate(waitUntilReady, sinceMs);
  page.off('request', count);
  page.off('response', refuseFailure);
  await page.waitForTimeout(PAUSE_MS);
  return { requests, ms };
}

function refuseFailure(response: { status(): number; url(): string }): void {
  if (response.status() >= 400) throw new Error(`${response.url()} answered ${response.status()}.`);
}

/** By its address: a new page of a browser that has been here before. */
async function openByAddress(context: BrowserContext, address: string): Promise<Opened> {
  const page = await context.newPage();
  const opened = await measure(page, async () => {
    await page.goto(address, { waitUntil: 'commit' });
    return 0;
  });
  await page.close();
  return opened;
}

/** From another view, as people do: answers that are still fresh are not asked for again, so that each time is a new page. */
async function openByLink(context: BrowserContext, start: string, link: string): Promise<Opened> {
  const page = await context.newPage();
  await page.goto(start);
  await page.evaluate(waitUntilReady, 0);
  const opened = await measure(page, () =>
    page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: link, exact: true })
      .evaluate((element: HTMLElement) => {
        element.click();
        return performance.now();
      }),
  );
  await page.close();
  return opened;
}

const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
const format = (opened: readonly Opened[]): string =>
  `${medianOf(opened.map(({ requests }) => requests))} | ${Math.round(medianOf(opened.map(({ ms }) => ms)))}`;

async function measureViews(context: BrowserContext, url: string): Promise<void> {
  console.log(
    '| View | Requests, by address | ms | Requests, from another view | ms |\n|---|---|---|---|---|',
  );
  for (const [path, link] of VIEWS.filter((view) => values.only?.includes(view[0]) ?? true)) {
    const [byAddress, byLink]: [Opened[], Opened[]] = [[], []];
    // The first time fills the browser's cache and the database's.
    for (let round = 0; round <= ROUNDS; round += 1) {
      byAddress.push(await openByAddress(context, `${url}${path}`));
      const start = path === 'people' ? 'audit' : 'people';
      if (link !== null) byLink.push(await openByLink(context, `${url}${start}`, link));
    }
    const warm = format(byAddress.slice(1));
    console.log(`| ${path} | ${warm} | ${link === null ? ' | ' : format(byLink.slice(1))} |`);
  }
}

if (!existsSync(join(values.data, 'platform'))) {
  const seed = fileURLToPath(new URL('../seeding/run.ts', import.meta.url));
  const { conversations } = values;
  const options = ['--data', join(values.data, 'platform'), '--conversations', conversations];
  const args = ['--conditions=@natter/source', seed, ...options];
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) process.exit(1);
}
const browser = await launchChromium();
const demo = await startDemo({
  ...{ portBase: null, dataDir: values.data, configFile: null, platformUrl: null, hasDesk: true },
  onProgress() {},
  onCrash(message) {
    throw new Error(message);
  },
});
try {
  const url = demo.urls.console ?? '';
  const { deskPassword: password } = keepSecrets(values.data);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel('Email address').fill('rita@example.com');
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
  await page.close();
  await measureViews(context, url);
} finally {
  await browser.close();
  await demo.close();
}
