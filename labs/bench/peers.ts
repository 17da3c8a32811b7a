import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createChunks, createHistory, openChatPage } from './pages/chat-page.ts';
import { workedMs } from './pages/widget-page.ts';
import { buildPeers, openPeerServer } from './peers/widgets/server.ts';
import { instrument, type Streamed, type WatchedPage, watchOf } from './peers/widgets/watch-page.ts';
import { type PeerWidget, WIDGETS } from './peers/widgets/widgets.ts';

/**
 * Natter beside the chat widgets of others, in one browser and by turns: `npm run labs -- bench peers`, with `--runs N` pages of
 * each (default 3; their medians are printed), `--only ROW,ROW` and `--widgets NAME,NAME`.
 */
const option = (name: string): string | undefined =>
  new RegExp(`--${name}[ =](\\S+)`).exec(process.argv.join(' '))?.[1];
const RUNS = Number(option('runs') ?? 3);
const SLOWER = 4;
const CHUNKS = 2_000;
const MESSAGES = 5_000;
const KEYS = 20;
/** The end of the answer, which no other text has. */
const MARKER = 'The end.';
const SETTLE_MS = 800;
/** How long a widget may take for the figures of one page. */
const PATIENCE_MS = 60_000;
const FOLDER = fileURLToPath(new URL('./peers/widgets', import.meta.url));

const NAMES = option('widgets')?.split(',');
const CHOSEN = WIDGETS.filter(({ name }) => NAMES?.includes(name) ?? true);

if (CHOSEN.some(({ page }) => page)) {
  installPeers();
  await buildPeers();
}
const chat = await openChatPage();
const peers = await openPeerServer();

function installPeers(): void {
  if (existsSync(`${FOLDER}/node_modules`)) return;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: 'inherit' });
  if (status !== 0) throw new Error('The widgets to compare with could not be installed.');
}

async function open(widget: PeerWidget, { messages = 0, slower = 1 } = {}): Promise<WatchedPage> {
  chat.setHistory(createHistory(messages));
  const context = await chat.browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  // Requests of the peers' pages to other hosts, such as for fonts, are refused at once on every machine.
  await page.route(
    ({ hostname }) => hostname !== '127.0.0.1',
    (route) => route.abort(),
  );
  await page.addInitScript(instrument, widget);
  const devtools = await context.newCDPSession(page);
  // Processor time: what else runs on the machine is not the widget's.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await page.goto(widget.page ? `${peers.origin}/${widget.name}#${messages || ''}` : `${chat.origin}/widget`);
  return { page, devtools };
}

/** Closes the page with all that it has stored. */
const close = ({ page }: WatchedPage): Promise<void> => page.context().close();

/** The middle of an element, in pixels: the driver's own click would run code in the page. */
async function middleOf({ page }: WatchedPage, { host }: PeerWidget, selector: string) {
  const found = await page.waitForFunction(
    ([hostSelector, wanted]) => {
      const root = hostSelector ? document.querySelector(hostSelector)?.shadowRoot : document;
      const box = root?.querySelector(wanted)?.getBoundingClientRect();
      return box?.width ? ([box.x + box.width / 2, box.y + box.height / 2] as const) : null;
    },
    [host ?? '', selector] as const,
  );
  const middle = await found.jsonValue();
  if (!middle) throw new Error(`${selector} is not there.`);
  return middle;
}

async function click(opened: WatchedPage, widget: PeerWidget, selector: string): Promise<void> {
  const [x, y] = await middleOf(opened, widget, selector);
  await opened.page.mouse.click(x, y);
}

async function launcherVisible(widget: PeerWidget) {
  const opened = await open(widget, { slower: SLOWER });
  const visible = (await opened.page.evaluate(`(${watchOf})().visible`)) as number;
  await opened.page.waitForTimeout(SETTLE_MS);
  const worked = await workedMs(opened);
  await close(opened);
  return { visible, worked };
}

async function clickToReady(widget: PeerWidget) {
  const opened = await open(widget, { slower: SLOWER });
  const [x, y] = await middleOf(opened, widget, widget.launcher ?? '');
  await opened.page.waitForTimeout(SETTLE_MS * 2);
  const ready = opened.page.evaluate(`(${watchOf})().untilReady()`) as Promise<number>;
  await opened.page.evaluate('0');
  const before = await workedMs(opened);
  await opened.page.mouse.click(x, y);
  const time = await ready;
  const worked = (await workedMs(opened)) - before;
  await close(opened);
  return { ready: time, worked };
}

async function stream(widget: PeerWidget) {
  const opened = await open(widget);
  const { page } = opened;
  if (widget.launcher) await click(opened, widget, widget.launcher);
  await page.waitForTimeout(SETTLE_MS);
  if (widget.asksFirst) {
    await click(opened, widget, widget.field);
    await page.keyboard.type('When?');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(SETTLE_MS);
  }
  if (widget.page && !peers.isAwaited()) throw new Error(`${widget.name} does not wait for an answer.`);
  const streamed = page.evaluate(`(${watchOf})().untilStreamed('${MARKER}')`) as Promise<Streamed>;
  await page.evaluate('0');
  const startedAtMs = Date.now();
  if (widget.page) peers.stream(createChunks(CHUNKS));
  else chat.stream(CHUNKS);
  const { endedAtMs, frames, gap, longTasks } = await streamed;
  await close(opened);
  return { time: endedAtMs - startedAtMs, frames, gap, longTasks };
}

/** A long history from the click, then key presses under it. */
async function history(widget: PeerWidget) {
  const opened = await open(widget, { messages: MESSAGES });
  const { page, devtools } = opened;
  const launcher = widget.launcher ?? 'button';
  const [x, y] = await middleOf(opened, widget.launcher ? widget : { ...widget, host: '' }, launcher);
  await page.waitForTimeout(SETTLE_MS);
  const shown = page.evaluate(`(${watchOf})().untilText('erry ${MESSAGES - 1} ')`) as Promise<number>;
  await page.evaluate('0');
  await page.mouse.click(x, y);
  const time = await shown;
  await page.waitForTimeout(SETTLE_MS * 2);
  await click(opened, widget, widget.field);
  await page.waitForTimeout(SETTLE_MS);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.keyboard.type('a'.repeat(KEYS), { delay: 100 });
  await page.waitForTimeout(SETTLE_MS);
  const paints = (await page.evaluate(`(${watchOf})().keyPaints`)) as number[];
  await close(opened);
  return { time, keyPaint: median(paints), longest: Math.max(...paints) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const ms = (value: number): string =>
  value >= 10_000 ? `${(value / 1000).toFixed(0)} s` : `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const count = (value: number): string => String(value);

/** Rows of the table: which widgets have them, one measurement, and how each of its figures is called and written. */
const ROWS = {
  launcher: {
    has: () => true,
    measure: launcherVisible,
    figures: {
      visible: [`launcher or field visible, ${SLOWER}x`, ms],
      worked: ['main thread until the page is settled', ms],
    },
  },
  click: {
    has: ({ launcher }: PeerWidget) => launcher !== undefined,
    measure: clickToReady,
    figures: {
      ready: [`click until the field has the focus, ${SLOWER}x`, ms],
      worked: ['of that the main thread', ms],
    },
  },
  chunks: {
    has: ({ streams }: PeerWidget) => streams !== false,
    measure: stream,
    figures: {
      time: [`${CHUNKS} chunks as fast as they come`, ms],
      frames: ['frames that showed more of them', count],
      gap: ['longest time between two of these', ms],
      longTasks: ['tasks over 50 ms', count],
    },
  },
  history: {
    has: ({ takesHistory }: PeerWidget) => takesHistory !== false,
    measure: history,
    figures: {
      time: [`${MESSAGES} messages, from the click`, ms],
      keyPaint: [`key press to paint with them, ${SLOWER}x`, ms],
      longest: ['the longest key press', ms],
    },
  },
} as const;

type Figures = Readonly<Record<string, number>>;

/** No figures for a widget that takes too long: its page may never answer again, so all pages are closed. */
async function inTime(measuring: Promise<Figures>): Promise<Figures> {
  const isOver = new AbortController();
  const late = sleep(PATIENCE_MS, 'late' as const, { signal: isOver.signal }).catch(() => 'late' as const);
  const measured = await Promise.race([measuring, late]);
  isOver.abort();
  if (measured !== 'late') return measured;
  await Promise.all(chat.browser.contexts().map((context) => context.close()));
  // Its page is gone, and so are its figures.
  await measuring.catch(() => undefined);
  return {};
}

/** Measures one row of all widgets by turns. */
async function measureRow(name: keyof typeof ROWS, widgets: readonly PeerWidget[]): Promise<void> {
  const { has, measure, figures } = ROWS[name];
  const found = new Map<string, Figures[]>();
  // A browser's first pages pay for its own start.
  for (let run = -1; run < RUNS; run += 1) {
    for (const widget of widgets.filter(has)) {
      if (run < 0 && widget.page) continue;
      const measured = await inTime(measure(widget));
      if (run >= 0) found.set(widget.name, [...(found.get(widget.name) ?? []), measured]);
    }
  }
  for (const [key, [title, write]] of Object.entries(figures)) {
    const cells = widgets.map((widget) => {
      const values = found.get(widget.name)?.map((each) => each[key] ?? Number.NaN);
      if (!values) return '–';
      const value = median(values);
      return Number.isNaN(value) ? `over ${PATIENCE_MS / 1000} s` : write(value);
    });
    console.log(`| ${title} | ${cells.join(' | ')} |`);
  }
}

try {
  const rows = option('only')?.split(',') ?? Object.keys(ROWS);
  const load = loadavg()[0]?.toFixed(1);
  console.log(`Chromium ${chat.browser.version()}, medians of ${RUNS} pages, load ${load}\n`);
  console.log(`| | ${CHOSEN.map(({ name }) => name).join(' | ')} |`);
  console.log(`|---|${'---|'.repeat(CHOSEN.length)}`);
  for (const row of rows) {
    if (!(row in ROWS)) throw new Error(`--only takes ${Object.keys(ROWS).join(', ')}.`);
    await measureRow(row as keyof typeof ROWS, CHOSEN);
  }
} finally {
  await chat.close();
  await peers.close();
}
