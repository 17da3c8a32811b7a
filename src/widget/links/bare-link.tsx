import type { ComponentChildren } from 'preact';
import { useLazyPart, usePanel } from '../panel/model/panel-model.ts';
import { toSafeHref } from './safe-href.ts';
import { UNSPACED_LETTERS } from './unspaced-letters.ts';

/** A shorter address is as easy to read as a card. */
const LONG_ADDRESS = new RegExp(`^(?:https?:\\/\\/|www\\.)[^\\s${UNSPACED_LETTERS}]{32,}$`, 'i');

/** Returns the safe address where a text is one long web address and nothing else, else null. */
export const toBareHref = (text: string): string | null =>
  LONG_ADDRESS.test(text) ? toSafeHref(text) : null;

/** A long address as a card. Its children are shown until the code of cards has loaded, and where it does not load. */
export function BareLink({
  href,
  children,
}: {
  href: string;
  children: ComponentChildren;
}): ComponentChildren {
  const code = useLazyPart(usePanel().parts.cards);
  return code ? <code.LinkCard href={href} /> : children;
}
