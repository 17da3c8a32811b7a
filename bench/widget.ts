import { loadavg } from 'node:os';
import type { CDPSession, Page } from '@playwright/test';
import { createHistory, openChatPage } from './chat-page.ts';

/**
 * What the widget costs the page it is on, in Chromium, each figure beside its target and beside the same thing on a
 * page with a bare text field, measured in the same run: until the launcher is visible, from the click to an open
 * panel, a long answer that streams, a long history, and a key press under that history. Figures are medians of
 * `--runs N` pages (default 5); long tasks are those over 50 ms, and the longest is the median of the longest.
 */
const RUNS = Number(/--runs[ =](\d+)/.exec(process.argv.join(' '))?.[1] ?? 5);
const SLOWER = 4;
const CHUNKS = 2_000;
const MESSAGES = 20_000;
const KEYS = 20;
/** A page's own start is over by then, and what it still had to do counts for nothing that is measured after it. */
const SETTLE_MS = 400;

interface Opened {
  readonly page: Page;
  readonly devtools: CDPSession;
}

type Moment = 'ready' | 'answered' | 'restored';

/** Runs in the page before everything else: notes when things happened. */
function instrument(): void {
  const longTasks: number[] = [];
  const keyPaints: number[] = [];
  const marks: Record<string, number> = {};
  const root = () => document.querySelector('natter-chat')?.shadowRoot ?? document;
  const hasCome: Record<Moment, () => boolean> = {
    ready: () => root().activeElement?.tagName === 'TEXTAREA',
    answered: () => root().querySelector('[data-author=agent][data-streaming=false]') != null,
    restored: () => {
      const texts = root().querySelectorAll('[data-author=agent] [data-part=text]');
      return texts.item(texts.length - 1)?.textContent?.includes(`Ferry ${location.hash.slice(1)} `) ?? false;
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
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      // What runs first after a frame has been drawn runs once it has been painted.
      requestAnimationFrame(() => setTimeout(() => keyPaints.push(performance.now() - timeStamp)));
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
    keyPaints,
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
  readonly keyPaints: readonly number[];
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

const launcher = (page: Page) => page.getByRole('button', { name: /chat/i }).first();

const timeUntil = (page: Page, mark: string, moment: Moment): Promise<number> =>
  page.evaluate(([from, to]) => (Reflect.get(window, 'bench') as Bench).timeUntil(from, to), [
    mark,
    moment,
  ] as const);

const noted = (page: Page, name: 'longTasks' | 'keyPaints'): Promise<readonly number[]> =>
  page.evaluate((key) => (Reflect.get(window, 'bench') as Bench)[key], name);

/** Milliseconds that the page's main thread has worked so far. */
async function workedMs({ devtools }: Opened): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
}

async function heapMb({ devtools }: Opened): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1e6;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Medians, name by name, of what several pages give. */
async function repeat<Name extends string>(
  measure: () => Promise<Readonly<Record<Name, number>>>,
): Promise<Readonly<Record<Name, number>>> {
  const rows: Readonly<Record<Name, number>>[] = [];
  while (rows.length < RUNS) rows.push(await measure());
  const names = Object.keys(rows[0] ?? {}) as Name[];
  return Object.fromEntries(names.map((name) => [name, median(rows.map((row) => row[name]))])) as Record<
    Name,
    number
  >;
}

async function untilVisible(path: string) {
  const opened = await open(path, SLOWER);
  if (path === '/widget') await launcher(opened.page).waitFor();
  await opened.page.waitForTimeout(SETTLE_MS);
  const worked = await workedMs(opened);
  const longest = Math.max(0, ...(await noted(opened.page, 'longTasks')));
  await opened.page.close();
  return { worked, longest };
}

async function untilOpen(path: string, isPointedAt: boolean) {
  const opened = await open(path, SLOWER);
  const { page } = opened;
  if (isPointedAt) {
    await launcher(page).hover();
    await page.waitForTimeout(SETTLE_MS * 3);
  }
  const before = await workedMs(opened);
  await launcher(page).click();
  const time = await timeUntil(page, 'click', 'ready');
  const worked = (await workedMs(opened)) - before;
  await page.close();
  return { time, worked };
}

async function answer(path: string, chunks: number) {
  const opened = await open(path);
  const { page } = opened;
  await launcher(page).click();
  await page.getByText('Ada').first().waitFor();
  await page.waitForTimeout(SETTLE_MS);
  const earlier = (await noted(page, 'longTasks')).length;
  const before = await workedMs(opened);
  const done = timeUntil(page, 'chunk', 'answered');
  chat.stream(chunks);
  const time = await done;
  const worked = (await workedMs(opened)) - before;
  const longest = Math.max(0, ...(await noted(page, 'longTasks')).slice(earlier));
  await page.close();
  return { time, worked, longest };
}

async function history(path: string, count: number) {
  chat.setHistory(createHistory(count));
  const opened = await open(`${path}#${count - 1}`);
  const { page } = opened;
  const before = await workedMs(opened);
  await launcher(page).click();
  const time = await timeUntil(page, 'batch', 'restored');
  const worked = (await workedMs(opened)) - before;
  await page.waitForTimeout(SETTLE_MS * 2);
  const nodes = await page.evaluate(
    () => (document.querySelector('natter-chat')?.shadowRoot ?? document).querySelectorAll('*').length,
  );
  const heap = await heapMb(opened);
  const beforeKeys = await workedMs(opened);
  await page.keyboard.type('a'.repeat(KEYS), { delay: 50 });
  const keyWork = ((await workedMs(opened)) - beforeKeys) / KEYS;
  const keyPaint = median(await noted(page, 'keyPaints'));
  await page.close();
  return { time, worked, nodes, heap, keyWork, keyPaint };
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const line = (...cells: readonly string[]): void =>
  console.log(`| ${cells[0]?.padEnd(56)} | ${cells.slice(1).join(' | ')} |`);
let isOver = false;

/** One line of the table; `bare` is the same on a page with a text field and nothing else. */
function row(name: string, value: number, target: number, bare: number | null, write = ms): void {
  isOver ||= !(value < target);
  const verdict = value < target ? 'ok' : 'over';
  line(name, write(value), `< ${write(target)}`, verdict, bare === null ? '' : (value / bare).toFixed(2));
}

try {
  console.log(
    `Chromium ${chat.browser.version()}, medians of ${RUNS} pages, load ${loadavg()[0]?.toFixed(1)}\n`,
  );
  line('what', 'figure', 'target', '', 'times a bare page');
  line('---', '---', '---', '---', '---');
  const slowly = `at ${SLOWER} times CPU slow-down`;
  const empty = await repeat(() => untilVisible('/empty'));
  const visible = await repeat(() => untilVisible('/widget'));
  row(`launcher visible, main thread, ${slowly}`, visible.worked - empty.worked, 40, empty.worked);
  row(`the same, longest task`, visible.longest, 50, null);
  const bareOpen = await repeat(() => untilOpen('/bare', true));
  const pointed = await repeat(() => untilOpen('/widget', true));
  row(`click to typing, pointed at before, ${slowly}`, pointed.time, 60, bareOpen.time);
  row('the same, main thread', pointed.worked, 60, bareOpen.worked);
  const sudden = await repeat(() => untilOpen('/widget', false));
  line(
    `click to typing out of nowhere, ${slowly}`,
    ms(sudden.time),
    '',
    '',
    (sudden.time / bareOpen.time).toFixed(2),
  );

  const bareAnswer = await repeat(() => answer('/bare', CHUNKS));
  const answered = await repeat(() => answer('/widget', CHUNKS));
  const longer = await repeat(() => answer('/widget', CHUNKS * 2));
  row(`answer of ${CHUNKS} chunks, not slowed down`, answered.time, 1_000, bareAnswer.time);
  row('the same, longest task', answered.longest, 50, null);
  line(
    'the same, main thread',
    ms(answered.worked),
    '',
    '',
    (answered.worked / bareAnswer.worked).toFixed(2),
  );
  const growth = longer.worked / answered.worked;
  row('twice the chunks, times the work', growth, 2.5, null, (value) => value.toFixed(2));

  const short = await repeat(() => history('/widget', 2));
  const bareLong = await repeat(() => history('/bare', MESSAGES));
  const quarter = await repeat(() => history('/widget', MESSAGES / 4));
  const long = await repeat(() => history('/widget', MESSAGES));
  row(`${MESSAGES} messages shown, not slowed down`, long.time, 100, bareLong.time);
  line(
    'the same, main thread, more than for two messages',
    ms(long.worked - short.worked),
    '',
    '',
    ((long.worked - short.worked) / bareLong.worked).toFixed(2),
  );
  const nodes = (value: number): string => `${value} elements`;
  row('elements, at most twice those of a quarter of it', long.nodes, quarter.nodes * 2, null, nodes);
  const mb = (value: number): string => `${value.toFixed(1)} MB`;
  row('memory, more than for two messages', long.heap - short.heap, 40, null, mb);
  row('key press with that history, main thread', long.keyWork, 16, bareLong.keyWork);
  line(
    'the same, to the paint after the next frame',
    ms(long.keyPaint),
    '',
    '',
    (long.keyPaint / bareLong.keyPaint).toFixed(2),
  );
} finally {
  await chat.close();
}
console.log(isOver ? '\nSome figures are over their targets.' : '\nAll figures are within their targets.');
