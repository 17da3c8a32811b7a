import type { VNode } from 'preact';
import { Icon } from '../../icons.tsx';
import { NEW_TAB } from '../../links/safe-href.ts';
import { listKey } from '../../list-key.ts';
import { usePanel } from '../../panel/model/panel-model.ts';

/** An arrow out of a box. */
const EXTERNAL =
  'M9.5 5H6a1.5 1.5 0 00-1.5 1.5v11A1.5 1.5 0 006 19h11a1.5 1.5 0 001.5-1.5V14M14 4.5h5.5V10M19 5l-8.5 8.5';

/** Links to the site's policies, which open in a new tab. */
export function PolicyLinks(): VNode | null {
  const { terms, strings, language } = usePanel();
  const links = terms.value?.textsIn(language.value).policyLinks ?? [];
  if (links.length === 0) return null;
  return (
    <ul class="policies">
      {links.map(({ label, url }, index) => (
        <li key={listKey(index)}>
          <a class="policy" href={url} {...NEW_TAB}>
            <span dir="auto">{label}</span>
            <Icon path={EXTERNAL} size={14} />
            <span class="sr"> ({strings.value.opensNewTab})</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
