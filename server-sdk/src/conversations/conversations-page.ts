import * as v from 'valibot';
import { integer, listOf, mapOf, orNull, text } from '../schema/fields.ts';
import { isRecord } from '../schema/is-record.ts';
import { dropNulls, fillAbsent, objectOf, type Schema, tolerant } from '../schema/object-of.ts';
import {
  type Conversation,
  conversationSchema,
  type LegacyConversation,
  legacyConversationSchema,
} from './conversation-record.ts';

/** One page of the list. */
export interface Page<Item> extends PageEnd {
  readonly conversations: readonly Item[];
}

/** What follows the conversations of a page. Source: CV-5, CV-6. */
export interface PageEnd {
  /** One line about each field. */
  readonly descriptions: { readonly conversations: Readonly<Record<string, string>> };
  /** `offset` of the next page; absent at the end, and where a cursor is used. */
  readonly next_offset?: number | undefined;
  /** `cursor` of the next page; null at the end; absent where the version has none. */
  readonly cursor?: string | null | undefined;
}

const shared = {
  descriptions: objectOf('Descriptions', 'One line about each field.', {
    conversations: mapOf('Field of a conversation to text.', text('One line.')),
  }),
  next_offset: v.optional(integer('`offset` of the next page; absent at the end.', 0)),
};

/** Schema of a page of v1; a whitelist leaves `descriptions` out. Source: 4.3. */
export const conversationsPageV1Schema: Schema<Omit<Page<LegacyConversation>, 'descriptions'>> = objectOf(
  'ConversationsPageV1',
  'A page in ascending chronological order.',
  {
    conversations: listOf('The conversations.', legacyConversationSchema),
    descriptions: v.optional(shared.descriptions),
    next_offset: shared.next_offset,
  },
);

/** Schema of a page of v2; the cursor is there where the project streams. */
export const conversationsPageV2Schema: Schema<Page<Conversation>> = objectOf(
  'ConversationsPageV2',
  'A page in ascending chronological order.',
  {
    conversations: listOf('The conversations.', conversationSchema),
    ...shared,
    cursor: v.optional(orNull(text('`cursor` of the next page; null at the end. With streaming only.'))),
  },
);

/** Schema of a page of v3. */
export const conversationsPageV3Schema: Schema<Page<Conversation>> = objectOf(
  'ConversationsPageV3',
  'A page in ascending chronological order.',
  {
    conversations: listOf('The conversations.', conversationSchema),
    ...shared,
    cursor: orNull(text('`cursor` of the next page; null at the end.')),
  },
);

const endEntries = { ...shared, cursor: v.optional(orNull(text('`cursor` of the next page.'))) };

/** Reads what follows the conversations; missing or unreadable descriptions are no reason to refuse a page. */
export const pageEndReader: Schema<PageEnd> = tolerant(
  objectOf('PageEnd', 'What follows the conversations.', endEntries),
  repairEnd,
);

/** Reads a whole page. */
export function pageReader<Item>(item: Schema<Item>): Schema<Page<Item>> {
  const conversations = listOf('The conversations.', item);
  return tolerant(objectOf('Page', 'A page.', { conversations, ...endEntries }), repairEnd);
}

function repairEnd(raw: unknown): unknown {
  const filled = dropNulls(fillAbsent(raw, { descriptions: {} }), ['next_offset']);
  return isRecord(filled) ? { ...filled, descriptions: readDescriptions(filled['descriptions']) } : filled;
}

function readDescriptions(raw: unknown): unknown {
  const lines = isRecord(raw) && isRecord(raw['conversations']) ? Object.entries(raw['conversations']) : [];
  return { conversations: Object.fromEntries(lines.filter(([, line]) => typeof line === 'string')) };
}
