/** A rule of the REST contract. */
export interface ContractRule {
  readonly id: string;
  /** Its content, in short. */
  readonly rule: string;
  /** Why no test can show it; absent: one must. */
  readonly notTestable?: string;
}

/** A test file by its path, with its text. */
export interface TestFile {
  readonly path: string;
  readonly text: string;
}

/** A rule with its tests. */
export type RuleCoverage =
  | { readonly status: 'covered'; readonly rule: ContractRule; readonly files: readonly string[] }
  | { readonly status: 'not_testable' | 'missing'; readonly rule: ContractRule };

// A test's title is a literal with something after it: a function, options. Ids in comments and values do not count.
const TITLE = /(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g;
const RULE_ID = /\b[A-Z]{1,3}-\d+\b/g;

/** The rule ids in brackets in the titles of a test file: `it('refuses a malformed cursor (CV-7)', …)`. */
export function findRuleIds(text: string): ReadonlySet<string> {
  const titles = [...text.matchAll(TITLE)].map(([, , title = '']) => title);
  const brackets = titles.flatMap((title) =>
    [...title.matchAll(/\(([^()]*)\)/g)].map(([, inner = '']) => inner),
  );
  return new Set(brackets.flatMap((inner) => inner.match(RULE_ID) ?? []));
}

/** Finds out which tests name which rules, in the order of the rules. */
export function coverRules(
  rules: readonly ContractRule[],
  files: readonly TestFile[],
): readonly RuleCoverage[] {
  const idsByFile = files.map(({ path, text }) => ({ path, ids: findRuleIds(text) }));
  return rules.map((rule) => {
    const naming = idsByFile.filter(({ ids }) => ids.has(rule.id)).map(({ path }) => path);
    if (naming.length > 0) return { status: 'covered', rule, files: naming };
    return { status: rule.notTestable === undefined ? 'missing' : 'not_testable', rule };
  });
}
