import type { NextPaint } from '../ports.ts';

export interface FrameQueueOptions {
  /** Null where nothing is painted: then nothing waits. */
  readonly nextPaint: NextPaint | null;
  /** False while nothing is shown of what comes. */
  readonly isPaced: () => boolean;
}

/** What a socket brings, in its order. */
export interface FrameQueue {
  push(text: string): void;
  /** Passes on what waits. */
  flush(): void;
}

/** So many chunks of an answer are read and shown well within the time between two paints. */
const MAX_PER_PAINT = 200;

/**
 * Passes the first frame on at once. What comes before the next paint waits for that, and is passed on together: each
 * message of a socket is a separate task, and a browser with thousands of them to run hardly paints.
 */
export function createFrameQueue(
  { nextPaint, isPaced }: FrameQueueOptions,
  pass: (texts: readonly string[]) => void,
): FrameQueue {
  let waiting: string[] = [];
  let isAwaitingPaint = false;

  function flush(): void {
    const texts = waiting;
    waiting = [];
    if (texts.length > 0) pass(texts);
  }

  function passBeforePaint(): void {
    isAwaitingPaint = false;
    const texts = waiting.splice(0, MAX_PER_PAINT);
    if (texts.length === 0) return;
    awaitPaint();
    pass(texts);
  }

  function awaitPaint(): void {
    isAwaitingPaint = true;
    nextPaint?.(passBeforePaint);
  }

  return {
    push(text) {
      waiting.push(text);
      const mayWait = nextPaint !== null && isPaced();
      if (mayWait && isAwaitingPaint) return;
      if (mayWait) awaitPaint();
      flush();
    },
    flush,
  };
}
