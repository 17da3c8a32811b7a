// Finds the rules of docs/protocol/rest.md that no test names, and exits with 1 while there are any: `npm run check`. With
// `--list` it prints the tests of every rule.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContractRule } from './find-rule-tests.ts';
import { coverRules, type RuleCoverage } from './find-rule-tests.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PLACES = ['server-*/{src,testing}/**/*.test.ts', 'test/**/*.test.ts', 'src/**/*.test.ts'];

const PAGE = new URL('../../docs/protocol/rest.md', import.meta.url);

/** Rules that no test can show, with the reason. */
const NOT_TESTABLE: Readonly<Record<string, string>> = {
  'WD-10': 'A freedom, not a duty: no order of deliveries is wrong, so no test could fail.',
};

/** The rules of the REST contract, as its page lists them. */
function readRestRules(): readonly ContractRule[] {
  const found = readFileSync(PAGE, 'utf8').matchAll(/^- <a id="[^"]+"><\/a>\*\*([A-Z]+-\d+)\*\* (.+)$/gm);
  return [...found].map(([, id = '', rule = '']) => {
    const notTestable = NOT_TESTABLE[id];
    return { id, rule, ...(notTestable !== undefined && { notTestable }) };
  });
}

const files = globSync(PLACES, { cwd: ROOT })
  .sort()
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
const coverage = coverRules(readRestRules(), files);

const isListing = process.argv.includes('--list');
for (const each of coverage) if (isListing || each.status === 'missing') console.log(tell(each));
const count = (status: RuleCoverage['status']): number =>
  coverage.filter((each) => each.status === status).length;
const missing = count('missing');
console.log(`covered ${count('covered')}, not testable ${count('not_testable')}, missing ${missing}`);
process.exitCode = missing === 0 ? 0 : 1;

function tell(each: RuleCoverage): string {
  const id = each.rule.id.padEnd(6);
  if (each.status === 'covered') return `${id} ${each.files.join(', ')}`;
  return each.status === 'missing'
    ? `${id} MISSING: ${each.rule.rule}`
    : `${id} not testable: ${each.rule.notTestable}`;
}
