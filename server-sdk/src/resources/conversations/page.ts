import * as v from 'valibot';
import { NatterError } from '../../errors/natter-error.ts';
import { integer, listOf, mapOf, orNull, text } from '../../schema/fields.ts';
import { isRecord } from '../../schema/is-record.ts';
import { type Fields, objectOf, type Schema } from '../../schema/object-of.ts';
import { orElse, readerOf, repaired } from '../../schema/reader-of.ts';
import {
  type Conversation,
  conversationSchema,
  type LegacyConversation,
  legacyConversationSchema,
} from './record.ts';

const descriptions = {
  // Unreadable ones are no reason to refuse a page.
  conversations: orElse(
    {},
    repaired(readDescriptions, mapOf('Field of a conversation to text.', text('One line.'))),
  ),
};

const end = {
  /** One line about each field. */
  descriptions: orElse(
    { conversations: {} },
    repaired(
      (raw) => (isRecord(raw) ? raw : {}),
      objectOf('Descriptions', 'One line about each field.', descriptions),
    ),
  ),
  /** `offset` of the next page; absent at the end, and where a cursor is used. */
  next_offset: v.optional(integer('`offset` of the next page; absent at the end.', 0)),
  /** `cursor` of the next page; null at the end; absent where the version has none. */
  cursor: v.optional(orNull(text('`cursor` of the next page; null at the end. With streaming only.'))),
};

/** Fields after the conversations of a page. Source: CV-5, CV-6. */
export interface PageEnd extends Fields<typeof end> {}

/** One page of the list. */
export interface Page<Item> extends PageEnd {
  readonly conversations: readonly Item[];
}

/** Schema of a page of v1; a whitelist narrows its `descriptions` too. Source: 4.3. */
export const conversationsPageV1Schema: Schema<Omit<Page<LegacyConversation>, 'descriptions'>> = objectOf(
  'ConversationsPageV1',
  'A page in ascending chronological order.',
  {
    conversations: listOf('The conversations.', legacyConversationSchema),
    descriptions: v.optional(end.descriptions),
    next_offset: end.next_offset,
  },
);

/** Schema of a page of v2; the cursor is there where the project streams. */
export const conversationsPageV2Schema: Schema<Page<Conversation>> = objectOf(
  'ConversationsPageV2',
  'A page in ascending chronological order.',
  { conversations: listOf('The conversations.', conversationSchema), ...end },
);

/** Schema of a page of v3. */
export const conversationsPageV3Schema: Schema<Page<Conversation>> = objectOf(
  'ConversationsPageV3',
  'A page in ascending chronological order.',
  {
    conversations: listOf('The conversations.', conversationSchema),
    ...end,
    cursor: orNull(text('`cursor` of the next page; null at the end.')),
  },
);

/** Reads what follows the conversations. */
export const pageEndReader: Schema<PageEnd> = readerOf(
  objectOf('PageEnd', 'What follows the conversations.', end),
);

/** Reads a whole page of any version. */
export function pageReader<Item>(item: Schema<Item>): Schema<Page<Item>> {
  return readerOf(objectOf('Page', 'A page.', { conversations: listOf('The conversations.', item), ...end }));
}

function readDescriptions(raw: unknown): unknown {
  const lines = isRecord(raw) ? Object.entries(raw) : [];
  return Object.fromEntries(lines.filter(([, line]) => typeof line === 'string'));
}

/** How a list continues: by cursor if the response has one, otherwise by offset. */
export type Position =
  | { readonly by: 'cursor'; readonly cursor: string }
  | { readonly by: 'offset'; readonly offset: number };

/**
 * Returns the position of the next page; null when there is none. `previous` is where this page began. A server whose
 * position does not move would keep the caller busy indefinitely, so that is an error. Source: CV-5, CV-6.
 * @throws NatterError `INVALID_RESPONSE` when the position does not move
 */
export function nextPosition(end: PageEnd, previous: Position): Position | null {
  if (typeof end.cursor === 'string') {
    if (previous.by === 'cursor' && previous.cursor === end.cursor) {
      throw standsStill('the cursor of the next page is that of this page');
    }
    return { by: 'cursor', cursor: end.cursor };
  }
  // A null cursor is the end of a list that was read by cursor, even if the response says otherwise.
  if (end.next_offset === undefined || previous.by === 'cursor') return null;
  if (end.next_offset <= previous.offset) throw standsStill('next_offset does not go forward');
  return { by: 'offset', offset: end.next_offset };
}

function standsStill(text: string): NatterError {
  return new NatterError({ code: 'INVALID_RESPONSE', text: `The list cannot continue: ${text}` });
}
