import { readFacts, readHandler, readUser } from '../client/index.ts';
import type { WidgetCommands } from './conversation.ts';
import { readPrefill } from './prefill.ts';

const READERS: { readonly [Name in keyof WidgetCommands]?: (given: unknown) => unknown } = {
  identify: (user) => user === null || readUser(user),
  setContext: readFacts,
  onContextRequired: readHandler,
  prefill: readPrefill,
};

/** Throws the `TypeError` that the command would reject with, for a page that calls it before the panel has loaded. */
export const checkArgument = (name: keyof WidgetCommands, given: unknown): void =>
  void READERS[name]?.(given);
