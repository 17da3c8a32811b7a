import {
  type ConversationsQuery,
  type ConversationsVersion,
  conversationGetOperation,
  conversationsListOperations,
  conversationsQuerySchema,
} from '@natter/sdk';
import { writeAccountId } from '../accounts/index.ts';
import { createOutboundClient, streamPieces } from '../http/index.ts';
import type { RestFamily, RestServices, RestSettings } from '../rest/index.ts';
import { type ProjectCall, projectRoute, RestError, type RestRoute } from '../rest/index.ts';
import { writeConversationDetail } from './get-conversation.ts';
import { joinPieces } from './list-body.ts';
import { type ListSources, listConversations } from './list-conversations.ts';
import { readConversation } from './read-conversations.ts';
import { startTranslation } from './translation/start-translation.ts';
import type { TranslationEndpoint } from './translation/translation-endpoint.ts';
import { createHashedEmbedder } from './vectors/hashed-embedder.ts';
import { createHttpEmbedder, type EmbeddingsEndpoint } from './vectors/http-embedder.ts';
import { openSemanticSearch } from './vectors/semantic-search.ts';

/** What the conversations on record are built from. */
export interface ConversationsServices extends RestServices {
  readonly settings: RestSettings & { readonly embeddings: EmbeddingsEndpoint | null };
  /** Who translates the turns of a project, by its id. */
  readonly translations: ReadonlyMap<string, TranslationEndpoint>;
}

/** Lists in three versions, searches, and a conversation by its id. Source: section 4. */
export async function startConversationsFamily(services: ConversationsServices): Promise<RestFamily> {
  const { database, clock, scheduler, settings, node, onFailure } = services;
  const embedder =
    settings.embeddings === null
      ? createHashedEmbedder()
      : createHttpEmbedder(settings.embeddings, createOutboundClient({ allowsPrivateAddresses: true }));
  const semantic = await openSemanticSearch({ database, embedder, clock, scheduler, node, onFailure });
  const translation = startTranslation({
    database,
    clock,
    scheduler,
    endpoints: services.translations,
    onFailure,
  });
  const sources: ListSources = { database, semantic };
  return {
    routes: [
      listRoute('v1', sources, services),
      listRoute('v2', sources, services),
      listRoute('v3', sources, services),
      getRoute(services),
    ],
    async close() {
      await translation?.stop();
      await semantic.close();
    },
  };
}

// Source: 4.3. v1 is deprecated from 2026-03-02 on; RFC 9745 writes that as seconds.
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
    async ({ account, project, query, hasVendorNames }: ProjectCall<undefined, ConversationsQuery>) => {
      const nowMs = clock.now();
      const pieces = await listConversations(sources, {
        version,
        account,
        project,
        query,
        hasVendorNames,
        nowMs,
      });
      if (version !== 'v1' && project.conversations.isStreaming) {
        // Named, so that no server waits for the whole body to count it.
        return new Response(streamPieces(pieces), {
          headers: { ...JSON_HEADERS, 'Transfer-Encoding': 'chunked' },
        });
      }
      return new Response(await joinPieces(pieces), {
        headers: { ...JSON_HEADERS, ...(version === 'v1' && V1_HEADERS) },
      });
    },
  );
}

/** Source: 4.4. */
function getRoute({ database, clock }: RestServices): RestRoute {
  return projectRoute(
    { operation: conversationGetOperation, permissions: ['conversations'], projectFrom: 'agent' },
    async ({ account, project, params, hasVendorNames }) => {
      const stored = await readConversation(database, project.id, params['conversationId'] ?? '');
      if (stored === null) {
        throw new RestError(404, 'CONVERSATIONS_NOT_FOUND', 'Conversation ID does not exist.');
      }
      return writeConversationDetail(stored, {
        accountId: writeAccountId(account.id, hasVendorNames),
        settings: project.conversations,
        extras: { hasLatency: true, hasContextState: false, hasMetadata: false },
        hasVendorNames,
        nowMs: clock.now(),
      });
    },
  );
}
