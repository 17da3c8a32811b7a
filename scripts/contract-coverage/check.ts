// Prints which tests name which rule of docs/protocol/rest.md, and exits with 1 while a rule that can be tested is named by
// none: `npm run check`.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { coverRules, type RuleCoverage } from './find-rule-tests.ts';
import { readRestRules } from './read-rest-rules.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PLACES = ['server-*/{src,testing}/**/*.test.ts', 'test/**/*.test.ts', 'src/**/*.test.ts'];

const files = globSync(PLACES, { cwd: ROOT })
  .sort()
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
const coverage = coverRules(readRestRules(), files);

for (const each of coverage) console.log(tell(each));
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
