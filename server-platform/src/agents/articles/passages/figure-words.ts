import { stem } from '../text/stem.ts';
import { readNames } from '../time/read-names.ts';

/** A price, or that there is none to pay. */
export const PRICE_FIGURE = /[£€$]\s?\d|\d\s?(?:€|EUR|GBP|USD|%)|\bfree\b/i;

const CLOCK_TIME = /\b\d{1,2}(?::\d\d| ?[ap]m)\b/gi;

/** Whether a text holds at least two times of day: from when to when, or a timetable. */
export const holdsTimes = (text: string): boolean => (text.match(CLOCK_TIME) ?? []).length > 1;

const holdsHours = (block: string): boolean => holdsTimes(block) && readNames(block, 'weekday').size > 0;

const BY_DAY = 'hoursbyday';

/** Figures as the index knows them: who asks for one is answered by an article that holds one. */
export const PRICE_STEM = stem('price');
export const HOURS_STEM = stem(BY_DAY);

/** The words that stand for the figures of a block: an amount is a price, times by days of the week are hours. */
export const figureWords = (block: string): string =>
  `${PRICE_FIGURE.test(block) ? 'price' : ''} ${holdsHours(block) ? `opening hours ${BY_DAY}` : ''}`;
