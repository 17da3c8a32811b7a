import type { VNode } from 'preact';
import { NEW_TAB, toSafeHref } from '../../../src/widget/links/safe-href.ts';

/** A web address up to a blank; marks at its end belong to the sentence. */
const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>"]*[^\s<>".,;:!?)\]}'’]/gi;

/** A typed text unchanged, with its web addresses as links. */
export function LinkedText({ text }: { text: string }): VNode {
  const parts = text.split(ADDRESS);
  const addresses = text.match(ADDRESS) ?? [];
  return (
    <p dir="auto">
      {parts.map((part, index) => {
        const address = addresses[index];
        const href = address === undefined ? null : toSafeHref(address);
        return [
          part,
          href === null ? (
            address
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: addresses have no other name, and none moves
            <a key={index} href={href} {...NEW_TAB}>
              {address}
            </a>
          ),
        ];
      })}
    </p>
  );
}
