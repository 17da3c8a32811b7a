import { expect, it } from 'vitest';
import { closedText } from './closed-text.ts';

const JULY_MS = Date.parse('2026-07-13T12:00:00Z');
const queue = { closedText: null, hours: 'Mon-Fri 09:00-17:30, Sat 10:00-14:00', timezone: 'Europe/Berlin' };

it('says the hours in the language of the conversation, and in English where the platform has no sentences', () => {
  expect(closedText(queue, null, JULY_MS)).toBe(
    'Our team is available Monday–Friday 09:00–17:30, Saturday 10:00–14:00 (Central European Time).',
  );
  expect(closedText(queue, 'de-AT', JULY_MS)).toBe(
    'Unsere Zeiten: Montag–Freitag 09:00–17:30, Samstag 10:00–14:00 (Mitteleuropäische Zeit).',
  );
  expect(closedText(queue, 'sv', JULY_MS)).toBe(closedText(queue, 'en', JULY_MS));
});

it('says every day from Monday to Sunday, and a span past midnight as it is written', () => {
  const night = { ...queue, hours: 'daily 22:00-06:00', timezone: 'UTC' };
  expect(closedText(night, 'en', JULY_MS)).toBe('Our team is available Monday–Sunday 22:00–06:00 (UTC).');
});

it('says the text of the queue where it has one, in any language', () => {
  expect(closedText({ ...queue, closedText: 'Back at nine.' }, 'de', JULY_MS)).toBe('Back at nine.');
});
