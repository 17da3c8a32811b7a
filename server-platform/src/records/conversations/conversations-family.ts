import {
  type ConversationsQuery,
  type ConversationsVersion,
  conversationGetOperation,
  conversationsListOperations,
  conversationsQuerySchema,
} from '@natter/sdk';
import { writeAccountId } from '../../accounts/index.ts';
import type { RestFamily, RestServices, RestSettings } from '../../api/rest/index.ts';
import {
  type ProjectCall,
  projectRoute,
  REST_ERRORS,
  RestError,
  type RestRoute,
} from '../../api/rest/index.ts';
import { answerInShare, createFairShares, streamPieces } from '../../kit/http/index.ts';
import { createOutboundClient } from '../../kit/http/outbound/index.ts';
import {
  createHashedEmbedder,
  createHttpEmbedder,
  type EmbeddingsEndpoint,
  openSemanticSearch,
} from '../search/index.ts';
import { startTranslation } from '../translation/start-translation.ts';
import type { TranslationEndpoint } from '../translation/translation-endpoint.ts';
import { type ListSources, listConversations } from './list-conversations.ts';
import { readConversation } from './read-conversations.ts';
import type { StoredConversation } from './stored-conversation.ts';
import type { RecordText } from './write-conversation.ts';
import { writeConversationDetail } from './write-conversation-detail.ts';
import { ONE_RECORD, writeRecords } from './write-records.ts';

/** Dependencies of the conversation routes. */
export interface ConversationsServices extends RestServices {
  readonly settings: RestSettings & { readonly embeddings: EmbeddingsEndpoint | null };
  /** Translation endpoints by project id. */
  readonly translations: ReadonlyMap<string, TranslationEndpoint>;
}

// Per account. A slowly read response holds some megabytes.
const ANSWERS = { atOnce: 8, maxWaiting: 100 } as const;

/** The route group, with the sources of its lists, which the console uses as well. */
export interface ConversationsFamily extends RestFamily {
  readonly sources: ListSources;
}

/** Lists in three versions, searches, and a conversation by its id. Source: section 4. */
export async function startConversationsFamily(
  services: ConversationsServices,
): Promise<ConversationsFamily> {
  const { database, clock, scheduler, settings, node, searchInShare, note, onFailure } = services;
  const embedder =
    settings.embeddings === null
      ? createHashedEmbedder()
      : createHttpEmbedder(settings.embeddings, createOutboundClient({ allowsPrivateAddresses: true }));
  const semantic = await openSemanticSearch({ database, embedder, clock, scheduler, node, onFailure });
  if (semantic.kind === 'exact')
    note(
      'the database has no pgvector, so a semantic search reads all vectors: install it to make them fast',
      {},
    );
  const translations = startTranslation({
    database,
    clock,
    scheduler,
    endpoints: services.translations,
    onFailure,
  });
  const runAnswer = createFairShares({ ...ANSWERS, createRefusal: () => REST_ERRORS.rateLimited(1) });
  const sources: ListSources = {
    ...{ database, semantic, searchInShare },
    answerInShare: (accountId, signal, answer) => answerInShare(runAnswer, accountId, signal, answer),
  };
  return {
    sources,
    routes: [
      listRoute('v1', sources, services),
      listRoute('v2', sources, services),
      listRoute('v3', sources, services),
      getRoute(sources, services),
    ],
    async close() {
      await Promise.all(translations.map((task) => task.stop()));
      await semantic.close();
    },
  };
}

// Source: 4.3. v1 is deprecated from 2026-03-02 on; RFC 9745 expresses that in seconds.
const V1_HEADERS = { Deprecation: '@1772409600', Sunset: 'Mon, 31 Aug 2026 00:00:00 GMT' };
const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8' };

function listRoute(version: ConversationsVersion, sources: ListSources, { clock }: RestServices): RestRoute {
  return projectRoute(
    {
      operation: conversationsListOperations[version],
      permissions: ['conversations'],
      isLegacy: version !== 'v3',
      projectFrom: 'path',
      query: conversationsQuerySchema(version),
    },
    async (call: ProjectCall<undefined, ConversationsQuery>) => {
      const { account, project, query, hasVendorNames, request } = call;
      return await sources.answerInShare(account.id, request.signal, async () => {
        const nowMs = clock.now();
        const asked = { version, account, project, query, hasVendorNames, nowMs };
        const pieces = await listConversations(sources, asked);
        if (version !== 'v1' && project.conversations.isStreaming) {
          // Set explicitly, so that no server buffers the whole body to determine its length.
          return new Response(streamPieces(pieces), {
            headers: { ...JSON_HEADERS, 'Transfer-Encoding': 'chunked' },
          });
        }
        return await answerPieces(pieces, version === 'v1' ? V1_HEADERS : {});
      });
    },
  );
}

/** Source: 4.4. */
function getRoute({ database, answerInShare }: ListSources, { clock }: RestServices): RestRoute {
  return projectRoute(
    { operation: conversationGetOperation, permissions: ['conversations'], projectFrom: 'agent' },
    async ({ account, project, params, hasVendorNames, request }) => {
      const stored = await readConversation(database, project.id, params['conversationId'] ?? '');
      if (stored === null) {
        throw new RestError(404, 'CONVERSATIONS_NOT_FOUND', 'Conversation ID does not exist.');
      }
      const context = {
        accountId: writeAccountId(account.id, hasVendorNames),
        settings: project.conversations,
        extras: { hasLatency: true, hasContextState: false, hasMetadata: false },
        hasVendorNames,
        nowMs: clock.now(),
      };
      const write = (each: StoredConversation): RecordText => writeConversationDetail(each, context);
      return await answerInShare(account.id, request.signal, () =>
        answerPieces(writeRecords([stored], write, ONE_RECORD), {}),
      );
    },
  );
}

/** Sends a single piece as text, and several while they are generated. */
async function answerPieces(
  pieces: AsyncGenerator<string, void, undefined>,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const answerHeaders = { ...JSON_HEADERS, ...headers };
  const first = await pieces.next();
  const second = await pieces.next();
  if (first.done === true || second.done === true)
    return new Response(first.value ?? '', { headers: answerHeaders });
  return new Response(streamPieces(startWith([first.value, second.value], pieces)), {
    headers: answerHeaders,
  });
}

async function* startWith(
  taken: readonly string[],
  rest: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  yield* taken;
  yield* rest;
}
