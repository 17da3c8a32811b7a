import { isEqual } from '../client/index.ts';
import type { WidgetChanges } from '../widget/index.ts';
import { OPTION_NAMES } from './option-names.ts';

/** Returns the difference between two sets of options. Equal objects and lists are no change. */
export const findChanges = (before: WidgetChanges, after: WidgetChanges): WidgetChanges =>
  Object.fromEntries(
    OPTION_NAMES.filter((name) => !isEqual(before[name], after[name])).map((name) => [name, after[name]]),
  );
