import type { WidgetOptions } from '../../widget/index.ts';
import { type MakeConversation, prepareConversation } from '../conversation/conversation.ts';
import { readAttributes } from '../read-attributes.ts';

/**
 * Called by the script tag's loader: prepares a conversation with the tag's attributes, and with options from `update`.
 */
export const prepare = (endpoint: string, options: object): Promise<MakeConversation> =>
  prepareConversation({ endpoint, ...readAttributes({ ...options }) } as WidgetOptions);
