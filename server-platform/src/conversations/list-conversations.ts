import {
  type ConversationsQuery,
  type ConversationsVersion,
  toVendorFields,
  VENDOR_FIELDS,
} from '@natter/sdk';
import { type Account, type Project, writeAccountId } from '../accounts/index.ts';
import type { Database } from '../db/index.ts';
import { RestError, validationError } from '../rest/index.ts';
import { type ListPosition, readCursor, writeCursor } from './conversation-cursor.ts';
import { type FoundPage, findPage, findRandom } from './find-page.ts';
import { writeListBody } from './list-body.ts';
import type { SemanticSearch } from './vectors/semantic-search.ts';
import { type RecordContext, writeConversation, writeLegacyConversation } from './write-conversation.ts';

/** A list that was asked for, its query read. */
export interface ListRequest {
  readonly version: ConversationsVersion;
  readonly account: Account;
  readonly project: Project;
  readonly query: ConversationsQuery;
  readonly hasVendorNames: boolean;
  readonly nowMs: number;
}

/** What lists are made from. */
export interface ListSources {
  readonly database: Database;
  readonly semantic: SemanticSearch;
}

/**
 * Finds the page and resolves with its text in pieces; nothing is read of the conversations before the first piece is
 * taken. Rejects with a `RestError` for a cursor that cannot be used. Source: section 4.
 */
export async function listConversations(
  sources: ListSources,
  request: ListRequest,
): Promise<AsyncGenerator<string, void, undefined>> {
  const { version, account, project, query, hasVendorNames, nowMs } = request;
  const hasCursor = version === 'v3' || (version === 'v2' && project.conversations.isStreaming);
  const after = readPosition(query.cursor, hasCursor, version);
  const { ids, next } = await find(sources, project.id, query, after);
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
  const hasDescriptions = version !== 'v1' || project.conversations.whitelist === null;
  const write = version === 'v1' ? writeLegacyConversation : writeConversation;
  return writeListBody(sources.database, ids, (stored) => write(stored, context), {
    descriptions: hasDescriptions ? describeFields(hasVendorNames) : undefined,
    // A list that is read by cursor has no offset (CV-6).
    next_offset: next === null || after !== null ? undefined : query.offset + query.limit,
    cursor: hasCursor ? (next === null ? null : writeCursor(next)) : undefined,
  });
}

/** Source: CV-2, CV-7. */
function readPosition(
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

/** Source: CV-3. */
async function find(
  { database, semantic }: ListSources,
  projectId: string,
  query: ConversationsQuery,
  after: ListPosition | null,
): Promise<FoundPage> {
  if (query.sample === 'random') return await findRandom(database, projectId, query);
  if (query.query_type === 'semantic') return await semantic.find(projectId, query);
  return await findPage(database, projectId, query, after);
}

// One line about each field of a record, in its order. Source: 4.1.
const DESCRIPTIONS = {
  id: 'Conversation id.',
  account_id: 'Account id with its prefix.',
  project_id: 'Project id with its prefix.',
  variant_id: 'Id of the variant that answered.',
  variant_name: 'Name of the variant that answered.',
  environment: 'Environment: sandbox, pre-release or live.',
  started_at: 'When it began, ISO 8601.',
  channel: 'Medium, such as WEBCHAT, CHAT or VOICE-SIP.',
  in_progress: 'Whether it is going on; its fields may still change.',
  from_number: "The caller's number; empty for text channels.",
  to_number: "The agent's number; empty for text channels.",
  num_turns: 'Number of turns, also where turns are withheld.',
  total_duration: 'Duration in whole seconds; up to now while it is going on.',
  platform_duration: 'The part that the agent handled, in whole seconds.',
  handoff: 'Whether the agent handed it off.',
  handoff_reason: 'Why it was handed off.',
  handoff_destination: 'Where it was handed off to.',
  num_silences: 'Number of silent turns.',
  num_ood: "Number of turns out of the agent's domain.",
  metrics: 'Metrics: name to value, or to all values when written more than once.',
  state: 'Variables that the agent logic wrote.',
  turns: 'The turns in order; empty where transcripts are withheld.',
} as const;

/** The field `descriptions` of every page. */
function describeFields(hasVendorNames: boolean): object {
  return {
    conversations: hasVendorNames ? toVendorFields(DESCRIPTIONS, VENDOR_FIELDS.conversation) : DESCRIPTIONS,
  };
}
