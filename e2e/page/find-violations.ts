import type { Page } from '@playwright/test';
import axe from 'axe-core';

/** The rules that see colours. A page that is looked at in a second colour scheme differs in nothing else. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'] as const;

/**
 * What axe finds in the page, or in the part of it that `selector` names; with all its rules, the rules of `tags`, or `rules`.
 * The page keeps axe: to read its half megabyte again for every state would take longer than to look.
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
        // Style sheets and media, which no rule here reads, would be fetched again for every look.
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
