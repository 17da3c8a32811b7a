import specification from 'commonmark-spec';
import { describe, expect, it } from 'vitest';
import { GFM_EXAMPLES } from '../../../test/widget/gfm-examples.ts';
import { normalizeHtml, writeSpecificationHtml } from '../../../test/widget/write-specification-html.ts';
import { createMarkdownStream } from './markdown-stream.ts';

// Intentional differences of the parser. General differences are handled in `normalizeHtml`.
const HTML = 'HTML is text, but for the few elements of AM-3';
const ENTITIES = 'a list of all 2,125 names would weigh more than the parser';
const AUTOLINKS = 'bare addresses are links, as in GFM';

const LEFT_OUT_SECTIONS: Readonly<Record<string, string>> = { 'HTML blocks': HTML, 'Raw HTML': HTML };
const LEFT_OUT: Readonly<Record<number, string>> = {
  21: HTML,
  25: ENTITIES,
  31: HTML,
  32: ENTITIES,
  33: ENTITIES,
  201: HTML,
  297: 'a bullet below a wider number is nested from two columns on: models write it so',
  308: HTML,
  309: HTML,
  344: HTML,
  475: HTML,
  476: HTML,
  477: HTML,
  491: HTML,
  494: HTML,
  503: ENTITIES,
  524: HTML,
  536: HTML,
  597: 'the text of a mail link is the address alone',
  602: AUTOLINKS,
  608: AUTOLINKS,
  611: AUTOLINKS,
  612: AUTOLINKS,
  642: HTML,
  643: HTML,
};
const LEFT_OUT_OF_GFM: Readonly<Record<number, string>> = {
  628: 'FTP is no scheme that is let through',
};

/** The address as the specification writes it. Which addresses become links is tested in `unsafe-text.test.tsx`. */
function toAnyHref(address: string): string {
  const absolute = /^www\./.test(address) ? `http://${address}` : address;
  return encodeURI(absolute).replaceAll('%25', '%');
}

function write(markdown: string): string {
  return writeSpecificationHtml(createMarkdownStream(toAnyHref)(markdown, false));
}

const examples = specification.tests.map(({ number, section, markdown, html }) => ({
  number,
  section,
  // The specification writes tabs as arrows.
  markdown: markdown.replaceAll('→', '\t'),
  html: html.replaceAll('→', '\t'),
}));
const isLeftOut = ({ number, section }: { number: number; section: string }): boolean =>
  section in LEFT_OUT_SECTIONS || number in LEFT_OUT;

describe('CommonMark 0.31.2', () => {
  it.each(examples.filter((example) => !isLeftOut(example)))(
    'CommonMark example $number, $section',
    ({ markdown, html }) => {
      expect(write(markdown)).toBe(normalizeHtml(html));
    },
  );

  it('omits a CommonMark example only if the parser differs from it', () => {
    const passing = examples
      .filter(({ number }) => number in LEFT_OUT)
      .filter(({ markdown, html }) => write(markdown) === normalizeHtml(html));
    expect(passing.map(({ number }) => number)).toEqual([]);
  });

  it('gives the same result for CommonMark examples that stream character by character', () => {
    for (const { number, markdown } of examples) {
      const stream = createMarkdownStream(toAnyHref);
      for (let end = 1; end < markdown.length; end += 1) stream(markdown.slice(0, end), true);
      expect(`${number} ${writeSpecificationHtml(stream(markdown, false))}`).toBe(
        `${number} ${write(markdown)}`,
      );
    }
  });
});

describe('GitHub Flavored Markdown 0.29', () => {
  it.each(GFM_EXAMPLES.filter(({ number }) => !(number in LEFT_OUT_OF_GFM)))(
    'GitHub Flavored Markdown example $number, $section',
    ({ markdown, html }) => {
      expect(write(markdown)).toBe(normalizeHtml(html));
    },
  );
});
