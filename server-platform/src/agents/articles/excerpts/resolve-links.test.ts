import { describe, expect, it } from 'vitest';
import { resolveLinks } from './resolve-links.ts';

const BASE = 'https://www.example.com/help';

describe('links between articles', () => {
  it.each([
    '/help/car-fares',
    'help/car-fares',
    'car-fares.md',
    './car-fares.md',
    'car-fares',
    '/help/car-fares.md',
  ])('leads a link between articles written as %s to the help site', (target) => {
    const text = `See [what a car costs](${target}), please.`;
    const linked = 'See [what a car costs](https://www.example.com/help/car-fares), please.';
    expect(resolveLinks(text, BASE)).toBe(linked);
    expect(resolveLinks(text, `${BASE}/`)).toBe(linked);
  });

  it('keeps the anchor of a link between articles', () => {
    expect(resolveLinks('[fares](/help/car-fares#vans)', BASE)).toBe(`[fares](${BASE}/car-fares#vans)`);
  });

  it('makes links plain text without a help site', () => {
    expect(resolveLinks('See [fares](/help/car-fares) and [pets](pets.md).', null)).toBe(
      'See fares and pets.',
    );
  });

  it('makes links plain text that lead nowhere from a chat', () => {
    for (const target of ['#top', '//elsewhere.example/help/pets', '/prices/list', '../other/pets.md']) {
      expect(resolveLinks(`[here](${target})`, BASE)).toBe('here');
    }
  });

  it.each(['https://example.org/a', 'mailto:help@example.org', 'tel:+441234567890'])(
    'leave %s alone',
    (target) => {
      expect(resolveLinks(`[x](${target})`, BASE)).toBe(`[x](${target})`);
      expect(resolveLinks(`[x](${target})`, null)).toBe(`[x](${target})`);
    },
  );
});
