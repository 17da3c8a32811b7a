import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { loadArticles } from './load-articles.ts';
import { multiplyFare } from './multiply-fare.ts';

const articles = await loadArticles(fileURLToPath(new URL('../../../knowledge/kittiwake', import.meta.url)));
const PLACES = ['Port Hallan', 'Farholm', 'Mewsay', 'Tarrow', 'Lunnet'];
const ask = (text: string, earlier = ''): string | null => multiplyFare(articles, text, earlier, PLACES);

it.each([
  ['how much do two adults pay to tarrow', '', '£15.00'],
  ['2 adults and 3 children to Mewsay return, how much?', '', '£88.20'],
  ['what do two seniors pay to farholm', '', '£67.20'],
  ['for two?', 'how much is an adult to mewsay', '£28.00'],
])('adds up "%s"', (text, earlier, total) => {
  expect(ask(text, earlier)).toContain(total);
});

it.each([
  'how much is an adult to mewsay',
  'what does a cabin for two adults to farholm cost',
  'two adults and two children (7 and 3) to mewsay, how much',
  'how much do two residents pay to tarrow',
  'can two adults go to tarrow tonight',
])('adds nothing up for "%s"', (text) => {
  expect(ask(text)).toBeNull();
});
