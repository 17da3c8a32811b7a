import { expect, it } from 'vitest';
import { createMarkdownStream } from './markdown-stream.ts';
import type { RichNode } from './rich-node.ts';

const textOf = (node: RichNode): string =>
  typeof node === 'string' ? node : node.children.map(textOf).join('');

const shown = (text: string): string => createMarkdownStream()(text, false).map(textOf).join('');

it.each([
  ['[https://bank.example/login](https://other.example/x)', 'https://bank.example/login (other.example)'],
  ['[bank.example](https://other.example/x)', 'bank.example (other.example)'],
  ['[**bank**.example](https://other.example/x)', 'bank.example (other.example)'],
  [
    '[Go to https://bank.example now](https://other.example)',
    'Go to https://bank.example now (other.example)',
  ],
  ['[www.bank.example](https://bank.example.other.example)', 'www.bank.example (bank.example.other.example)'],
  [
    '[https://other.example@bank.example](https://other.example)',
    'https://other.example@bank.example (other.example)',
  ],
  ['<a href="https://other.example">bank.example</a>', 'bank.example (other.example)'],
  ['![bank.example](https://other.example/a.png)', 'bank.example (other.example)'],
  ['[bank.example][1]\n\n[1]: https://other.example', 'bank.example (other.example)'],
  ['[help@bank.example](mailto:a@other.example)', 'help@bank.example (a@other.example)'],
  ['[help@bank.example](mailto:%ff@other.example)', 'help@bank.example (%ff@other.example)'],
  ['[+44 20 7946 0000](tel:+449098790000)', '+44 20 7946 0000 (+449098790000)'],
  ['[bank.exa\u200bmple](https://other.example)', 'bank.exa\u200bmple (other.example)'],
  ['[bank\u00ad.example](https://other.example)', 'bank\u00ad.example (other.example)'],
  ['[bank\uff0eexample](https://other.example)', 'bank\uff0eexample (other.example)'],
  ['[bank\u3002example](https://other.example)', 'bank\u3002example (other.example)'],
  ['[bank\u2024example](https://other.example)', 'bank\u2024example (other.example)'],
  ['[help\u2060@bank.example](mailto:a@other.example)', 'help\u2060@bank.example (a@other.example)'],
  ['[b\u00e4nk.example](https://bank.example)', 'b\u00e4nk.example (bank.example)'],
])('shows the target of a link whose label looks like another address: %s', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

it.each([
  ['[Timetable](https://other.example/x)', 'Timetable'],
  ['[Fares and prices.](https://other.example/x)', 'Fares and prices.'],
  ['[bank.example](https://www.bank.example/login)', 'bank.example'],
  ['[https://BANK.example:443/](https://bank.example/login)', 'https://BANK.example:443/'],
  ['[b\u00e4nk.example](https://b\u00e4nk.example)', 'b\u00e4nk.example'],
  ['[Help@bank.example](mailto:help@bank.example?subject=Hi)', 'Help@bank.example'],
  ['[Write to us](mailto:help@bank.example)', 'Write to us'],
  ['[020 7946 0000](tel:02079460000)', '020 7946 0000'],
  ['[Call us](tel:02079460000)', 'Call us'],
  ['https://bank.example/a', 'https://bank.example/a'],
  ['<https://bank.example/a>', 'https://bank.example/a'],
])('adds nothing to a label that hides nothing: %s', (text, expected) => {
  expect(shown(text)).toBe(expected);
});

it.each([
  ['[\u202efdp.eciovni\u202c](https://other.example/x)', 'fdp.eciovni (other.example)'],
  ['[a \u2067b\u2069 c](https://other.example/x)', 'a b c'],
  ['https://other.example/\u202egpj.exe', 'https://other.example/gpj.exe'],
])('removes direction controls from a label: %j', (text, expected) => {
  expect(shown(text)).toBe(expected);
});
