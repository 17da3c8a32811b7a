import PQueue from 'p-queue';
import { SpeechError } from './speech-provider.ts';

/** Limits concurrent work. */
export interface WorkLimit {
  /** Rejects with a `SpeechError` of the code `busy` when the queue is full, or with the signal's reason. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

/** Makes a limit of `atOnce` running and `maxWaiting` queued pieces of work. */
export function createWorkLimit(atOnce: number, maxWaiting: number): WorkLimit {
  const queue = new PQueue({ concurrency: atOnce });
  return {
    async run(signal, work) {
      signal.throwIfAborted();
      if (queue.size >= maxWaiting) throw new SpeechError('busy', 'Too many previews wait already.');
      // The queue does not get the signal: aborted work keeps its slot until its thread and memory are released.
      return await queue.add(async () => {
        signal.throwIfAborted();
        return await work();
      });
    },
  };
}
