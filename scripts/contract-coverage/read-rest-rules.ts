import { readFileSync } from 'node:fs';
import type { ContractRule } from './find-rule-tests.ts';

const PAGE = new URL('../../docs/protocol/rest.md', import.meta.url);

/** Rules that no test can show, with the reason. */
const NOT_TESTABLE: Readonly<Record<string, string>> = {
  'WD-10': 'A freedom, not a duty: no order of deliveries is wrong, so no test could fail.',
};

/** The rules of the REST contract, as its page lists them. */
export function readRestRules(): readonly ContractRule[] {
  const found = readFileSync(PAGE, 'utf8').matchAll(/^- <a id="[^"]+"><\/a>\*\*([A-Z]+-\d+)\*\* (.+)$/gm);
  return [...found].map(([, id = '', rule = '']) => {
    const notTestable = NOT_TESTABLE[id];
    return { id, rule, ...(notTestable !== undefined && { notTestable }) };
  });
}
