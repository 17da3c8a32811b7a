import { type ConversationsQuery, conversationsQuerySchema } from '@natter/sdk';
import { and, eq, isNotNull } from 'drizzle-orm';
import * as v from 'valibot';
import { conversationTurns, queryBuilder, sessions } from '../db/index.ts';
import { DeskError, HEAVY_COST } from '../desk/index.ts';
import { findSubject, lifeView, readLife } from '../inspect/index.ts';
import { audit, type ConsoleCall, type ConsoleRoute, consoleRoute } from './console-call.ts';
import { conversationListView } from './console-schemas.ts';
import { toRow } from './conversation-row.ts';
import { streamExport } from './stream-export.ts';

const PAGE = 100;
/** An export ends after this many; the answer of the list says how to go on. */
const MAX_EXPORTED = 100_000;

const filters = conversationsQuerySchema('v3');

/** The filters as the client takes them: everything but the place of a page, which is the cursor alone. */
function toFilters({ offset: _, limit: __, start_time, end_time, ...rest }: ConversationsQuery) {
  return {
    ...rest,
    start_time: start_time === undefined ? undefined : new Date(start_time),
    end_time: end_time === undefined ? undefined : new Date(end_time),
    include_latency: true,
  };
}

/** The messaging session of the conversation of a call, once the project is known to have the conversation. */
async function findSession({ server, params }: Pick<ConsoleCall<unknown, unknown>, 'server' | 'params'>) {
  const [session = null] = await queryBuilder(server.database)
    .select({ id: sessions.id, state: sessions.agentState })
    .from(sessions)
    .where(eq(sessions.conversationId, params['id'] ?? ''));
  return session;
}

const readConversation = async ({ findNatter, params, signal }: ConsoleCall<unknown, unknown>) =>
  await (await findNatter()).conversations.get(params['id'] ?? '', { signal });

/** The agent's state after each turn that has changed it, by the number of the turn. */
async function readStates({ server, params }: Pick<ConsoleCall<unknown, unknown>, 'server' | 'params'>) {
  const { conversationId, ordinal, contextState } = conversationTurns;
  const rows = await queryBuilder(server.database)
    .select({ ordinal, state: contextState })
    .from(conversationTurns)
    .where(and(eq(conversationId, params['id'] ?? ''), isNotNull(contextState)));
  return Object.fromEntries(rows.map((row) => [row.ordinal, row.state]));
}

const lifeQuery = v.object({
  texts: v.optional(v.boolean(), false),
  after: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
});

/** The calls about conversations on record. */
export const CONVERSATION_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleConversations', method: 'GET', path: '/conversations', cost: HEAVY_COST },
      summary: `Conversations in the order in which they began, at most ${PAGE}; filters and searches are those of rest.md, 4.1.`,
      query: filters,
      answer: conversationListView,
    },
    async ({ findNatter, query, signal }) => {
      const natter = await findNatter();
      const limit = Math.min(query.limit, PAGE);
      const page = await natter.conversations.v3.list({ ...toFilters(query), limit }, { signal });
      return { conversations: page.conversations.map(toRow), cursor: page.cursor ?? null };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleConversationExport', method: 'GET', path: '/conversation-export/{format}' },
      cost: HEAVY_COST,
      summary: `The conversations of the same filters as a file, at most ${MAX_EXPORTED}: a line of JSON each, or CSV.`,
      query: filters,
      streams: 'application/x-ndjson',
    },
    async (call) => {
      const { findNatter, query, signal, params } = call;
      const { format } = params;
      if (format !== 'csv' && format !== 'jsonl')
        throw new DeskError(404, 'NOT_FOUND', 'An export is csv or jsonl.');
      const natter = await findNatter();
      const end = call.server.personCalls.beginLong(call.person.id);
      try {
        await audit(call, 'export_conversations', (await call.findProject()).slug);
        // Visitors' messages come between two pages.
        const list = natter.conversations.v3.iterate({ ...toFilters(query), limit: PAGE }, { signal });
        return streamExport(list, format, MAX_EXPORTED, end);
      } catch (error) {
        end();
        throw error;
      }
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleConversation', method: 'GET', path: '/conversations/{id}' },
      summary:
        'One conversation with its turns, the state after those that have changed it, and the session it was held in.',
    },
    async (call) => {
      const conversation = await readConversation(call);
      const [session, states] = await Promise.all([findSession(call), readStates(call)]);
      return {
        conversation,
        // A project that shows no transcripts shows nothing else of its turns.
        states: conversation.turns?.length ? states : {},
        session: session === null ? null : { id: session.id, state: session.state ?? {} },
      };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleConversationLife', method: 'GET', path: '/conversations/{id}/life', cost: HEAVY_COST },
      summary:
        'What happened in order: handshakes, frames by type and size, commits, turns, hand-off, errors; `notes` says what is missing. What was said comes with `texts`, where the project shows transcripts.',
      query: lifeQuery,
      answer: lifeView,
    },
    async (call) => {
      const { server, params, query } = call;
      // Known to be of the project.
      await readConversation(call);
      const { conversations } = await call.findProject();
      if (query.texts && !conversations.showTranscripts)
        throw new DeskError(
          403,
          'NOT_ALLOWED',
          'The project shows no transcripts (show_transcripts under conversations): leave texts out.',
        );
      const subject = await findSubject(server.database, params['id'] ?? '');
      return await readLife(server, subject, { withTexts: query.texts, after: query.after });
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleConversationErase', method: 'POST', path: '/conversations/{id}/erase', role: 'admin' },
      summary: 'Erase a conversation with its session, for good.',
    },
    async (call) => {
      const id = call.params['id'] ?? '';
      if (id === '') throw new DeskError(404, 'NOT_FOUND', 'Name a conversation.');
      const { erased } = await (await call.findNatter()).erasure.erase({ conversation_id: id });
      await audit(call, 'erase_conversation', id);
      return { erased };
    },
  ),
];
