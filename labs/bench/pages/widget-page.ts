import type { CDPSession, Page } from '@playwright/test';
import type { ChatPage } from './chat-page.ts';

/** A page under measurement. */
export interface Opened {
  readonly page: Page;
  readonly devtools: CDPSession;
}

/** Where a time begins: at a click, or when a frame comes in. */
export type Mark = 'click' | 'chunk' | 'batch' | 'last_batch';

/** Where it ends: the field has the focus, an answer is complete, the last message of a history is drawn. */
export type Moment = 'ready' | 'answered' | 'restored';

/** Milliseconds that something took, and that the page's main thread worked meanwhile. */
export interface Measured {
  readonly time: number;
  readonly worked: number;
}

interface Bench {
  readonly longTasks: readonly number[];
  readonly keyPaints: readonly number[];
  /** Milliseconds from the next time of a mark to the paint on which a moment has come. */
  timeBetween(mark: Mark, moment: Moment): Promise<number>;
}

/** Runs in the page before everything else: notes when things happen. */
function instrument(): void {
  const longTasks: number[] = [];
  const keyPaints: number[] = [];
  let waiting: { readonly mark: Mark; readonly begin: (atMs: number) => void }[] = [];
  const note = (mark: Mark, atMs = performance.now()): void => {
    const due = waiting.filter((one) => one.mark === mark);
    waiting = waiting.filter((one) => one.mark !== mark);
    for (const { begin } of due) begin(atMs);
  };
  const root = () => document.querySelector('natter-chat')?.shadowRoot ?? document;
  const hasCome: Record<Moment, () => boolean> = {
    ready: () => root().activeElement?.tagName === 'TEXTAREA',
    answered: () => root().querySelector('[part~=agent-message][data-streaming=false]') != null,
    restored: () => {
      const texts = root().querySelectorAll('[part~=agent-message] .rich');
      return texts.item(texts.length - 1)?.textContent?.includes(`Ferry ${location.hash.slice(1)} `) ?? false;
    },
  };
  // What runs first after a frame has been drawn runs once it has been painted.
  const afterPaint = (act: () => void): void => void requestAnimationFrame(() => setTimeout(act));
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longTasks.push(duration);
  }).observe({ type: 'longtask' });
  addEventListener('click', ({ timeStamp }) => note('click', timeStamp), true);
  addEventListener(
    'keydown',
    ({ timeStamp }) => afterPaint(() => keyPaints.push(performance.now() - timeStamp)),
    true,
  );
  const { addEventListener: add } = WebSocket.prototype;
  WebSocket.prototype.addEventListener = function (this: WebSocket, type: string, listener: never) {
    if (type === 'message') {
      add.call(this, type, (event) => {
        const { data } = event as MessageEvent<string>;
        if (data.includes('MESSAGE_CHUNK')) note('chunk');
        if (!data.includes('EVENT_BATCH')) return;
        note('batch');
        if (data.includes('"has_more":false')) note('last_batch');
      });
    }
    add.call(this, type, listener);
  };
  const bench: Bench = {
    longTasks,
    keyPaints,
    timeBetween: (mark, moment) =>
      new Promise((resolve) => {
        const begin = (atMs: number): void => {
          const look = (): void => {
            if (hasCome[moment]()) setTimeout(() => resolve(performance.now() - atMs));
            else requestAnimationFrame(look);
          };
          requestAnimationFrame(look);
        };
        waiting.push({ mark, begin });
      }),
  };
  Reflect.set(window, 'bench', bench);
}

/** Opens a page with the processor slowed down that many times. */
export async function openPage(chat: ChatPage, path: string, slower = 1): Promise<Opened> {
  const page = await chat.browser.newPage();
  await page.addInitScript(instrument);
  const devtools = await page.context().newCDPSession(page);
  // Processor time: what else runs on the machine is not the widget's.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await page.goto(chat.origin + path);
  return { page, devtools };
}

/**
 * Performs an action and measures until its effect. The driver runs no code in the page meanwhile: code that it
 * injects to find and to click elements is more than the widget.
 */
export async function measure(
  opened: Opened,
  between: readonly [Mark, Moment],
  act: () => Promise<unknown> | undefined,
): Promise<Measured> {
  const { page } = opened;
  const done = page.evaluate(
    ([mark, moment]) => (Reflect.get(window, 'bench') as Bench).timeBetween(mark, moment),
    between,
  );
  // The page handles requests in order.
  await page.evaluate(() => undefined);
  const before = await workedMs(opened);
  await act();
  const time = await done;
  return { time, worked: (await workedMs(opened)) - before };
}

/** The middle of the page's first button, which is the launcher, in pixels. */
export async function findButton(page: Page): Promise<readonly [number, number]> {
  return page.evaluate(() => {
    const root = document.querySelector('natter-chat')?.shadowRoot ?? document;
    const box = root.querySelector('button')?.getBoundingClientRect();
    if (!box?.width) throw new Error('There is no launcher to be seen.');
    return [box.x + box.width / 2, box.y + box.height / 2] as const;
  });
}

/** Times that the page has recorded so far, in milliseconds. */
export async function noted(page: Page, name: 'longTasks' | 'keyPaints'): Promise<readonly number[]> {
  return page.evaluate((key) => (Reflect.get(window, 'bench') as Bench)[key], name);
}

/** Milliseconds that the page's main thread has worked so far. */
export async function workedMs({ devtools }: Opened): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
}

/** Megabytes in use after garbage collection. */
export async function heapMb({ devtools }: Opened): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize / 1e6;
}
