import type { Strings } from '../strings/catalogue.ts';
import type { SavedMessage } from './saved-conversation.ts';

/** The word for who is a person and who is not; empty for the visitor, who knows. */
export function roleOf({ from }: SavedMessage, strings: Strings): string {
  return { visitor: '', agent: strings.tagAgent, person: strings.tagPerson }[from];
}
