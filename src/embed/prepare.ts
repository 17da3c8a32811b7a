import { type MakeConversation, prepareConversation } from './conversation.ts';
import { type GivenAttributes, readAttributes } from './read-attributes.ts';

/** What the script tag's loader asks the panel's file for: a conversation by the attributes of the tag. */
export const prepare = (endpoint: string, given: GivenAttributes): Promise<MakeConversation> =>
  prepareConversation({ endpoint, ...readAttributes(given) });
