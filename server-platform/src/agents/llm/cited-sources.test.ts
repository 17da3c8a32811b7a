import { describe, expect, it } from 'vitest';
import { CitationFilter, CitedSources } from './cited-sources.ts';

const cardOf = (title: string) =>
  [
    {
      content_type: 'ATTACHMENT_CONTENT_TYPE_URL',
      content_url: null,
      title,
      preview_image_url: null,
      call_to_action_text: null,
    },
  ] as const;

/** Returns the text that the visitor reads when it arrives in pieces, and the titles of the cards. */
function read(...pieces: readonly string[]): readonly [text: string, titles: readonly (string | null)[]] {
  const sources = new CitedSources();
  for (const slug of ['pets', 'fares', 'pets', 'luggage', 'cars']) sources.number(slug, cardOf(slug));
  const filter = new CitationFilter(sources);
  const text = [...pieces.map((piece) => filter.push(piece)), filter.end()].join('');
  return [text, sources.cards.map(({ title }) => title)];
}

describe('citations', () => {
  it('turns citations into cards in their order, each source once and three at most', () => {
    expect(read('Yes [2]. Dogs [1][2] and cats [3, 4] too.')).toEqual([
      'Yes. Dogs and cats too.',
      ['fares', 'pets', 'luggage'],
    ]);
  });

  it('finds citations wherever the text is cut', () => {
    const text = 'Yes, dogs are welcome [1]. See [our page](https://a.example) or [2](https://b.example).';
    const expected = [
      'Yes, dogs are welcome. See [our page](https://a.example) or [2](https://b.example).',
      ['pets'],
    ];
    expect(read(...text)).toEqual(expected);
    for (let at = 1; at < text.length; at += 1)
      expect(read(text.slice(0, at), text.slice(at))).toEqual(expected);
  });

  it('drops citations of sources that were never given', () => {
    expect(read('Yes [5] [0] [99].')).toEqual(['Yes.', []]);
  });

  it('holds back no text other than citations', () => {
    const filter = new CitationFilter(new CitedSources());
    expect(filter.push('Bring [a')).toBe('Bring [a');
    expect(filter.push(' dog]')).toBe(' dog]');
  });
});
