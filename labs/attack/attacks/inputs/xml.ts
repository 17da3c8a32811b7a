import type { Attack } from '../../attack.ts';
import { outcomeOf } from '../../peers/hostile-http.ts';
import { postEvent } from '../../peers/post-event.ts';

const SIZE = 900_000;
const fill = (part: string): string => part.repeat(Math.floor(SIZE / part.length));

const LAUGHS = Array.from(
  { length: 20 },
  (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
).join('');

/** Documents of just under 1 MB that are slow for readers that look back, or that believe a DTD. */
const DOCUMENTS: readonly string[] = [
  fill('<a>'),
  `${'<a>'.repeat(120_000)}${'</a>'.repeat(120_000)}`,
  fill('<'),
  `<id ${fill('a="1" ')}>1</id>`,
  `<id a="${fill('x')}`,
  fill('<!--'),
  fill('<![CDATA['),
  fill('<!-- -- -->'),
  `<r>${fill('&amp;')}</r>`,
  `<r>${fill('&#x41')}</r>`,
  fill('</a '),
  fill('<?x '),
  `<!DOCTYPE r [<!ENTITY l0 "ha">${LAUGHS}]><r><id>&l20;</id></r>`,
  '<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd">]><r><id>&f;</id></r>',
  `<r>${fill('<id></id>')}</r>`,
  `<r>${fill('<a><id>x</id></a>')}</r>`,
];

/** XML that some readers take quadratic time for, or expand. */
export const xml: Attack = {
  name: 'xml',
  summary: 'posts XML of 1 MB that is nested, unclosed, full of references or entities',
  allowed: [/^HTTP (?:200|202|204|400|413|429)$/],
  required: ['HTTP 400'],
  async run(context) {
    await context.repeat(2, { small: DOCUMENTS.length, full: 400 }, async (index) => {
      const body = DOCUMENTS[index % DOCUMENTS.length] ?? '';
      const path = index % 3 === 0 ? 'id' : index % 3 === 1 ? 'r.id' : 'a.'.repeat(2_000);
      context.count(outcomeOf(await postEvent(context, 'application/xml', body, path)));
    });
  },
};
