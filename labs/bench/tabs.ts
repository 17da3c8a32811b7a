import { loadavg } from 'node:os';
import type { BrowserContext, Page } from '@playwright/test';
import { openChatPage } from './pages/chat-page.ts';

/**
 * How soon another tab has the socket when the one that had it is closed, beside how soon the first tab had one after the
 * click on its launcher. `--runs N` browsers' worth of tabs (default 5).
 */
const RUNS = Number(/--runs[ =](\d+)/.exec(process.argv.join(' '))?.[1] ?? 5);
const TABS = 12;

const chat = await openChatPage();

/** Milliseconds from the beginning of `act` to the next socket at the server. */
async function timeToSocket(act: () => Promise<unknown>): Promise<number> {
  const socket = chat.nextSocket();
  const startedAtMs = performance.now();
  const acted = act();
  await socket;
  const timeMs = performance.now() - startedAtMs;
  await acted;
  return timeMs;
}

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${chat.origin}/widget`);
  await page.getByRole('button', { name: /chat/i }).first().waitFor();
  return page;
}

async function openPanel(page: Page): Promise<void> {
  await page.getByRole('button', { name: /chat/i }).first().click();
  await page.getByText('Ada').first().waitFor();
}

function line(what: string, timesMs: readonly number[]): void {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const [median = Number.NaN, longest = Number.NaN] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  console.log(
    `| ${what.padEnd(42)} | ${median.toFixed(0).padStart(6)} ms | ${longest.toFixed(0).padStart(7)} ms |`,
  );
}

try {
  const first: number[] = [];
  const next: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const context = await chat.browser.newContext();
    const leader = await openTab(context);
    first.push(await timeToSocket(() => openPanel(leader)));
    for (let tabs = 1; tabs < TABS; tabs += 1) await openPanel(await openTab(context));
    next.push(await timeToSocket(() => leader.close()));
    await context.close();
  }
  console.log(
    `Chromium ${chat.browser.version()}, ${TABS} tabs, ${RUNS} runs, load ${loadavg()[0]?.toFixed(1)}\n`,
  );
  console.log('| What | Median | Longest |\n|---|---|---|');
  line('click on the launcher to the first socket', first);
  line('tab with the socket closed to the next one', next);
} finally {
  await chat.close();
}
