import { isNatterError } from '../../errors/natter-error.ts';
import type { ProjectCallOptions } from '../../http/call-options.ts';
import { type ClientCore, prepareCall, read } from '../../http/client-core.ts';
import type { Operation } from '../../http/operation.ts';
import { decodeAnswer, invalidResponse, readJson } from '../../http/read-answer.ts';
import { readPieces } from '../../http/read-pieces.ts';
import type { Answer, Call } from '../../http/transport.ts';
import { nonEmptyText } from '../../schema/fields.ts';
import type { Schema } from '../../schema/object-of.ts';
import { projectIdSchema, projectPathParameters } from '../../schema/path-ids.ts';
import { readerOf } from '../../schema/reader-of.ts';
import { JsonListReader } from './json-list-reader.ts';
import {
  conversationsPageV1Schema,
  conversationsPageV2Schema,
  conversationsPageV3Schema,
  nextPosition,
  type Page,
  type PageEnd,
  type Position,
  pageEndReader,
  pageReader,
} from './page.ts';
import {
  type ConversationsVersion,
  conversationsQuerySchema,
  type ListConversationsV1,
  type ListConversationsV2,
  type ListConversationsV3,
} from './query.ts';
import {
  type Conversation,
  type ConversationDetail,
  conversationDetailSchema,
  conversationSchema,
  type LegacyConversation,
  legacyConversationSchema,
} from './record.ts';

function listOperation(version: ConversationsVersion, summary: string, page: Schema<unknown>): Operation {
  return {
    id: `conversationsList${version.toUpperCase()}`,
    family: 'conversations',
    service: 'runtime',
    method: 'GET',
    path: `/${version}/{account_id}/{project_id}/conversations`,
    summary,
    keyHeader: 'x-api-key',
    needsConnectorToken: false,
    repeatability: 'always',
    pathParameters: projectPathParameters,
    query: conversationsQuerySchema(version),
    success: { status: 200, description: 'A page of conversations.', schema: page },
    errors: [400, 401, 403, 404, 500],
    errorShape: 'E',
  };
}

/** `GET …/{version}/{account_id}/{project_id}/conversations`. Source: 4.1. */
export const conversationsListOperations: Readonly<Record<ConversationsVersion, Operation>> = {
  v1: listOperation('v1', 'List conversations (v1, unsupported from 2026-08-31).', conversationsPageV1Schema),
  v2: listOperation('v2', 'List conversations (v2).', conversationsPageV2Schema),
  v3: listOperation('v3', 'List or search conversations.', conversationsPageV3Schema),
};

/** `GET …/v1/agents/{agentId}/conversations/{conversationId}`. Source: 4.4. */
export const conversationGetOperation: Operation = {
  id: 'conversationGet',
  family: 'conversations',
  service: 'monitoring',
  method: 'GET',
  path: '/v1/agents/{agentId}/conversations/{conversationId}',
  summary: 'One conversation by its id.',
  keyHeader: 'x-api-key',
  needsConnectorToken: false,
  repeatability: 'always',
  pathParameters: { agentId: projectIdSchema, conversationId: nonEmptyText('Conversation id.') },
  success: { status: 200, description: 'The conversation.', schema: conversationDetailSchema },
  errors: [400, 401, 403, 404, 500],
  errorShape: 'E',
};

/** The list of conversations in one version. */
export interface ConversationList<Query, Item> {
  /** One page. */
  readonly list: (query?: Query, options?: ProjectCallOptions) => Promise<Page<Item>>;
  /** Yields pages, by cursor if the responses have one, otherwise by offset. */
  readonly pages: (
    query?: Query,
    options?: ProjectCallOptions,
  ) => AsyncGenerator<Page<Item>, void, undefined>;
  /**
   * Yields conversations through all pages, each as soon as it has arrived, however long the rest of the page takes;
   * the time limit applies to the silence between pieces. A page whose connection breaks is requested again, without
   * repeating records.
   */
  readonly iterate: (query?: Query, options?: ProjectCallOptions) => AsyncGenerator<Item, void, undefined>;
}

/** The records of conversations. Source: section 4. */
export interface ConversationsClient {
  /** Legacy keys, best effort, unsupported from 2026-08-31. */
  readonly v1: ConversationList<ListConversationsV1, LegacyConversation>;
  /** Legacy keys. */
  readonly v2: ConversationList<ListConversationsV2, Conversation>;
  readonly v3: ConversationList<ListConversationsV3, Conversation>;
  /** One conversation by its id, from the monitoring service: needs `monitorApiKey`. Source: 4.4. */
  readonly get: (conversationId: string, options?: ProjectCallOptions) => Promise<ConversationDetail>;
}

const detailReader = readerOf(conversationDetailSchema);

/** The conversations family's part of the client. */
export function createConversationsClient(core: ClientCore): ConversationsClient {
  return {
    v1: createList(core, 'v1', legacyConversationSchema),
    v2: createList(core, 'v2', conversationSchema),
    v3: createList(core, 'v3', conversationSchema),
    get: (conversationId, options = {}) =>
      read(core, conversationGetOperation, detailReader, { path: { conversationId } }, options),
  };
}

function createList<
  Query extends ListConversationsV3,
  Item extends { readonly id?: string | null | undefined },
>(core: ClientCore, version: ConversationsVersion, schema: Schema<Item>): ConversationList<Query, Item> {
  const page = pageReader(schema);
  const item = readerOf(schema);
  const callFor = (query: ListConversationsV3, options: ProjectCallOptions): Call =>
    prepareCall(core, conversationsListOperations[version], { query: { ...query } }, options);
  const list = async (query: ListConversationsV3, options: ProjectCallOptions): Promise<Page<Item>> =>
    readJson(core.transport, callFor(query, options), page);

  return {
    list: async (query, options = {}) => list(query ?? {}, options),
    pages: async function* (query, options = {}) {
      yield* walk(query ?? {}, async function* (at) {
        const current = await list(at, options);
        yield current;
        return current;
      });
    },
    iterate: async function* (query, options = {}) {
      yield* walk(query ?? {}, (at) => readPageAgain(core, callFor(at, options), item));
    },
  };
}

/** Yields what `readPage` yields, page after page. */
async function* walk<Output>(
  query: ListConversationsV3,
  readPage: (query: ListConversationsV3) => AsyncGenerator<Output, PageEnd, undefined>,
): AsyncGenerator<Output, void, undefined> {
  let position: Position | null =
    typeof query.cursor === 'string'
      ? { by: 'cursor', cursor: query.cursor }
      : { by: 'offset', offset: query.offset ?? 0 };
  let at = query;
  while (position !== null) {
    const end: PageEnd = yield* readPage(at);
    position = nextPosition(end, position);
    if (position === null) return;
    // The first request's parameters stay the same; only the position moves. Source: CV-6.
    at =
      position.by === 'cursor'
        ? { ...query, offset: undefined, cursor: position.cursor }
        : { ...query, offset: position.offset };
  }
}

/** Reads one page while it arrives, and once more from the start when its connection breaks. */
async function* readPageAgain<Item extends { readonly id?: string | null | undefined }>(
  core: ClientCore,
  call: Call,
  item: Schema<Item>,
): AsyncGenerator<Item, PageEnd, undefined> {
  const handedOut = new Set<string>();
  for (let attempt = 1; ; attempt += 1) {
    const answer = await core.transport.send(call, async (opened) => opened);
    try {
      return yield* readItems(answer, item, handedOut);
    } catch (error) {
      if (!isNatterError(error) || !(await core.transport.waitToRepeat(call, error, attempt))) throw error;
    }
  }
}

async function* readItems<Item extends { readonly id?: string | null | undefined }>(
  answer: Answer,
  schema: Schema<Item>,
  handedOut: Set<string>,
): AsyncGenerator<Item, PageEnd, undefined> {
  const earlier: ReadonlySet<string> = new Set(handedOut);
  const reader = new JsonListReader('conversations');
  for await (const piece of readPieces(answer)) {
    for (const raw of readStep(() => reader.push(piece), answer)) {
      const item = decodeAnswer(schema, raw, answer);
      // Without an id (field whitelist), repeats from the first attempt cannot be detected.
      if (typeof item.id === 'string') {
        if (earlier.has(item.id)) continue;
        handedOut.add(item.id);
      }
      yield item;
    }
  }
  if (!reader.isComplete) throw answer.toError(new Error('The answer ended before it was complete'));
  const rest = readStep(() => reader.end(), answer);
  if (!reader.hasList) throw invalidResponse('The answer cannot be read: conversations is required', answer);
  return decodeAnswer(pageEndReader, rest, answer);
}

function readStep<Result>(read: () => Result, answer: Answer): Result {
  try {
    return read();
  } catch {
    throw invalidResponse('The answer is not a JSON object', answer);
  }
}
