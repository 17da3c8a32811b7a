import type { CDPSession, Page } from '@playwright/test';
import { createHistory, openChatPage } from './chat-page.ts';

/**
 * What the widget costs the page it is on, in Chromium: until the launcher is visible, from the click to an open
 * panel, a long answer that streams, a long history, and a key press under that history. Times are medians of RUNS
 * pages; long tasks are those over 50 ms, and the longest of all runs is given.
 */
const RUNS = 5;
const SLOWER = 4;
const ANSWERS = [500, 1_000, 2_000, 4_000];
const HISTORIES = [5_000, 20_000];
const KEYS = 20;
const SETTLE_MS = 400;

interface Opened {
  readonly page: Page;
  readonly devtools: CDPSession;
}

type Moment = 'ready' | 'answered' | 'restored';

/** Runs in the page before everything else: notes when things happened. */
function instrument(): void {
  const longTasks: number[] = [];
  const marks: Record<string, number> = {};
  const root = () => document.querySelector('natter-chat')?.shadowRoot;
  const hasCome: Record<Moment, () => boolean> = {
    ready: () => root()?.activeElement?.tagName === 'TEXTAREA',
    answered: () => root()?.querySelector('[data-author=agent][data-streaming=false]') != null,
    restored: () => {
      const texts = root()?.querySelectorAll('[data-author=agent] [data-part=text]');
      return (
        texts?.item(texts.length - 1)?.textContent?.includes(`Ferry ${location.hash.slice(1)} `) ?? false
      );
    },
  };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration);
  }).observe({ type: 'longtask' });
  addEventListener(
    'click',
    () => {
      marks['click'] ??= performance.now();
    },
    true,
  );
  const { addEventListener: add } = WebSocket.prototype;
  WebSocket.prototype.addEventListener = function (this: WebSocket, type: string, listener: never) {
    if (type === 'message') {
      add.call(this, type, (event) => {
        const { data } = event as MessageEvent<string>;
        if (data.includes('MESSAGE_CHUNK')) marks['chunk'] ??= performance.now();
        if (data.includes('EVENT_BATCH')) marks['batch'] ??= performance.now();
      });
    }
    add.call(this, type, listener);
  };
  Reflect.set(window, 'bench', {
    longTasks,
    /** Milliseconds from a mark to the paint on which a moment has come. */
    timeUntil: (mark: string, moment: Moment) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (!hasCome[moment]()) requestAnimationFrame(look);
          else setTimeout(() => resolve(performance.now() - (marks[mark] ?? Number.NaN)));
        };
        requestAnimationFrame(look);
      }),
  });
}

interface Bench {
  readonly longTasks: readonly number[];
  timeUntil(mark: string, moment: Moment): Promise<number>;
}

const chat = await openChatPage();

async function open(path: string, slower = 1): Promise<Opened> {
  const page = await chat.browser.newPage();
  await page.addInitScript(instrument);
  const devtools = await page.context().newCDPSession(page);
  // Processor time: what else runs on the machine is not the widget's.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await page.goto(chat.origin + path);
  return { page, devtools };
}

const launcher = (page: Page) => page.getByRole('button', { name: /open chat/i });

const timeUntil = (page: Page, mark: string, moment: Moment): Promise<number> =>
  page.evaluate(([from, to]) => (Reflect.get(window, 'bench') as Bench).timeUntil(from, to), [
    mark,
    moment,
  ] as const);

const longTasks = (page: Page): Promise<readonly number[]> =>
  page.evaluate(() => (Reflect.get(window, 'bench') as Bench).longTasks);

/** Milliseconds that the page's main thread has worked so far. */
async function workedMs({ devtools }: Opened): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
}

async function heapMb({ devtools }: Opened): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1e6;
}

/** Medians, column by column, of what several pages give. */
async function repeat(measure: () => Promise<readonly number[]>, runs = RUNS): Promise<readonly number[]> {
  const rows: (readonly number[])[] = [];
  for (let run = 0; run < runs; run += 1) rows.push(await measure());
  return (rows[0] ?? []).map((_, column) => {
    const values = rows.map((row) => row[column] ?? Number.NaN).sort((a, b) => a - b);
    return values[Math.floor(runs / 2)] ?? Number.NaN;
  });
}

async function untilVisible(path: string): Promise<number> {
  const opened = await open(path, SLOWER);
  if (path === '/widget') await launcher(opened.page).waitFor();
  await opened.page.waitForTimeout(SETTLE_MS);
  const worked = await workedMs(opened);
  await opened.page.close();
  return worked;
}

async function untilOpen(isPointedAt: boolean): Promise<readonly number[]> {
  const { page } = await open('/widget', SLOWER);
  if (isPointedAt) {
    await launcher(page).hover();
    await page.waitForTimeout(SETTLE_MS * 2);
  }
  await launcher(page).click();
  const time = await timeUntil(page, 'click', 'ready');
  await page.close();
  return [time];
}

async function answer(chunks: number): Promise<readonly number[]> {
  const { page } = await open('/widget');
  await launcher(page).click();
  await page.getByText('Ada').first().waitFor();
  await page.waitForTimeout(SETTLE_MS);
  const before = (await longTasks(page)).length;
  const done = timeUntil(page, 'chunk', 'answered');
  chat.stream(chunks);
  const time = await done;
  const tasks = (await longTasks(page)).slice(before);
  await page.close();
  return [time, tasks.length, Math.max(0, ...tasks)];
}

async function history(count: number): Promise<readonly number[]> {
  const opened = await open(`/widget#${count - 1}`);
  const { page } = opened;
  await launcher(page).click();
  const time = await timeUntil(page, 'batch', 'restored');
  await page.waitForTimeout(SETTLE_MS);
  const nodes = await page.evaluate(
    () => document.querySelector('natter-chat')?.shadowRoot?.querySelectorAll('*').length ?? 0,
  );
  const heap = await heapMb(opened);
  const before = await workedMs(opened);
  await page.keyboard.type('a'.repeat(KEYS), { delay: 40 });
  const keyMs = ((await workedMs(opened)) - before) / KEYS;
  const longest = Math.max(0, ...(await longTasks(page)));
  await page.close();
  return [time, longest, nodes, heap, keyMs];
}

const row = (name: string, ...cells: readonly string[]): void =>
  console.log(name.padEnd(44), ...cells.map((cell) => cell.padStart(16)));
const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

try {
  console.log(`slowed down ${SLOWER} times (Emulation.setCPUThrottlingRate)`);
  const [bare = 0] = await repeat(async () => [await untilVisible('/empty')]);
  const [visible = 0] = await repeat(async () => [await untilVisible('/widget')]);
  row('launcher visible: main thread', ms(visible - bare), `page ${ms(bare)}`);
  row('click to ready for typing, pointed at before', ms((await repeat(() => untilOpen(true)))[0] ?? 0));
  row('click to ready for typing, out of nowhere', ms((await repeat(() => untilOpen(false)))[0] ?? 0));

  console.log('\nnot slowed down');
  for (const chunks of ANSWERS) {
    const [time = 0, tasks = 0, longest = 0] = await repeat(() => answer(chunks));
    row(
      `answer of ${chunks} chunks (${(chunks * 12) / 1000} kB)`,
      ms(time),
      `${((time * 1000) / chunks).toFixed(0)} µs/chunk`,
      `${tasks} long tasks`,
      `longest ${ms(longest)}`,
    );
  }
  const heaps = new Map<number, number>();
  for (const count of [2, ...HISTORIES]) {
    chat.setHistory(createHistory(count));
    const [time = 0, longest = 0, nodes = 0, heap = 0, keyMs = 0] = await repeat(() => history(count), 3);
    heaps.set(count, heap);
    row(
      `${count} messages of history`,
      ms(time),
      `longest ${ms(longest)}`,
      `${nodes} nodes`,
      `+${(heap - (heaps.get(2) ?? 0)).toFixed(1)} MB`,
      `key press ${ms(keyMs)}`,
    );
  }
} finally {
  await chat.close();
}
