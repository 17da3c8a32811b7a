import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMarkdownStream } from './markdown-stream.ts';
import type { RichElement, RichNode } from './rich-node.ts';
import { toPlainText } from './to-plain-text.ts';

const FRAGMENTS = [
  '**',
  '*',
  '_',
  '`',
  '```',
  '\n',
  '\n\n',
  '- ',
  '1. ',
  '2) ',
  '  ',
  '    ',
  '# ',
  '| a | b |\n',
  '|---|:-:|\n',
  '| 1 | 2 |\n',
  '[a](',
  'https://x.example/a',
  ')',
  '[',
  ']',
  '<b>',
  '</b>',
  '<ul>',
  '<li>',
  '</ul>',
  '<p>',
  '<br>',
  '<a href="https://x.example">',
  '</a>',
  '<code>',
  '</code>',
  '\\',
  '&amp;',
  'word',
  ' ',
  'Ä',
  '日本',
  '😀',
  '<',
  '>',
  '!',
  '~~~',
  '\t',
  '-',
  '1',
  '.',
  '|',
  '> ',
  '>',
  '---',
  '===',
  '~~',
  '~',
  '- [ ] ',
  '- [x] ',
  '[a]: https://x.example/b\n',
  '[b]: <https://x.example/c> "t"\n',
  '[a]',
  '[b][a]',
  '![',
  '• ',
];
const markdown: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...FRAGMENTS), { maxLength: 60 })
  .map((parts) => parts.join(''));

function parseAtOnce(text: string): readonly RichElement[] {
  return createMarkdownStream()(text, false);
}

describe('a streamed text', () => {
  it('gives the same blocks for a streamed text, wherever it was cut', () => {
    fc.assert(
      fc.property(markdown, fc.array(fc.nat(), { maxLength: 12 }), (text, cuts) => {
        const stream = createMarkdownStream();
        const places = cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b);
        for (const place of places) stream(text.slice(0, place), true);
        expect(stream(text, false)).toEqual(parseAtOnce(text));
      }),
      {
        numRuns: 2_000,
        examples: [
          ['<ul>\n\n- **\n**', [11]],
          ['-\n\n- **\n2) **', [10]],
        ],
      },
    );
  });

  it('gives the same blocks for a text that streams character by character', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const stream = createMarkdownStream();
        for (let end = 1; end <= text.length; end += 1) stream(text.slice(0, end), true);
        expect(stream(text, false)).toEqual(parseAtOnce(text));
      }),
      { numRuns: 300 },
    );
  });

  it('draws a streamed text at any point', () => {
    fc.assert(
      fc.property(fc.oneof(markdown, fc.string({ unit: 'binary' })), fc.nat(), (text, cut) => {
        const prefix = text.slice(0, cut % (text.length + 1));
        for (const isStreaming of [true, false]) {
          const words = toPlainText(createMarkdownStream()(prefix, isStreaming));
          expect(words.length).toBeLessThanOrEqual(prefix.length * 4);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('shows a streamed text again when its beginning changes', () => {
    const stream = createMarkdownStream();
    stream('One\n\nTwo\n\nThree', true);
    expect(stream('Other\n\nTwo', false)).toEqual(parseAtOnce('Other\n\nTwo'));
  });

  it('resolves a reference when its definition arrives, and leaves the other blocks alone', () => {
    const stream = createMarkdownStream();
    stream('First.\n\nSee [the fares][1].\n\nLast.\n\nMore', true);
    const start = 'First.\n\nSee [the fares][1].\n\nLast.\n\nMore\n\n[1]: https://x.example/fares';
    const before = stream(start, true);
    expect(before[1]?.children).toEqual(['See [the fares][1].']);
    const after = stream(`${start}\n`, true);
    expect(after[0]).toBe(before[0]);
    expect(after[1]?.children[1]).toEqual({
      tag: 'a',
      children: ['the fares'],
      href: 'https://x.example/fares',
    });
    expect(after[2]).toBe(before[2]);
    expect(after).toHaveLength(4);
    expect(stream(`${start}\n\nAgain [1].`, true)[1]).toBe(after[1]);
  });

  it('keeps the identity of finished blocks', () => {
    const stream = createMarkdownStream();
    const before = stream('# Title\n\nFirst.\n\nSecond\nis gro', true);
    const after = stream('# Title\n\nFirst.\n\nSecond\nis growing.\n\nThird', true);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).toBe(before[1]);
  });
});

describe('the links of a text', () => {
  const scheme = fc.constantFrom(
    ...['https:', 'http:', 'mailto:', 'tel:', 'javascript:', 'data:', 'file:', 'blob:', 'JavaScript:', ''],
    ...['java&#x73;cript:', 'https&#58;', '//', '/', '?', '#', 'www.', ' javascript:', '\\u0000javascript:'],
  );
  const rest = fc.oneof(fc.webUrl(), fc.string(), fc.constantFrom('//x.example/a', 'alert(1)', '+49 30 1'));
  const address = fc.tuple(scheme, rest).map((parts) => parts.join(''));
  const link = fc
    .tuple(address, fc.nat(5))
    .map(
      ([to, form]) =>
        [`[a](${to})`, `<${to}>`, `<a href="${to}">a</a>`, `<a href=${to}>a`, ` ${to} `, `[a](<${to}> "t")`][
          form
        ],
    );

  it('links only to absolute addresses of the four allowed schemes (AM-3)', () => {
    const check = (node: RichNode): void => {
      if (typeof node === 'string') return;
      if (node.tag === 'a') expect(node.href).toMatch(/^(?:https?:\/\/[^/]|mailto:|tel:\+?\d)/);
      else expect(node.href).toBeUndefined();
      for (const child of node.children) check(child);
    };
    fc.assert(
      fc.property(
        fc.array(fc.oneof(link, markdown), { maxLength: 6 }),
        fc.boolean(),
        (parts, isStreaming) => {
          for (const block of createMarkdownStream()(parts.join(''), isStreaming)) check(block);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('never nests a link in another', () => {
    const isLink = (node: RichNode): boolean =>
      typeof node !== 'string' && (node.tag === 'a' || node.children.some(isLink));
    const check = (node: RichNode): void => {
      if (typeof node === 'string') return;
      if (node.tag === 'a') expect(node.children.some(isLink)).toBe(false);
      for (const child of node.children) check(child);
    };
    fc.assert(
      fc.property(fc.array(fc.oneof(link, markdown), { maxLength: 6 }), (parts) => {
        for (const block of parseAtOnce(parts.join(''))) check(block);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the work of parsing', () => {
  /**
   * Counts the characters that regular expressions read in `run`, because all repeated work of the parser is in them.
   */
  const stepsOf = (run: () => void): number => {
    let steps = 0;
    const { exec } = RegExp.prototype;
    RegExp.prototype.exec = function (text) {
      const from = this.lastIndex;
      const found = exec.call(this, text);
      // A sticky expression stops at its position.
      const end = found ? found.index + found[0].length : this.sticky ? from : text.length;
      steps += 1 + end - from;
      return found;
    };
    run();
    RegExp.prototype.exec = exec;
    return steps;
  };
  const stepsFor = (text: string): number => stepsOf(() => createMarkdownStream()(text, false));
  const stepsStreaming = (text: string, chunk: number): number =>
    stepsOf(() => {
      const parse = createMarkdownStream();
      for (let end = chunk; end < text.length; end += chunk) parse(text.slice(0, end), true);
      parse(text, false);
    });

  it.each([
    ['open brackets', '['],
    ['links that never end', '[a](b '],
    ['links without a bracket', '](('],
    ['nested links', '[a](https://x.example/ "'],
    ['stars', '*a '],
    ['strong stars', '**a *b '],
    ['mixed emphasis', '*a _b **c __d '],
    ['bracketed emphasis', '[*a* '],
    ['backticks', '`a ``b '],
    ['open tags', '<a href="'],
    ['code tags', '<code>'],
    ['bold tags', '<b><i>'],
    ['angle brackets', '<http:'],
    ['addresses', 'https://x.example/('],
    ['entities', '&#'],
    ['fences', '```\n'],
    ['list markers', '- a\n'],
    ['deeper lists', ' - a\n'],
    ['nested markers', '- '],
    ['blank lines in a list', '- a\n\n\n'],
    ['table rows', '| a |\n'],
    ['table rules', '|---|\n'],
    ['HTML lists', '<ul><li>a'],
    ['closing tags', '</li></ul>\n\n'],
    ['pipes', '|'],
    ['code tags of many kinds', '<code a>'],
    ['labels in labels', '[a]('],
    ['line breaks', '<br '],
    ['quotes', '> '],
    ['quoted lines', '> a\n'],
    ['strikethrough', '~~a '],
    ['emphasis in emphasis', '*a _b '],
    ['emphasis that closes', '*a_'],
    ['tasks', '- [ ] a\n'],
    ['headings under their lines', 'a\n---\n'],
    ['indented code', '    a\n'],
    ['definitions', '[a]: b\n'],
    ['references', '[a][b] '],
    ['pictures', '![a](b '],
    ['mail', 'a@b.c '],
  ])('parses in time that is linear in the length of the text: %s', (_, unit) => {
    const short = stepsFor(unit.repeat(500));
    const long = stepsFor(unit.repeat(4_000));
    expect(long).toBeLessThan(short * 8 * 1.5 + 1_000);
  });

  it('parses an answer of many blocks that streams in small pieces in linear time', () => {
    const text = 'A paragraph with **bold** text and a [link](https://x.example).\n\n- one\n- two\n\n'.repeat(
      250,
    );
    expect(stepsStreaming(text, 5)).toBeLessThan(text.length * 120);
  });

  it('parses definitions that arrive one by one in linear time', () => {
    const stepsOfDefinitions = (count: number): number => {
      const numbers = Array.from({ length: count }, (_, n) => n);
      const text = `${numbers.map((n) => `[a${n}]`).join('\n\n')}\n\n${numbers.map((n) => `[a${n}]: https://x.example\n`).join('\n')}`;
      return stepsStreaming(text, 30) / text.length;
    };
    expect(stepsOfDefinitions(900)).toBeLessThan(stepsOfDefinitions(300) * 1.5);
  });

  it.each([
    ['paragraph', 'word and **bold** '],
    ['code block', 'let a = 1;\n'],
    ['list', '- item\n'],
  ])('parses one endless %s in linear time', (kind, unit) => {
    const lead = kind === 'code block' ? '```\n' : '';
    const short = stepsStreaming(lead + unit.repeat(1_000), 63) / (unit.length * 1_000);
    const long = stepsStreaming(lead + unit.repeat(2_000), 63) / (unit.length * 2_000);
    expect(long).toBeLessThan(short * 1.5);
  });
});
