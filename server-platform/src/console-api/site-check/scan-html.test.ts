import { expect, it } from 'vitest';
import { scanHtml } from './scan-html.ts';

const scan = (html: string) =>
  [...scanHtml(html)].map((token) =>
    token.kind === 'comment'
      ? `comment ${token.text}`
      : [token.name, ...[...token.attributes].map(([name, value]) => `${name}=${value}`), token.text]
          .filter((part) => part !== '')
          .join(' '),
  );

it('reads tags and attributes however they are quoted, with their character references', () => {
  expect(
    scan(
      `<SCRIPT defer SRC='https://a.test/x.js?a=1&amp;b=2' data-title="Say &quot;hi&quot; &#62;"></SCRIPT><p class=a/b>`,
    ),
  ).toEqual([`script defer= src=https://a.test/x.js?a=1&b=2 data-title=Say "hi" >`, 'p class=a/b']);
});

it('reads no tags in comments, scripts, templates and texts', () => {
  expect(
    scan('<!-- <script src=a> --><script>"<b>"</Script ><template><i></template><title><u></title><s>'),
  ).toEqual(['comment  <script src=a> ', 'script "<b>"', 'template <i>', 'title <u>', 's']);
});

it.each([
  ['<', []],
  ['a < b <3 <b', ['b']],
  ['<!-- open', ['comment  open']],
  ['<script src="a', ['script src=']],
  ['<a b="1" b="2" =c>', ['a b=1']],
  ['&#x110000; <a b="&#x110000;&#xFFFFFF;&bogus;">', ['a b=&#x110000;&#xFFFFFF;&bogus;']],
])('ends at whatever a page ends with: %j', (html, tokens) => {
  expect(scan(html)).toEqual(tokens);
});

it('reads the first 1,000 attributes of a tag, and continues after it', () => {
  const many = Array.from({ length: 3_000 }, (_, n) => `a${n}`).join(' ');
  const [first, second] = scanHtml(`<p ${many}><b>`);
  expect(first).toMatchObject({ name: 'p', attributes: { size: 1_000 } });
  expect(second).toMatchObject({ name: 'b' });
});
