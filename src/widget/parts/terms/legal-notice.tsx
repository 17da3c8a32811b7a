import type { VNode } from 'preact';
import { usePanel } from '../../panel/model/panel-model.ts';
import { PolicyLinks } from './policy-links.tsx';

/** A disclaimer of up to this length fits below the composer; a longer one is above the first message. */
const SHORT_CHARACTERS = 110;

/** Disclaimer and policy links. Used in two places; renders only in the one that fits the length. */
export function LegalNotice({ isLong = false }: { readonly isLong?: boolean }): VNode | null {
  const { options } = usePanel();
  const { disclaimer = '' } = options.value;
  if (disclaimer.length > SHORT_CHARACTERS !== isLong) return null;
  return (
    <div class={isLong ? 'small-print long' : 'small-print'}>
      {disclaimer && <p dir="auto">{disclaimer}</p>}
      <PolicyLinks />
    </div>
  );
}
