import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readPage } from './read-examples.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = ['messaging.md', 'rest.md'] as const;
const SOURCES = [
  '{src,server-*/src,test,e2e,labs,demo}/**/*.{ts,tsx,py}',
  'test/vectors/*.{json,md}',
  '*.md',
  'docs/**/*.md',
  'server-*/*.md',
];

const text = Object.fromEntries(PAGES.map((page) => [page, readPage(page)]));
const rulesOf = (page: string): readonly string[] =>
  [...(text[page] ?? '').matchAll(/^- <a id="([a-z]+-\d+[a-z]?)"><\/a>\*\*([A-Z]+-\d+[a-z]?)\*\*/gm)].map(
    ([, , id = '']) => id,
  );
const sectionsOf = (page: string): ReadonlySet<string> =>
  new Set([...(text[page] ?? '').matchAll(/^#+ (\d+(?:\.\d+)?)[. ]/gm)].map(([, number = '']) => number));

const rules = new Set(PAGES.flatMap(rulesOf));
/** Prefixes of rule ids. An id with another prefix, such as a booking reference, is not a rule. */
const families = new Set([...rules].map((rule) => rule.replace(/-\d+[a-z]?$/, '')));

const files = globSync(SOURCES, { cwd: ROOT, exclude: ['**/node_modules/**', '**/dist/**'] })
  .filter((path) => !/^CHANGELOG|\/CHANGELOG/.test(path))
  .map((path) => ({ path, content: readFileSync(join(ROOT, path), 'utf8') }));

describe('the rules of docs/protocol', () => {
  it('every rule of docs/protocol has one anchor with its id', () => {
    for (const page of PAGES) {
      const anchors = [...(text[page] ?? '').matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id]) => id);
      expect(anchors).toEqual(rulesOf(page).map((rule) => rule.toLowerCase()));
    }
    expect(PAGES.flatMap(rulesOf)).toHaveLength(rules.size);
    expect(rules.size).toBeGreaterThan(240);
  });

  it('docs/protocol has every rule that a comment, a test or a document names', () => {
    const unknown = files.flatMap(({ path, content }) =>
      [...content.matchAll(/\b([A-Z]{1,4})-(\d{1,2}[a-z]?)\b(?!-)/g)]
        .filter(([id, family = '']) => families.has(family) && !rules.has(id))
        .map(([id]) => `${path}: ${id}`),
    );
    expect(unknown).toEqual([]);
    expect(files.length).toBeGreaterThan(500);
  });

  it('docs/protocol has every section that a comment names', () => {
    const unknown = files.flatMap(({ path, content }) =>
      [
        ...content.matchAll(
          /\b(messaging|rest)\.md`?,? (?:section )?(\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?)*)/g,
        ),
      ]
        .flatMap(([, page, numbers = '']) =>
          numbers.split(/, | and /).map((number) => ({ page: `${page}.md`, number })),
        )
        .filter(({ page, number }) => !sectionsOf(page).has(number))
        .map(({ page, number }) => `${path}: ${page} ${number}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe('the links of docs/protocol', () => {
  const pages = ['README.md', 'messaging.md', 'rest.md', 'webhooks.md'];
  /** Returns the anchors that GitHub creates from headings. */
  const anchorsOf = (page: string): ReadonlySet<string> => {
    const headings = [...readPage(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
    const ids = [...readPage(page).matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
    return new Set([...headings, ...ids]);
  };

  it.each(pages)('the links of %s lead to existing pages', (page) => {
    const links = [...readPage(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const wrong = links.filter((link) => {
      if (/^https?:/.test(link)) return false;
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : file;
      if (!pages.includes(target)) return globSync(join('docs/protocol', target), { cwd: ROOT }).length === 0;
      return anchor !== undefined && !anchorsOf(target).has(anchor);
    });
    expect(wrong).toEqual([]);
    expect(links.length).toBeGreaterThan(0);
  });
});
