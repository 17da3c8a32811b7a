import { isNatterError } from '../errors/natter-error.ts';
import type { ProjectCallOptions } from '../http/call-options.ts';
import { type ClientCore, checkQuery, projectIdOf, projectPath } from '../http/client-core.ts';
import { encodeQuery } from '../http/encode-query.ts';
import { decodeAnswer, invalidResponse, readJson } from '../http/read-answer.ts';
import { readPieces } from '../http/read-pieces.ts';
import type { Answer, Call } from '../http/transport.ts';
import type { Schema } from '../schema/object-of.ts';
import { type ConversationDetail, conversationDetailReader } from './conversation-detail.ts';
import { conversationReader, legacyConversationReader } from './conversation-readers.ts';
import type { Conversation, LegacyConversation } from './conversation-record.ts';
import { conversationGetOperation, conversationsListOperations } from './conversations-operations.ts';
import { type Page, type PageEnd, pageEndReader, pageReader } from './conversations-page.ts';
import { type ConversationsVersion, conversationsQuerySchema } from './conversations-query.ts';
import { JsonListReader } from './json-list-reader.ts';
import type { ListConversationsV1, ListConversationsV2, ListConversationsV3 } from './list-conversations.ts';
import { nextPosition, type Position } from './next-page.ts';

/** The list of conversations in one version. */
export interface ConversationList<Query, Item> {
  /** One page. */
  readonly list: (query?: Query, options?: ProjectCallOptions) => Promise<Page<Item>>;
  /** Page after page, by cursor where the answers have one, otherwise by offset. */
  readonly pages: (
    query?: Query,
    options?: ProjectCallOptions,
  ) => AsyncGenerator<Page<Item>, void, undefined>;
  /**
   * Conversation after conversation through all pages. Each is there as soon as it has arrived, however long the
   * rest of the page takes; the time limit counts the silence between pieces. A page whose connection breaks is
   * asked for again, without repeating what was already handed out.
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

/** The conversations family's part of the client. */
export function createConversationsClient(core: ClientCore): ConversationsClient {
  return {
    v1: createList(core, 'v1', legacyConversationReader),
    v2: createList(core, 'v2', conversationReader),
    v3: createList(core, 'v3', conversationReader),
    get: async (conversationId, options = {}) =>
      readJson(
        core.transport,
        {
          operation: conversationGetOperation,
          pathValues: { agentId: projectIdOf(core, options), conversationId },
          options,
        },
        conversationDetailReader,
      ),
  };
}

function createList<
  Query extends ListConversationsV3,
  Item extends { readonly id?: string | null | undefined },
>(core: ClientCore, version: ConversationsVersion, item: Schema<Item>): ConversationList<Query, Item> {
  const schema = conversationsQuerySchema(version);
  const page = pageReader(item);
  const callFor = (query: ListConversationsV3, options: ProjectCallOptions): Call => ({
    operation: conversationsListOperations[version],
    pathValues: projectPath(core, options),
    query: checkQuery(schema, encodeQuery({ ...query })),
    options,
  });
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
      // Only known by its id can one be told from those of the first attempt; a whitelist may leave the id out.
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
