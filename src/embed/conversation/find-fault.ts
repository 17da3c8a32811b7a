import { readFacts, readHandler, readUser } from '../../client/index.ts';
import type { Call, CheckedCommand, PanelCommand } from '../commands.ts';
import { readPrefill } from './prefill.ts';

type Check = (given: unknown) => unknown;

/** Each throws a `TypeError` for what its command does not take. */
const CHECKS: Readonly<Record<CheckedCommand, Check> & Partial<Record<PanelCommand, Check>>> = {
  identify: (user) => user === null || readUser(user),
  setContext: readFacts,
  onContextRequired: readHandler,
  prefill: readPrefill,
};

/** The `TypeError` that a command would reject with, for a page that calls it before the panel has loaded. */
export function findFault({ name, given }: Call): unknown {
  try {
    CHECKS[name]?.(given[0]);
    return undefined;
  } catch (error) {
    return error;
  }
}
