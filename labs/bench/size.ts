import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Page } from '@playwright/test';
import { createHistory, openChatPage } from './pages/chat-page.ts';

const BYTES_PER_KB = 1000;

/**
 * The measured size plus about one per cent, brotli, in bytes; over it the check fails. Each sum is that of all scripts that a browser has
 * requested up to that moment, so that no split of the files changes it.
 */
const BUDGETS = {
  'loader, before anybody opens the chat': 3.74 * BYTES_PER_KB,
  'an open chat, in English': 59.9 * BYTES_PER_KB,
  'the same, once the browser was idle': 68.9 * BYTES_PER_KB,
  'the first answered question': 68.9 * BYTES_PER_KB,
} as const;

type Moment = keyof typeof BUDGETS;

/** Figures of the README may be this share above or below the measurement. */
const TOLERANCE = 0.01;

/** The sizes in the README, in bytes. */
function readClaims(): Partial<Record<Moment, number>> {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, loader, open, idle] =
    /\*\*Small\.\*\* ([\d.]+) kB .*?, ([\d.]+) kB .*?, ([\d.]+) kB/.exec(readme) ?? [];
  return {
    'loader, before anybody opens the chat': Number(loader) * BYTES_PER_KB,
    'an open chat, in English': Number(open) * BYTES_PER_KB,
    'the same, once the browser was idle': Number(idle) * BYTES_PER_KB,
  };
}

const brotliBytes = (bytes: Uint8Array): number =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).byteLength;
const kb = (bytes: number): string => `${(bytes / BYTES_PER_KB).toFixed(2)} kB`.padStart(10);

interface LoadedScript {
  readonly name: string;
  readonly rawBytes: number;
  readonly brotliBytes: number;
}

/** Notes each script that `page` loads, with its size. */
function watchScripts(page: Page): () => Promise<readonly LoadedScript[]> {
  const scripts: Promise<LoadedScript>[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith('.js')) return;
    const name = pathname.replace(/-[0-9a-f]{8}(?=\.js$)/, '');
    scripts.push(
      response.body().then((body) => ({ name, rawBytes: body.byteLength, brotliBytes: brotliBytes(body) })),
    );
  });
  return () => Promise.all(scripts);
}

const chatPage = await openChatPage();
chatPage.setHistory(createHistory(0));
const loadedAt = new Map<Moment, readonly LoadedScript[]>();

/** Opens the page, then its chat, and returns the page with the scripts that it has loaded so far. */
async function openChat(savesData: boolean) {
  const page = await chatPage.browser.newPage({ locale: 'en-GB' });
  const loaded = watchScripts(page);
  if (savesData)
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'connection', { value: { saveData: true } }),
    );
  await page.goto(`${chatPage.origin}/widget`, { waitUntil: 'networkidle' });
  const launcher = page.getByRole('button', { name: /chat/i });
  await launcher.waitFor();
  loadedAt.set('loader, before anybody opens the chat', await loaded());
  const connected = chatPage.nextSocket();
  const ahead = savesData ? null : page.waitForResponse(/\/markdown-[0-9a-f]{8}\.js$/);
  await launcher.click();
  await page.getByRole('dialog').getByRole('textbox').waitFor();
  await connected;
  await ahead;
  await page.waitForLoadState('networkidle');
  return { page, loaded };
}

// Nothing is fetched ahead for a visitor who saves data.
const { page, loaded } = await openChat(true);
loadedAt.set('an open chat, in English', await loaded());
loadedAt.set('the same, once the browser was idle', await (await openChat(false)).loaded());

const dialog = page.getByRole('dialog');
await dialog.getByRole('textbox').fill('When does the ferry leave?');
await page.keyboard.press('Enter');
chatPage.stream(20);
await dialog.locator('[data-streaming=false]').waitFor();
await page.waitForLoadState('networkidle');
loadedAt.set('the first answered question', await loaded());
await chatPage.close();

const claims = readClaims();
let isWrong = false;
const listed = new Set<string>();
for (const [moment, scripts] of loadedAt) {
  for (const { name, rawBytes, brotliBytes } of scripts) {
    if (!listed.has(name)) console.log(`  ${name.padEnd(40)} ${kb(rawBytes)} ${kb(brotliBytes)}`);
    listed.add(name);
  }
  const sum = scripts.reduce((total, script) => total + script.brotliBytes, 0);
  const limit = BUDGETS[moment];
  const isHeld = sum > 0 && sum <= limit;
  const claim = claims[moment];
  // An unreadable figure does not agree.
  const isClaimed = claim === undefined || Math.abs(claim - sum) <= claim * TOLERANCE;
  isWrong ||= !isHeld || !isClaimed;
  console.log(
    `${moment.padEnd(42)} ${kb(scripts.reduce((total, { rawBytes }) => total + rawBytes, 0))} ${kb(sum)} of ${kb(limit)}  ${isHeld ? 'ok' : 'over budget'}`,
  );
  if (!isClaimed)
    console.log(
      `  The README says ${kb(claim).trim()}: write what is measured there and into docs/measurements.md.`,
    );
}
process.exit(isWrong ? 1 : 0);
