import { describe, expect, it } from 'vitest';
import { createMarkdownStream } from './markdown-stream.ts';
import type { RichElement, RichNode } from './rich-node.ts';

/** Blocks as a short notation, so that a test shows the whole structure at a glance. */
function sketch(text: string, isStreaming = false): string {
  return createMarkdownStream()(text, isStreaming).map(node).join(' ');
}

function node(given: RichNode): string {
  if (typeof given === 'string') return given;
  const { tag, children, href, start = 1 } = given;
  const inside = children.map(node);
  switch (tag) {
    case 'br':
      return '⏎';
    case 'code':
      return `\`${inside.join('')}\``;
    case 'a':
      return `a[${href}](${inside.join('')})`;
    case 'ol':
      return `ol${start}(${inside.join('')})`;
    case 'li':
      return `${given.isDone === undefined ? '' : given.isDone ? '☑' : '☐'}li(${inside.join(' ')})`;
    case 'table':
      return `table[${columnsOf(given).join()}](${inside.filter(Boolean).join(' / ')})`;
    case 'thead':
    case 'tbody':
      return inside.join(' / ');
    case 'tr':
      return inside.join('|');
    case 'th':
    case 'td':
      return inside.join('');
    default:
      return `${tag}(${inside.join('')})`;
  }
}

function columnsOf({ children, align }: RichElement): readonly (string | undefined)[] {
  const [first] = children;
  if (align || typeof first !== 'object') return [align];
  return first.tag === 'th'
    ? children.flatMap((cell) => (typeof cell === 'object' ? cell.align : []))
    : columnsOf(first);
}

describe('inline Markdown', () => {
  it.each([
    [
      '**bold** and *thin* and __bold__ and _thin_',
      'p(strong(bold) and em(thin) and strong(bold) and em(thin))',
    ],
    ['***both***', 'p(em(strong(both)))'],
    ['**a *b* c**', 'p(strong(a em(b) c))'],
    ['**「重要」**です', 'p(strong(「重要」)です)'],
    ['snake_case_name and 2 * 3 * 4', 'p(snake_case_name and 2 * 3 * 4)'],
    ['**never closed', 'p(**never closed)'],
    ['a `code` b ``co`de`` c', 'p(a `code` b `co`de` c)'],
    ['`never closed', 'p(`never closed)'],
    ['one\ntwo', 'p(one⏎two)'],
    ['one<br>\ntwo', 'p(one⏎two)'],
    ['**a *b** c', 'p(*em(a em(b)) c)'],
    ['~~gone~~ but 3~5 and 10~20', 'p(del(gone) but 3~5 and 10~20)'],
    ['if a <b and no more', 'p(if a <b and no more)'],
    ['a `````````` and ****', 'p(a `````````` and ****)'],
    ['\\*not thin\\*', 'p(*not thin*)'],
    ['a &amp; b &lt;i&gt; &#8364; &nope;', 'p(a & b <i> € &nope;)'],
  ])('reads the inline Markdown %j', (text, expected) => expect(sketch(text)).toBe(expected));
});

describe('links', () => {
  it.each([
    ['[a](https://x.example/p)', 'p(a[https://x.example/p](a))'],
    ['[a](https://x.example/(p) "title")', 'p(a[https://x.example/(p)](a))'],
    ['[**a** b](mailto:a@x.example)', 'p(a[mailto:a@x.example](strong(a) b))'],
    ['[call](tel:+49 (0) 30)', 'p([call](tel:+49 (0) 30))'],
    ['[call](tel:+49-30-1)', 'p(a[tel:+49301](call))'],
    ['see https://x.example/a_b_c.', 'p(see a[https://x.example/a_b_c](https://x.example/a_b_c).)'],
    ['(https://x.example/a_(b))', 'p((a[https://x.example/a_(b)](https://x.example/a_(b))))'],
    ['<https://x.example>', 'p(a[https://x.example/](https://x.example))'],
    ['![alt](https://x.example/p.png)', 'p(a[https://x.example/p.png](alt))'],
    ['<a href="https://x.example" onclick="x()">a</a>', 'p(a[https://x.example/](a))'],
    ['[a](javascript:alert(1))', 'p(a)'],
    ['[a](/relative)', 'p(a)'],
    ['[[1]](https://x.example/)', 'p(a[https://x.example/]([1]))'],
    ['[see [a](https://x.example/)]', 'p([see a[https://x.example/](a)])'],
    ['[not a link] (x)', 'p([not a link] (x))'],
    ['[1] and [2](https://x.example/)', 'p([1] and a[https://x.example/](2))'],
  ])('reads the link %j', (text, expected) => expect(sketch(text)).toBe(expected));
});

describe('blocks', () => {
  it.each([
    ['# One\n### Three ###\ntext', 'h3(One) h4(Three) p(text)'],
    ['#hashtag', 'p(#hashtag)'],
    ['- a\n- b\n\ntext', 'ul(li(p(a))li(p(b))) p(text)'],
    ['1. a\n   - b\n     - c\n2. d', 'ol1(li(p(a) ul(li(p(b) ul(li(p(c))))))li(p(d)))'],
    ['10. a\n  - nested by two', 'ol10(li(p(a) ul(li(p(nested by two)))))'],
    ['- a\n\n- b', 'ul(li(p(a))li(p(b)))'],
    ['- a\n\n  second', 'ul(li(p(a) p(second)))'],
    ['text\n- a', 'p(text) ul(li(p(a)))'],
    ['born in\n1984. That year', 'p(born in⏎1984. That year)'],
    ['```js\nlet a = "<b>";\n```\nafter', 'pre(let a = "<b>";) p(after)'],
    ['- a\n  ```\n  code\n  ```', 'ul(li(p(a) pre(code)))'],
    ['| a | b |\n|:-:|--:|\n| 1 | 2 |\n| 3 |', 'table[center,end](a|b / 1|2 / 3|)'],
    ['a | b\nnot a table', 'p(a | b⏎not a table)'],
    ['<p>One</p><p>Two</p>', 'p(One) p(Two)'],
    [
      '<ul><li>a <b>b</b></li><li>c<ol><li>d</li></ol></li></ul>',
      'ul(li(p(a strong(b)))li(p(c) ol1(li(p(d)))))',
    ],
    [
      'WelcomeMessage:\n<ul>\n<li>a\n<li>b\n</ul>\n- c',
      'p(WelcomeMessage:) ul(li(p(a))li(p(b))) ul(li(p(c)))',
    ],
    ['a<br>b<br/>c', 'p(a⏎b⏎c)'],
    ['<div>shown</div> <script>x</script>', 'p(<div>shown</div> <script>x</script>)'],
    ['> quoted\nlazily', 'blockquote(p(quoted⏎lazily))'],
    ['> a\n> > b\n>\n> - c', 'blockquote(p(a)blockquote(p(b))ul(li(p(c))))'],
    ['- a\n\n- b', 'ul(li(p(a))li(p(b)))'],
    ['a\n\n---\n\nb', 'p(a) hr() p(b)'],
    ['Title\n===\nText', 'h3(Title) p(Text)'],
    ['- [ ] open\n- [x] done', 'ul(☐li(p(open))☑li(p(done)))'],
    ['• a\n• b', 'ul(li(p(a))li(p(b)))'],
    ['10) a\n   - b', 'ol10(li(p(a) ul(li(p(b)))))'],
    ['    code', 'pre(code)'],
    ['> | a |\n> |---|\n> | b |', 'blockquote(table[start](a / b))'],
  ])('reads the block %j', (text, expected) => expect(sketch(text)).toBe(expected));
});

describe('a text that is still being written', () => {
  it.each([
    ['Hello **wor', 'p(Hello strong(wor))'],
    ['Hello **', 'p(Hello )'],
    ['Hello **wor*', 'p(Hello strong(wor))'],
    ['see `npm i', 'p(see `npm i`)'],
    ['see [the page', 'p(see [the page)'],
    ['see [the page](https://x.exam', 'p(see the page)'],
    ['see https://x.exam', 'p(see https://x.exam)'],
    ['<b>bold', 'p(strong(bold))'],
    ['text <st', 'p(text )'],
    ['a\n\n```js\nlet a', 'p(a)'],
    ['```js\nlet a\nlet b', 'pre(let a)'],
    ['```js\nlet a\n', 'pre(let a)'],
    ['text\n\n    code\n    more', 'p(text) pre(code)'],
    ['```\ncode\n``', 'pre(code)'],
    ['text\n\n| a | b |', 'p(text)'],
    ['| a | b |\n|--', 'table[start,start](a|b)'],
    ['| a | b |\n|--|--|\n| 1 | 2', 'table[start,start](a|b)'],
    ['| a | b |\n|--|--|\n| 1 | 2 |\n', 'table[start,start](a|b / 1|2)'],
    ['> | a |\n> |---|\n> | b |\n> | c', 'blockquote(table[start](a / b))'],
    ['- a\n- **b', 'ul(li(p(a))li(p(strong(b))))'],
    ['WelcomeMessage:\n-', 'p(WelcomeMessage:)'],
    ['WelcomeMessage:\n--', 'p(WelcomeMessage:)'],
    ['WelcomeMessage:\n- a', 'p(WelcomeMessage:) ul(li(p(a)))'],
    ['- a\n*', 'ul(li(p(a)))'],
    ['- [x', 'ul(li())'],
    ['- [x] a', 'ul(☑li(p(a)))'],
    ['it takes ~5 minutes', 'p(it takes ~5 minutes)'],
    ['was ~~10', 'p(was del(10))'],
    ['a\n\n[1]: https://x.exam', 'p(a)'],
    ['[a][1]\n\n[1]: https://x.example/b\n', 'p(a[https://x.example/b](a))'],
  ])('shows the unfinished Markdown %j without its loose ends', (text, expected) =>
    expect(sketch(text, true)).toBe(expected),
  );
});
