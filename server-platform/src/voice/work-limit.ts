import { SpeechError } from './speech-provider.ts';

/** Lets so much work go on at once; the rest waits its turn. */
export interface WorkLimit {
  /** Rejects with a `SpeechError` of the code `busy` when too much waits, or with the signal's reason. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Makes a limit of `atOnce` running and `maxWaiting` waiting pieces of work. */
export function createWorkLimit(atOnce: number, maxWaiting: number): WorkLimit {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async run(signal, work) {
      signal.throwIfAborted();
      if (running >= atOnce) {
        if (waiting.length >= maxWaiting) throw new SpeechError('busy', 'Too many previews wait already.');
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else {
        running += 1;
      }
      try {
        signal.throwIfAborted();
        return await work();
      } finally {
        // The place goes straight to the next one.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
