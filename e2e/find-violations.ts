import type { Page } from '@playwright/test';
import axe from 'axe-core';

/**
 * What axe finds in the page, or in the part of it that `selector` names; with all its rules, or those of `tags`. The
 * page keeps axe: to read its half megabyte again for every state would take longer than to look.
 */
export async function findViolations(
  page: Page,
  { selector = 'html', tags }: { readonly selector?: string; readonly tags?: readonly string[] } = {},
): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  return page.evaluate(
    async ([within, runOnly]) => {
      const { violations } = await (Reflect.get(window, 'axe') as typeof axe).run(within, {
        resultTypes: ['violations'],
        ...(runOnly && { runOnly: [...runOnly] }),
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary ?? ''}`),
      );
    },
    [selector, tags] as const,
  );
}
