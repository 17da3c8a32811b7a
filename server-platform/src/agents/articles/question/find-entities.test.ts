import { describe, expect, it } from 'vitest';
import { findEntities } from './find-entities.ts';

const PLACES = ['Port Hallan', 'Farholm', 'Tarrow'];

describe('entities', () => {
  it.each([
    ['on 2026-12-24', { date: '2026-12-24' }],
    ['on 24.12.2026 or 24/12/2026', { date: '2026-12-24' }],
    ['on the 3rd of May, 2027', { date: '2027-05-03' }],
    ['December 24', { date: '--12-24' }],
    ['29 February', { date: '--02-29' }],
    ['tomorrow or next Friday', { date: ['tomorrow', 'next friday'] }],
    ['31 February 2026 is no day', {}],
    ['99.99.2026 is none either', {}],
    ['at 14:30', { time: '14:30' }],
    ['at 2.30 pm, 12am or noon', { time: ['14:30', '00:00', '12:00'] }],
    ['at 25:00', {}],
    ['from Port Hallan to TARROW', { route: 'Port Hallan - Tarrow' }],
    ['Farholm – Tarrow', { route: 'Farholm - Tarrow' }],
    ['to Tarrow from Farholm', { route: 'Farholm - Tarrow' }],
    ['Is Farholm nicer than Tarrow?', {}],
    ['my booking is KW-123456', { booking_reference: 'KW-123456' }],
    ['ref X7K2PQ please', { booking_reference: 'X7K2PQ' }],
    ['PLEASE HELP 123456', {}],
    ['nothing of the kind', {}],
  ])('finds in %j the entities %j', (text, expected) => {
    expect(findEntities(text, PLACES)).toEqual(expected);
  });

  it('names no route without places', () => {
    expect(findEntities('from Farholm to Tarrow', [])).toEqual({});
  });

  it('reads places literally, whatever characters they hold', () => {
    expect(findEntities('from St. Ives (N) to X+Y', ['St. Ives (N)', 'X+Y'])).toEqual({
      route: 'St. Ives (N) - X+Y',
    });
  });

  it('finds entities quickly in a message made to be slow', () => {
    expect(findEntities('1 '.repeat(500_000), PLACES)).toEqual({});
  });
});
