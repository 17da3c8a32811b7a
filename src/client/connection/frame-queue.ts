import type { NextPaint } from '../ports.ts';

export interface FrameQueueOptions {
  /** Null if nothing is painted; then nothing waits. */
  readonly nextPaint: NextPaint | null;
  /** False while arriving frames are not shown. */
  readonly isPaced: () => boolean;
}

/** Queue of a socket's frames, in order. */
export interface FrameQueue {
  push(text: string): void;
  /** Passes on queued frames. */
  flush(): void;
}

/** Chunks of an answer that are read and rendered well within the time between two paints. */
const MAX_PER_PAINT = 200;

/**
 * Passes the first frame on immediately. Frames before the next paint wait for it, and are passed on together, because
 * each socket message is a separate task, and a browser with thousands of tasks hardly paints.
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
