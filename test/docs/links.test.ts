import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { DOCUMENTS, ROOT, read } from './repository.ts';

/**
 * Returns the anchors of a page: of its headings, as GitHub and the documentation's site name them, and explicit ones.
 */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = page.replace(/^```[\s\S]*?^```/gm, '');
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  const ids = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return new Set([...headings, ...ids]);
}

it('every link of a document leads to a file and a heading that exist', () => {
  let count = 0;
  const faults = DOCUMENTS.flatMap((document) => {
    const text = read(document).replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ''));
    return text.split('\n').flatMap((line, index) =>
      [...line.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
        if (/^[a-z]+:/.test(link)) return [];
        count += 1;
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? document : join(dirname(document), decodeURI(path));
        const fault = `${document}:${index + 1} links to ${link}`;
        if (!existsSync(join(ROOT, target))) return `${fault}: no such file`;
        if (!anchor || !target.endsWith('.md')) return [];
        return anchorsOf(read(target)).has(anchor) ? [] : `${fault}: no such heading`;
      }),
    );
  });
  expect(count).toBeGreaterThan(300);
  expect(faults).toEqual([]);
});

it('names the anchor of a heading as GitHub does', () => {
  expect(anchorsOf('## 17.1 Extensions\n### `natter-platform` and [you](x.md): a "test"\n')).toEqual(
    new Set(['171-extensions', 'natter-platform-and-you-a-test']),
  );
});
