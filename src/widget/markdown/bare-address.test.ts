import { expect, it } from 'vitest';
import { toSafeHref } from '../links/safe-href.ts';
import { parseBlocks } from './parse-blocks.ts';
import type { RichNode } from './rich-node.ts';

const linksIn = (nodes: readonly RichNode[]): readonly string[] =>
  nodes.flatMap((node) =>
    typeof node === 'string' ? [] : node.tag === 'a' ? [node.children.join('')] : linksIn(node.children),
  );
const textIn = (nodes: readonly RichNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : textIn(node.children))).join('');
const read = (text: string) => parseBlocks([text], false, { known: new Map(), toHref: toSafeHref }).blocks;

const A = 'https://example.com/a';

it.each([
  ['a Chinese full stop', `请看${A}。谢谢`],
  ['a Japanese closing bracket', `「${A}」を開く`],
  ['a full-width bracket', `（${A}）`],
  ['a full-width comma', `${A}，然后`],
  ['full-width marks', `${A}！？`],
  ['ideographs', `${A}在这里`],
  ['kana', `${A}をご覧ください`],
  ['half-width kana', `${A}ｦ`],
  ['rare ideographs', `${A}𠮷野家`],
  ['Thai', `${A}ครับ`],
  ['Lao', `${A}ຢູ່`],
  ['Khmer', `${A}នៅ`],
  ['Burmese', `${A}မှာ`],
  ['Tibetan', `${A}ལ`],
  ['Yi', `${A}ꀀ`],
  ['an Arabic comma', `${A}، ثم`],
  ['an Arabic question mark', `هل فتحت ${A}؟`],
  ['a Hindi full stop', `${A}।`],
  ['closing quotation marks', `“${A}”`],
  ['an ellipsis', `${A}… and so on`],
  ['an invisible mark of direction', `${A}\u200f`],
])('ends an address before %s', (_, text) => {
  const blocks = read(text);
  expect(linksIn(blocks)).toEqual([A]);
  expect(textIn(blocks)).toBe(text);
});

it.each([
  'https://example.com/straße',
  'https://ru.example/вики/Паром',
  'https://ko.example/위키',
  'https://例え.jp/a',
  'https://例え.テスト',
  'https://bücher.example/ä',
])('reads the address %s as a whole', (address) => {
  expect(linksIn(read(`(${address})`))).toEqual([address]);
});

it('reads many addresses without spaces between in linear time', () => {
  const started = performance.now();
  expect(linksIn(read(`${A}。`.repeat(5_000)))).toHaveLength(5_000);
  expect(performance.now() - started).toBeLessThan(2_000);
});
