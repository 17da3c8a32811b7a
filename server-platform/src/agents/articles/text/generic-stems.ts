import { stem } from './stem.ts';

/** What one may ask about anything: these name no topic. */
export const GENERIC_STEMS: ReadonlySet<string> = new Set(
  [
    'price',
    'cost',
    'duration',
    'time',
    'timetable',
    'book',
    'include',
    'open',
    'long',
    'need',
    'take',
    'pay',
    'work',
  ].map(stem),
);
