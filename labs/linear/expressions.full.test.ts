import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkSync } from 'recheck';
import { parseSync, Visitor } from 'rolldown/utils';
import { expect, it } from 'vitest';
import { PATIENCE } from '../../e2e/patience.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TEST_MS = 120_000 * PATIENCE;
/** A proof takes milliseconds; some expressions are too large for one, and are tried for this long. */
const PROOF = { checker: 'automaton', timeout: 1_000 } as const;

/** Expressions that would take longer than linear time, if the length of their input were not bounded. */
const BOUNDED: ReadonlyMap<string, string> = new Map([
  ['src/embed/launcher/bubble.ts', '160 characters'],
  ['src/widget/markdown/hidden-target.ts', '1,000 characters of a label'],
  ['src/embed/doctor/doctor.ts', 'a stack that the browser writes'],
  ['src/client/retry-import.ts', 'an error message that the browser writes'],
  ['console/views/install/options.ts', 'descriptions of the package itself'],
]);

interface Expression {
  readonly file: string;
  readonly pattern: string;
  readonly flags: string;
}

/** The regular expressions that a module spells out. */
function expressionsOf(file: string): readonly Expression[] {
  const found = new Map<string, Expression>();
  const { program } = parseSync(file, readFileSync(ROOT + file, 'utf8'));
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return;
      const { pattern, flags } = node.regex;
      found.set(`/${pattern}/${flags}`, { file, pattern, flags });
    },
  }).visit(program);
  return [...found.values()];
}

const isProduction = (file: string): boolean =>
  /^(?:src|console|server-(?:platform|sdk|token-proxy)\/src)\/.*\.tsx?$/.test(file) &&
  !/\.(?:test|d)\.tsx?$/.test(file);

// Expressions that look around themselves are beyond the proof as well; `labs/linear/cases` measures what reads outside input with them.
it('no regular expression of production code takes longer than linear time', { timeout: TEST_MS }, () => {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter(isProduction);
  const expressions = files.flatMap(expressionsOf);
  expect(expressions.length).toBeGreaterThan(500);
  const slow = expressions
    .filter(({ file }) => !BOUNDED.has(file))
    .flatMap(({ file, pattern, flags }) => {
      const found = checkSync(pattern, flags, PROOF);
      return found.status === 'vulnerable'
        ? [`${file} /${pattern}/${flags} with ${found.attack.pattern}`]
        : [];
    });
  expect(slow).toEqual([]);
});
