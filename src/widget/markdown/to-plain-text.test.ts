import { expect, it } from 'vitest';
import { createMarkdownStream } from './markdown-stream.ts';
import { toPlainText } from './to-plain-text.ts';

const read = (text: string): string => toPlainText(createMarkdownStream()(text, false));

it.each([
  ['> One\n> two\n>\n> > Three', '> One\n> two\n> \n> > Three'],
  ['- [x] Paid ~~€78~~ €64\n- [ ] Checked in', '• ☑ Paid ~~€78~~ €64\n• ☐ Checked in'],
  ['Above\n\n---\n\nBelow', 'Above\n\n---\n\nBelow'],
  ['Title\n===\n\n    code', 'Title\n\ncode'],
  ['See [the map][1], ![a plan](https://x.example/p.png).\n\n[1]: https://x.example', 'See the map, a plan.'],
])('writes %j as plain text', (text, expected) => expect(read(text)).toBe(expected));
