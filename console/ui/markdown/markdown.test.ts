import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, it, vi } from 'vitest';
import { Markdown } from './markdown.tsx';

// Style sheets are Vite's in the browser.
vi.mock('./markdown.css', () => ({}));

const draw = (text: string): string => renderToString(h(Markdown, { text }));

it('shows an answer as the widget does', () => {
  const shown = draw(
    '**Farholm**\n\n- [Pets](https://example.com/pets)\n- on deck\n\n| From | Price |\n|---|---|\n| Tarrow | £10 |',
  );
  expect(shown).toContain('<strong>Farholm</strong>');
  expect(shown).toContain('<a href="https://example.com/pets" target="_blank" rel="noreferrer">Pets</a>');
  expect(shown).toContain('<th scope="col">Price</th>');
});

it('makes no element and no address out of what a text contains', () => {
  const shown = draw('<img src=x onerror=alert(1)> [here](javascript:alert(1))');
  expect(shown).not.toContain('<img');
  expect(shown).not.toContain('href="javascript');
});
