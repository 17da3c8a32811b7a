import type { WidgetContextProvider } from '../../../client/index.ts';
import type { CustomMap } from '../../../protocol/index.ts';

/**
 * Lets `page` supply facts of the widget. The page's own context, whose code loads with its first command, replaces the
 * callbacks and reads `added` itself. Returns the function that adds facts.
 */
export function supplyFacts(page: WidgetContextProvider): (read: () => CustomMap) => void {
  const added: (() => CustomMap)[] = [];
  page.added = added;
  const collect = (): CustomMap | undefined => {
    const facts = Object.assign({}, ...added.map((read) => read()));
    return Object.keys(facts).length > 0 ? facts : undefined;
  };
  page.pageContext ??= collect;
  page.beforeJoin ??= async () => collect();
  return (read) => void added.push(read);
}
