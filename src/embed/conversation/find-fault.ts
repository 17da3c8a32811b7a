import { readFacts, readHandler, readUser } from '../../client/index.ts';
import type { Call, CheckedCommand, PanelCommand } from '../commands.ts';
import { readPrefill } from './prefill.ts';

type Check = (argument: unknown) => unknown;

/** Checks that throw a `TypeError` for an argument that the command does not accept. */
const CHECKS: Readonly<Record<CheckedCommand, Check> & Partial<Record<PanelCommand, Check>>> = {
  identify: (user) => user === null || readUser(user),
  setContext: readFacts,
  onContextRequired: readHandler,
  prefill: readPrefill,
};

/**
 * Returns the `TypeError` that a command would reject with, for a page that calls it before the panel has loaded;
 * `undefined` for a valid call.
 */
export function findFault({ name, values }: Call): unknown {
  try {
    CHECKS[name]?.(values[0]);
    return undefined;
  } catch (error) {
    return error;
  }
}
