import type { CDPSession, Page } from '@playwright/test';
import type { PeerWidget } from './widgets.ts';

/** Timing of an answer on the screen. */
export interface Streamed {
  readonly endedAtMs: number;
  /** Frames in which more of the answer was shown. */
  readonly frames: number;
  /** Longest time between two of them. */
  readonly gap: number;
  /** Tasks of more than 50 ms from the first of them to the last. */
  readonly longTasks: number;
}

/** Measurements that a page records about itself. */
export interface Watch {
  /** Milliseconds from the navigation until what opens the chat, or its field, was painted. */
  readonly visible: Promise<number>;
  readonly keyPaints: number[];
  /** Milliseconds from the next click until the field has the focus, or is there. */
  untilReady(): Promise<number>;
  /** Milliseconds from the next click until a text with `marker` was painted. */
  untilText(marker: string): Promise<number>;
  /** Watches an answer until a text with `marker` was painted. */
  untilStreamed(marker: string): Promise<Streamed>;
}

export interface WatchedPage {
  readonly page: Page;
  readonly devtools: CDPSession;
}

export const watchOf = (): Watch => Reflect.get(globalThis, 'bench') as Watch;

/** Runs in the page before everything else. */
export function instrument({ host, launcher, field, answers, focusesField }: PeerWidget): void {
  const root = (): Document | ShadowRoot | null =>
    host ? (document.querySelector(host)?.shadowRoot ?? null) : document;
  const isVisible = (selector: string): boolean =>
    (root()?.querySelector(selector)?.getBoundingClientRect().width ?? 0) > 0;
  const isReady = (): boolean =>
    focusesField === false ? isVisible(field) : (root()?.activeElement?.matches(field) ?? false);
  const newest = (): string => [...(root()?.querySelectorAll(answers) ?? [])].at(-1)?.textContent ?? '';
  const taskEnds: number[] = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) taskEnds.push(startTime + duration);
  }).observe({ type: 'longtask' });
  const keyPaints: number[] = [];
  // What runs first after a frame has been drawn runs once it has been painted.
  const afterPaint = (act: () => void): void => void requestAnimationFrame(() => setTimeout(act));
  addEventListener(
    'keydown',
    ({ timeStamp }) => afterPaint(() => keyPaints.push(performance.now() - timeStamp)),
    true,
  );
  const painted = (condition: () => boolean): Promise<number> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (condition()) setTimeout(() => resolve(performance.now()));
        else requestAnimationFrame(look);
      };
      look();
    });
  let onClick: ((atMs: number) => void) | null = null;
  // From the start on: a widget may keep clicks from listeners that come after its own.
  addEventListener(
    'click',
    ({ timeStamp }) => {
      onClick?.(timeStamp);
      onClick = null;
    },
    true,
  );
  const fromClick = (condition: () => boolean): Promise<number> =>
    new Promise((resolve) => {
      onClick = (clickedAtMs) => void painted(condition).then((atMs) => resolve(atMs - clickedAtMs));
    });
  const bench: Watch = {
    keyPaints,
    visible: new Promise((resolve) => {
      // The host's element comes with the document.
      requestAnimationFrame(() => void painted(() => isVisible(launcher ?? field)).then(resolve));
    }),
    untilReady: () => fromClick(isReady),
    // Some show Markdown as source text.
    untilText: (marker) => fromClick(() => newest().replaceAll('*', '').includes(marker)),
    async untilStreamed(marker) {
      const before = newest().length;
      const shownAtMs: number[] = [];
      let length = before;
      const endedAt = await painted(() => {
        const text = newest();
        if (text.length !== length) shownAtMs.push(performance.now());
        length = text.length;
        return text.includes(marker);
      });
      const gaps = shownAtMs.slice(1).map((atMs, index) => atMs - (shownAtMs[index] ?? atMs));
      // Long tasks are reported after they have ended.
      await new Promise((resolve) => setTimeout(resolve, 100));
      const [first = 0] = shownAtMs;
      return {
        endedAtMs: performance.timeOrigin + endedAt,
        frames: shownAtMs.length,
        gap: Math.max(0, ...gaps),
        longTasks: taskEnds.filter((atMs) => atMs > first && atMs <= endedAt + 50).length,
      };
    },
  };
  Reflect.set(window, 'bench', bench);
}
