import type { ProactiveRule } from '../../widget/index.ts';

/** State of the page and its visitor at one moment. */
export interface PageMoment {
  /** The page's path, without query and fragment. */
  readonly path: string;
  readonly secondsOnPage: number;
  /** How far the visitor has scrolled, from 0 at the top to 100 at the end. */
  readonly scrollPercent: number;
  /** The pointer leaves the page at its top, where tabs and the address are. */
  readonly isLeaving: boolean;
  /** Which visit this is, from 1. */
  readonly visits: number;
}

/** Returns the first rule all of whose conditions are met. */
export const selectRule = (rules: readonly ProactiveRule[], moment: PageMoment): ProactiveRule | undefined =>
  rules.find(
    ({ page, afterSeconds = 0, scrollPercent = 0, exitIntent = false, visits = 0 }) =>
      (page === undefined || matchesPath(page, moment.path)) &&
      moment.secondsOnPage >= afterSeconds &&
      moment.scrollPercent >= scrollPercent &&
      (moment.isLeaving || !exitIntent) &&
      moment.visits >= visits,
  );

/** `*` stands for any characters, also none. A slash at the end makes no difference. Each part is searched for once. */
function matchesPath(pattern: string, path: string): boolean {
  const [first = '', ...others] = trimSlash(pattern).split('*');
  const last = others.pop();
  const text = trimSlash(path);
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const part of others) {
    const found = text.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  return text.length - last.length >= position && text.endsWith(last);
}

const trimSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);
