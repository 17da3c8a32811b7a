import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals';
import type { Command } from './commands.ts';

/** Finds what the console has besides its commands, such as conversations. */
export type Find = (text: string, signal: AbortSignal) => Promise<readonly Command[]>;

/** The results for the text of the palette. */
export interface Found {
  readonly status: 'idle' | 'searching' | 'found' | 'failed';
  readonly commands: readonly Command[];
  /** The error of the search; empty without one. */
  readonly problem: string;
}

const IDLE: Found = { status: 'idle', commands: [], problem: '' };
// A single letter matches nearly everything.
const MIN_CHARACTERS = 2;
// Longer than the pause between two typed letters.
const PAUSE_MS = 200;

/** Searches when the person pauses while they type. Earlier results stay until the next answer has come. */
export function useFound(text: ReadonlySignal<string>, find: Find | null): ReadonlySignal<Found> {
  const found = useSignal(IDLE);
  useSignalEffect(() => {
    const wanted = text.value.trim();
    if (find === null || wanted.length < MIN_CHARACTERS) {
      found.value = IDLE;
      return;
    }
    const life = new AbortController();
    found.value = { ...found.peek(), status: 'searching', problem: '' };
    const timer = setTimeout(() => {
      find(wanted, life.signal).then(
        (commands) => {
          if (!life.signal.aborted) found.value = { status: 'found', commands, problem: '' };
        },
        (error: unknown) => {
          if (life.signal.aborted) return;
          const problem = error instanceof Error ? error.message : String(error);
          found.value = { status: 'failed', commands: [], problem };
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      life.abort();
    };
  });
  return found;
}
