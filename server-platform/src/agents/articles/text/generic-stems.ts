import { stem } from './stem.ts';

/** Stems of questions that fit any subject, such as a price: they name no topic. */
export const GENERIC_STEMS: ReadonlySet<string> = new Set(
  [
    'price',
    'cost',
    'duration',
    'time',
    'date',
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
