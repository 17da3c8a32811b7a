import type { Strings } from '../../locales/catalogue.ts';
import type { SavedMessage } from './saved-conversation.ts';

/** Returns the label that distinguishes a human from the automated agent; empty for the visitor. */
export function speakerLabelOf({ from }: SavedMessage, strings: Strings): string {
  const { tagAgent, tagPerson, demonstration } = strings;
  return { visitor: '', agent: tagAgent, person: tagPerson, demonstration }[from];
}
