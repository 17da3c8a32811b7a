import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Words that leave it to the reader to guess who or what is meant. */
const VAGUE =
  /\b(?:who|what|which)ever\b|\b(?:no|some|any)body\b|\bwhat (?:is|was|it|they|has|had|we|there)\b/gi;
/** One match in this many lines of comments is allowed, and one in a file with fewer. */
const LINES_PER_MATCH = 50;
/** A block from `/*` to its end, or the rest of a line from `//` unless that belongs to an address. */
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|[\s;{}(),])\/\/.*$/gm;

function findExcess(code: string): readonly string[] {
  const comments = code.match(COMMENT) ?? [];
  const lines = comments.reduce((sum, comment) => sum + comment.split('\n').length, 0);
  const matches = comments.flatMap((comment) => comment.match(VAGUE) ?? []);
  return matches.length > Math.ceil(lines / LINES_PER_MATCH) ? matches : [];
}

it('comments of the sources name their subjects', () => {
  const files = globSync('src/**/*.{ts,tsx,css}', { cwd: root });
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) => {
    const excess = findExcess(readFileSync(`${root}/${file}`, 'utf8'));
    return excess.length > 0 ? [`${file}: ${excess.join(', ')}`] : [];
  });
  expect(found).toEqual([]);
});

it('counts in comments only, one match for every 50 lines of them', () => {
  const line = '// Nobody waits.\n';
  expect(findExcess(line)).toEqual([]);
  expect(findExcess(line.repeat(2))).toEqual(['Nobody', 'Nobody']);
  expect(findExcess(`${line.repeat(2)}${'// Done.\n'.repeat(49)}`)).toEqual([]);
  expect(findExcess("const a = 'whatever nobody'; // whichever\n/* what is */")).toEqual([
    'whichever',
    'what is',
  ]);
});
