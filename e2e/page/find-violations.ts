import type { Page } from '@playwright/test';
import axe from 'axe-core';

/** The rules about colours. A page in a second colour scheme differs in nothing else. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;

/**
 * Returns axe's findings in the page, or in the part that `selector` selects; with all rules, or only
 * with `rules` or the rules of `tags`. The page keeps axe, because loading its half megabyte again for every state would take longer than the
 * check.
 */
export async function findViolations(
  page: Page,
  {
    selector = 'html',
    tags,
    rules,
  }: {
    readonly selector?: string;
    readonly tags?: readonly string[];
    readonly rules?: readonly string[];
  } = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ([within, type, values]) => {
      const { violations } = await (Reflect.get(window, 'axe') as typeof axe).run(within, {
        resultTypes: ['violations'],
        // No rule here reads style sheets or media, which would be fetched again for every check.
        preload: false,
        ...(values && { runOnly: { type, values: [...values] } }),
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
      );
    },
    [selector, rules ? 'rule' : 'tag', rules ?? tags] as const,
  );
}
