import type { WidgetOptions } from '../../widget/index.ts';
import { type MakeConversation, prepareConversation } from '../conversation/conversation.ts';
import { readAttributes } from '../read-attributes.ts';

/** What the script tag's loader asks the panel's file for: a conversation by the attributes of the tag, and options of `update`. */
export const prepare = (endpoint: string, given: object): Promise<MakeConversation> =>
  prepareConversation({ endpoint, ...readAttributes({ ...given }) } as WidgetOptions);
