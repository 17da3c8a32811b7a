import type { WidgetContextProvider } from '../../../client/index.ts';
import type { CustomMap } from '../../../protocol/index.ts';

/**
 * Lets `page` supply the metadata that the widget adds. The page's own context, whose code loads with its first command, replaces the
 * callbacks and reads `added` itself. Returns the function that adds metadata.
 */
export function supplyMetadata(page: WidgetContextProvider): (read: () => CustomMap) => void {
  const added: (() => CustomMap)[] = [];
  page.added = added;
  const collect = (): CustomMap | undefined => {
    const metadata = Object.assign({}, ...added.map((read) => read()));
    return Object.keys(metadata).length > 0 ? metadata : undefined;
  };
  page.pageContext ??= collect;
  page.beforeJoin ??= async () => collect();
  return (read) => void added.push(read);
}
