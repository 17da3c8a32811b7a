import {
  type ConversationsQuery,
  type ConversationsVersion,
  conversationSchema,
  fieldDescriptions,
  toVendorFields,
  VENDOR_FIELDS,
} from '@natter/sdk';
import { type Account, type Project, writeAccountId } from '../../accounts/index.ts';
import { RestError, validationError } from '../../api/rest/index.ts';
import type { Database } from '../../db/index.ts';
import type { RunInShare } from '../../kit/http/index.ts';
import type { SemanticSearch } from '../search/index.ts';
import {
  type FoundPage,
  findPage,
  findRandom,
  type ListOrder,
  type ListPosition,
  readCursor,
  writeCursor,
} from '../search/index.ts';
import { readConversations } from './read-conversations.ts';
import { refuseTranscriptSearch } from './withhold-texts.ts';
import {
  isShownOnV1,
  type RecordContext,
  writeConversation,
  writeLegacyConversation,
} from './write-conversation.ts';
import { frameOfPage, writeRecords } from './write-records.ts';

/** A list request with its parsed query. */
export interface ListRequest {
  readonly version: ConversationsVersion;
  readonly account: Account;
  readonly project: Project;
  readonly query: ConversationsQuery;
  readonly hasVendorNames: boolean;
  readonly nowMs: number;
}

/** Dependencies of lists. */
export interface ListSources {
  readonly database: Database;
  readonly semantic: SemanticSearch;
  /** Limits an account's searches, because some are expensive. */
  readonly searchInShare: RunInShare;
  /** Sends a response; each account may have a limited number in progress until it has read them. */
  readonly answerInShare: (
    accountId: string,
    signal: AbortSignal,
    answer: () => Promise<Response>,
  ) => Promise<Response>;
}

/**
 * Finds the page and resolves with its text in pieces; conversations are only read when the first piece is requested.
 * Rejects with a `RestError` for an invalid cursor. Source: section 4.
 */
export async function listConversations(
  sources: ListSources,
  request: ListRequest,
): Promise<AsyncGenerator<string, void, undefined>> {
  const { version, account, project, query, hasVendorNames, nowMs } = request;
  const hasCursor = version === 'v3' || (version === 'v2' && project.conversations.isStreaming);
  const after = readPosition(query.cursor, hasCursor, version);
  const { ids, next } = await findListed(sources, project, query, after);
  const context: RecordContext = {
    accountId: writeAccountId(account.id, hasVendorNames),
    settings: project.conversations,
    extras: {
      hasLatency: query.include_latency,
      hasContextState: query.include_context_state,
      hasMetadata: query.include_turn_metadata,
    },
    hasVendorNames,
    nowMs,
  };
  const whitelist = version === 'v1' ? project.conversations.whitelist : null;
  const write = version === 'v1' ? writeLegacyConversation : writeConversation;
  const frame = frameOfPage({
    descriptions: describeFields(whitelist, hasVendorNames),
    // A list with cursors has no offset (CV-6).
    next_offset: next === null || after !== null ? undefined : query.offset + query.limit,
    cursor: hasCursor ? (next === null ? null : writeCursor(next)) : undefined,
  });
  return writeRecords(readConversations(sources.database, ids), (stored) => write(stored, context), frame);
}

/** Returns a cursor's position. Source: CV-2, CV-7. */
export function readPosition(
  cursor: string | undefined,
  hasCursor: boolean,
  version: ConversationsVersion,
): ListPosition | null {
  if (cursor === undefined) return null;
  if (!hasCursor) throw validationError([{ field: 'cursor', message: `is not supported on ${version}` }]);
  const position = readCursor(cursor);
  if (position !== null) return position;
  throw new RestError(400, 'GET_CONVERSATIONS_FILTER_PARSE_ERROR', 'Malformed cursor');
}

/** Finds a query's conversations from a position on. Source: CV-3. */
export async function findListed(
  { database, semantic, searchInShare }: ListSources,
  { id, accountId, conversations }: Project,
  query: ConversationsQuery,
  after: ListPosition | null,
  order: ListOrder = 'oldest',
): Promise<FoundPage> {
  refuseTranscriptSearch(query, conversations);
  return await searchInShare(accountId, async () => {
    if (query.sample === 'random') return await findRandom(database, id, query);
    if (query.query_type === 'semantic') return await semantic.find(id, query);
    return await findPage(database, id, query, after, order);
  });
}

const DESCRIPTIONS = fieldDescriptions(conversationSchema);

/** The field `descriptions` of every page: for the fields of `whitelist`, or for all if `null`. */
function describeFields(whitelist: readonly string[] | null, hasVendorNames: boolean): object {
  const shown = Object.fromEntries(
    Object.entries(DESCRIPTIONS).filter(([name]) => isShownOnV1(name, whitelist)),
  );
  return { conversations: hasVendorNames ? toVendorFields(shown, VENDOR_FIELDS.conversation) : shown };
}
