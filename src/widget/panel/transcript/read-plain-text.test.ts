import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMarkdownStream } from '../../markdown/markdown-stream.ts';
import type { RichElement, RichNode } from '../../markdown/rich-node.ts';
import { readPlainText } from './read-plain-text.ts';

describe('a plain text', () => {
  it('splits a plain text into paragraphs and lines', () => {
    expect(readPlainText('Good morning!\n \nWhen do you\n leave?\n')).toEqual({
      paragraphs: [['Good morning!'], ['When do you', 'leave?']],
      isWhole: true,
    });
    expect(readPlainText('')).toEqual({ paragraphs: [], isWhole: true });
  });

  it.each([
    'It is **nine**',
    'Take `pier 3`',
    '- one',
    '  * one',
    '1. one',
    '12) one',
    '# Fares',
    '> quoted',
    'Fares\n===',
    'Fares\n---',
    '| a | b |',
    '    code',
    '\tcode',
    'https://x.example',
    'See WWW.x.example',
    'ada@x.example',
    '<b>now</b>',
    'Smith &amp; Sons',
    '[fares]',
    'a\\*b',
    '~~gone~~',
    '• one',
  ])('does not read a text with Markdown as plain: %j', (text) => {
    expect(readPlainText(`Hello.\n\n${text}`)).toEqual({
      paragraphs: text.startsWith('Fares\n') ? [['Hello.'], ['Fares']] : [['Hello.']],
      isWhole: false,
    });
  });

  it('equals the result of the Markdown reader for any plain text', () => {
    const words = fc.constantFrom(
      'Ferry',
      ' ',
      '  ',
      '\n',
      '\n\n',
      '\r\n',
      '.',
      '!',
      '#',
      '-',
      '(',
      ')',
      '"',
      "'",
      '7',
      '٣',
      '，',
      'é',
      ' - ',
      '+',
      '=',
      ':',
      '\u00a0',
      '\u2028',
      '*',
      '_',
      '\t',
      'http',
      '://',
      '@',
      '`',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        const { paragraphs, isWhole } = readPlainText(text);
        if (isWhole) expect(createMarkdownStream()(text, false).map(linesOf)).toEqual(paragraphs);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Returns the lines of a paragraph; for other elements a name that no line has. */
function linesOf({ tag, children }: RichElement): readonly string[] {
  if (tag !== 'p') return [`<${tag}>`];
  const toText = (node: RichNode): string =>
    typeof node === 'string' ? node : node.tag === 'br' ? '\n' : `<${node.tag}>`;
  return children.map(toText).join('').split('\n');
}
