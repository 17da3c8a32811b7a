import { loadavg } from 'node:os';
import type { Page } from '@playwright/test';
import { createHistory, openChatPage } from './pages/chat-page.ts';
import {
  findButton,
  heapMb,
  type Measured,
  measure,
  noted,
  type Opened,
  openPage,
  workedMs,
} from './pages/widget-page.ts';

/**
 * What the widget costs the page it is on, in Chromium, beside the same thing on a page with a bare text field, measured
 * in the same run: until the launcher is visible, from the click to an open panel, a long answer that streams, a long
 * history, and a key press under that history. Figures are medians of `--runs N` pages (default 5; three times as many for the launcher, of which most is noise), with and without
 * the widget by turns; long tasks are those over 50 ms, and the longest is the median of the longest.
 * `--only PART,PART` chooses among launcher, click, keys, answer and history; `--size N` takes an Nth of chunks and
 * messages.
 */
const RUNS = Number(/--runs[ =](\d+)/.exec(process.argv.join(' '))?.[1] ?? 5);
const SLOWER = 4;
const slowly = `at ${SLOWER} times CPU slow-down`;
const SIZE = Number(/--size[ =](\d+)/.exec(process.argv.join(' '))?.[1] ?? 1);
const CHUNKS = 2_000 / SIZE;
const MESSAGES = 20_000 / SIZE;
const KEYS = 20;
/** Messages of a long conversation, for key presses on a slow machine. */
const LONG_CONVERSATION = 5_000 / SIZE;
/** A page's own start is over by then, and its remaining work does not count in later measurements. */
const SETTLE_MS = 400;

const chat = await openChatPage();

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Medians, name by name, of what several pages give; the measurements take turns. */
async function repeat<Name extends string>(
  runs: number,
  ...measurements: readonly (() => Promise<Readonly<Record<Name, number>>>)[]
): Promise<readonly Readonly<Record<Name, number>>[]> {
  const rounds: Readonly<Record<Name, number>>[][] = [];
  while (rounds.length < runs) {
    const round: Readonly<Record<Name, number>>[] = [];
    for (const one of measurements) round.push(await one());
    rounds.push(round);
  }
  return measurements.map((_, index) => {
    const rows = rounds.flatMap((round) => round[index] ?? []);
    const names = Object.keys(rows[0] ?? {}) as Name[];
    return Object.fromEntries(names.map((name) => [name, median(rows.map((row) => row[name]))])) as Record<
      Name,
      number
    >;
  });
}

async function untilVisible(path: string) {
  const opened = await openPage(chat, path, SLOWER);
  const { page } = opened;
  await page.waitForTimeout(SETTLE_MS * 2);
  const worked = await workedMs(opened);
  const longest = Math.max(0, ...(await noted(page, 'longTasks')));
  if (path === '/widget') await findButton(page);
  await page.close();
  return { worked, longest };
}

async function untilOpen(path: string, isPointedAt: boolean) {
  const opened = await openPage(chat, path, SLOWER);
  const { page } = opened;
  const [x, y] = await findButton(page);
  await page.waitForTimeout(SETTLE_MS);
  if (isPointedAt) {
    await page.mouse.move(x, y);
    await page.waitForTimeout(SETTLE_MS * 3);
  }
  const { time, worked } = await measure(opened, ['click', 'ready'], () => page.mouse.click(x, y));
  await page.close();
  return { time, worked };
}

async function openPanel(page: Page): Promise<void> {
  await page.getByRole('button', { name: /chat/i }).first().click();
}

async function answer(path: string, chunks: number) {
  const opened = await openPage(chat, path);
  const { page } = opened;
  await openPanel(page);
  await page.getByText('Ada').first().waitFor();
  // Writing loads the code that shows the answer.
  await page.keyboard.type('When?');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(SETTLE_MS);
  const earlier = (await noted(page, 'longTasks')).length;
  const measured = await measure(opened, ['chunk', 'answered'], async () => chat.stream(chunks));
  const longest = Math.max(0, ...(await noted(page, 'longTasks')).slice(earlier));
  await page.close();
  return { ...measured, longest };
}

/** Closes the panel and opens it again: the cost of showing a loaded history. */
async function openAgain(opened: Opened): Promise<Measured> {
  const { page } = opened;
  const [x, y] = await findButton(page);
  await page.mouse.click(x, y);
  await page.waitForTimeout(SETTLE_MS);
  return measure(opened, ['click', 'ready'], () => page.mouse.click(x, y));
}

async function history(path: string, count: number) {
  chat.setHistory(createHistory(count));
  const opened = await openPage(chat, `${path}#${count - 1}`);
  const { page } = opened;
  const [x, y] = await findButton(page);
  await page.mouse.move(x, y);
  await page.waitForTimeout(SETTLE_MS);
  const last = measure(opened, ['last_batch', 'restored'], () => undefined);
  const { time, worked } = await measure(opened, ['batch', 'restored'], () => page.mouse.click(x, y));
  const shown = (await last).time;
  await page.waitForTimeout(SETTLE_MS * 2);
  const nodes = await page.evaluate(
    () => (document.querySelector('natter-chat')?.shadowRoot ?? document).querySelectorAll('*').length,
  );
  const heap = await heapMb(opened);
  const beforeKeys = await workedMs(opened);
  await page.keyboard.type('a'.repeat(KEYS), { delay: 50 });
  const keyWork = ((await workedMs(opened)) - beforeKeys) / KEYS;
  const keyPaint = median(await noted(page, 'keyPaints'));
  const again = path === '/widget' ? (await openAgain(opened)).time : 0;
  await page.close();
  return { time, worked, shown, again, nodes, heap, keyWork, keyPaint };
}

/** Key presses under a long conversation, slowed down only once that is drawn. */
async function keyPresses(path: string) {
  chat.setHistory(createHistory(LONG_CONVERSATION));
  const opened = await openPage(chat, `${path}#${LONG_CONVERSATION - 1}`);
  const { page, devtools } = opened;
  const [x, y] = await findButton(page);
  await measure(opened, ['batch', 'restored'], () => page.mouse.click(x, y));
  await page.waitForTimeout(SETTLE_MS * 2);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const before = await workedMs(opened);
  await page.keyboard.type('a'.repeat(KEYS), { delay: 100 });
  await page.waitForTimeout(SETTLE_MS);
  const work = ((await workedMs(opened)) - before) / KEYS;
  const paints = await noted(page, 'keyPaints');
  await page.close();
  return { work, paint: median(paints), longest: Math.max(...paints) };
}

const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;
const line = (what: string, ...cells: readonly string[]): void =>
  console.log(`| ${what.padEnd(60)} | ${cells.map((cell) => cell.padStart(8)).join(' | ')} |`);
let isOver = false;

interface Row {
  readonly figure: number;
  /** The same figures for a page with a text field instead of the widget, or with neither. */
  readonly bare?: number;
  readonly target?: number;
  /** The target applies to the widget's share, without the page's own. */
  readonly isAdded?: boolean;
  readonly write?: (value: number) => string;
}

function row(what: string, { figure, bare, target, isAdded = false, write = ms }: Row): void {
  const added = bare === undefined ? Number.NaN : figure - bare;
  const isWithin = target === undefined || (isAdded ? added : figure) < target;
  isOver ||= !isWithin;
  line(
    what,
    write(figure),
    ...(bare === undefined ? ['', '', ''] : [write(bare), write(added), (figure / bare).toFixed(2)]),
    ...(target === undefined ? ['', ''] : [`< ${write(target)}`, isWithin ? 'ok' : 'over']),
  );
}

async function printLauncher(): Promise<void> {
  // A browser's first pages pay for its own start.
  for (const path of ['/empty', '/widget', '/empty', '/widget']) await untilVisible(path);
  const [empty, visible] = await repeat(
    RUNS * 3,
    () => untilVisible('/empty'),
    () => untilVisible('/widget'),
  );
  if (empty && visible) {
    row(`launcher visible, main thread, ${slowly}`, {
      figure: visible.worked,
      bare: empty.worked,
      target: 40,
      isAdded: true,
    });
    row('the same, longest task', { figure: visible.longest, target: 50 });
  }
}

async function printClick(): Promise<void> {
  const [bareOpen, pointed, sudden] = await repeat(
    RUNS,
    () => untilOpen('/bare', true),
    () => untilOpen('/widget', true),
    () => untilOpen('/widget', false),
  );
  if (bareOpen && pointed && sudden) {
    const { time, worked } = bareOpen;
    row(`click to typing, pointed at before, ${slowly}`, {
      figure: pointed.time,
      bare: time,
      target: 60,
      isAdded: true,
    });
    row('the same, main thread', {
      figure: pointed.worked,
      bare: worked,
      target: 60,
      isAdded: true,
    });
    row(`click to typing out of nowhere, ${slowly}`, { figure: sudden.time, bare: time });
    row('the same, main thread', { figure: sudden.worked, bare: worked });
  }
}

async function printKeys(): Promise<void> {
  const [bareKeys, keys] = await repeat(
    RUNS,
    () => keyPresses('/bare'),
    () => keyPresses('/widget'),
  );
  if (bareKeys && keys) {
    row(`key press, ${LONG_CONVERSATION} messages, ${slowly}`, {
      figure: keys.paint,
      bare: bareKeys.paint,
      target: 16,
    });
    row('the same, longest key press', { figure: keys.longest, bare: bareKeys.longest });
    row('the same, main thread', { figure: keys.work, bare: bareKeys.work });
  }
}

async function printAnswer(): Promise<void> {
  const [bareAnswer, answered, longer] = await repeat(
    RUNS,
    () => answer('/bare', CHUNKS),
    () => answer('/widget', CHUNKS),
    () => answer('/widget', CHUNKS * 2),
  );
  if (bareAnswer && answered && longer) {
    row(`answer of ${CHUNKS} chunks, not slowed down`, {
      figure: answered.time,
      bare: bareAnswer.time,
      target: 1_000,
    });
    row('the same, longest task', { figure: answered.longest, target: 50 });
    row('the same, main thread', { figure: answered.worked, bare: bareAnswer.worked });
    row('twice the chunks, times the work', {
      figure: longer.worked / answered.worked,
      target: 2.5,
      write: (value) => value.toFixed(2),
    });
  }
}

async function printHistory(): Promise<void> {
  const [bareShort, short, bareLong, quarter, long] = await repeat(
    RUNS,
    () => history('/bare', 2),
    () => history('/widget', 2),
    () => history('/bare', MESSAGES),
    () => history('/widget', MESSAGES / 4),
    () => history('/widget', MESSAGES),
  );
  if (bareShort && short && bareLong && quarter && long) {
    row(`${MESSAGES} messages shown, first frame to the paint`, { figure: long.time, bare: bareLong.time });
    row('of that, last frame to the paint', { figure: long.shown, bare: bareLong.shown, target: 100 });
    row('taken in and shown, main thread, more than for two', {
      figure: long.worked - short.worked,
      bare: bareLong.worked - bareShort.worked,
    });
    row('panel opened on them, click to the paint', { figure: long.again, target: 100 });
    row('panel opened on two messages', { figure: short.again });
    const elements = (value: number): string => `${value} elements`;
    row('elements, at most twice those of a quarter of it', {
      figure: long.nodes,
      target: quarter.nodes * 2,
      write: elements,
    });
    const mb = (value: number): string => `${value.toFixed(1)} MB`;
    row('memory, more than for two messages', { figure: long.heap - short.heap, target: 40, write: mb });
    row('key press with that history, main thread', {
      figure: long.keyWork,
      bare: bareLong.keyWork,
      target: 16,
    });
    row('the same, to the paint after the next frame', { figure: long.keyPaint, bare: bareLong.keyPaint });
  }
}

const PARTS = {
  launcher: printLauncher,
  click: printClick,
  keys: printKeys,
  answer: printAnswer,
  history: printHistory,
} as const;
const wanted = /--only[ =](\S+)/.exec(process.argv.join(' '))?.[1]?.split(',') ?? Object.keys(PARTS);
for (const name of wanted)
  if (!(name in PARTS)) throw new Error(`--only takes ${Object.keys(PARTS).join(', ')}.`);

try {
  console.log(
    `Chromium ${chat.browser.version()}, medians of ${RUNS} pages, load ${loadavg()[0]?.toFixed(1)}\n`,
  );
  line('what', 'figure', 'bare page', 'added', 'times', 'target', '');
  line('---', '---', '---', '---', '---', '---', '---');
  for (const [name, print] of Object.entries(PARTS)) if (wanted.includes(name)) await print();
} finally {
  await chat.close();
}
console.log(isOver ? '\nSome figures are over their targets.' : '\nAll figures are within their targets.');
