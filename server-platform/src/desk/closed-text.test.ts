import { expect, it } from 'vitest';
import { closedText } from './closed-text.ts';

const JULY_MS = Date.parse('2026-07-13T12:00:00Z');
const queue = {
  closedText: null,
  hours: 'Mo-Fr 09:00-17:30; Sa 10:00-14:00; Dec 25 off',
  timezone: 'Europe/Berlin',
};

it('says the hours in the language of the conversation, and in English where the platform has no sentences', () => {
  expect(closedText(queue, null, JULY_MS)).toBe(
    'Our team is available Monday–Friday 09:00–17:30, Saturday 10:00–14:00, closed: 25 December (Central European Time).',
  );
  expect(closedText(queue, 'de-AT', JULY_MS)).toBe(
    'Unsere Zeiten: Montag–Freitag 09:00–17:30, Samstag 10:00–14:00, geschlossen: 25. Dezember (Mitteleuropäische Zeit).',
  );
  expect(closedText(queue, 'sv', JULY_MS)).toBe(closedText(queue, 'en', JULY_MS));
});

it('says every day in a word, and a span past midnight as it is written', () => {
  const night = { ...queue, hours: 'Mo-Su 22:00-06:00', timezone: 'UTC' };
  expect(closedText(night, 'en', JULY_MS)).toBe('Our team is available every day 22:00–06:00 (UTC).');
});

it('says the text of the queue where it has one, in any language', () => {
  expect(closedText({ ...queue, closedText: 'Back at nine.' }, 'de', JULY_MS)).toBe('Back at nine.');
});
