import { conversationsQuerySchema } from '@natter/sdk';
import * as v from 'valibot';
import { publicState } from '../agents/index.ts';
import { followRights, peoplePartView, viewPeoplePart, whileAllowed } from '../desk/index.ts';
import { findSessionOf } from '../realtime/event-log/index.ts';
import {
  type ConversationPage,
  hasConversation,
  listRows,
  readConversationPage,
  writeLines,
} from '../records/conversations/index.ts';
import { findSubject, readTimeline, timelineSchema } from '../records/inspect/index.ts';
import { DeskError, HEAVY_COST } from '../staff/index.ts';
import { audit, type ConsoleCall, type ConsoleRoute, consoleRoute, requireAccount } from './console-call.ts';
import { conversationListView } from './console-schemas.ts';
import { streamExport, writeCsv } from './stream-export.ts';
import { toRow } from './to-row.ts';

const PAGE = 100;
/** An export ends after this many; the list's response says how to continue. */
const MAX_EXPORTED = 100_000;

const filters = conversationsQuerySchema('v3');

const CONVERSATION_NOT_FOUND = (): DeskError =>
  new DeskError(404, 'CONVERSATIONS_NOT_FOUND', 'Conversation ID does not exist.');

/** The conversation of a call with its turns after a number. Fails with a 404. */
async function readPage(
  call: Pick<ConsoleCall<unknown, unknown>, 'server' | 'person' | 'params' | 'findProject'>,
  after: number,
): Promise<ConversationPage> {
  const { server, params } = call;
  const [account, project] = await Promise.all([requireAccount(call), call.findProject()]);
  const nowMs = server.clock.now();
  const where = { id: params['id'] ?? '', after, nowMs };
  const page = await readConversationPage(server.database, { account, project }, where);
  if (page === null) throw CONVERSATION_NOT_FOUND();
  return page;
}

const afterTurn = v.object({ after: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0) });

const lifeQuery = v.object({
  texts: v.optional(v.boolean(), false),
  after: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
});

/** The calls about conversations on record. */
export const CONVERSATION_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleConversations', method: 'GET', path: '/conversations', cost: HEAVY_COST },
      summary: `Conversations in the order in which they began, at most ${PAGE}; \`order=newest\` begins at the end. Filters and searches are those of rest.md, 4.1.`,
      query: filters,
      answer: conversationListView,
    },
    async ({ server, findProject, query, parameters }) => {
      const limited = { ...query, limit: Math.min(query.limit, PAGE) };
      const order = parameters.get('order') ?? 'oldest';
      if (order !== 'oldest' && order !== 'newest')
        throw new DeskError(400, 'INVALID', 'order must be one of: oldest, newest');
      const nowMs = server.clock.now();
      const { rows, cursor } = await listRows(server.lists, await findProject(), limited, nowMs, order);
      return { conversations: rows.map(toRow), cursor };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleConversationExport', method: 'GET', path: '/conversation-export/{format}' },
      cost: HEAVY_COST,
      summary: `Export of the conversations that match the filters, at most ${MAX_EXPORTED}: one line of JSON each, or CSV.`,
      query: filters,
      streams: 'application/x-ndjson',
    },
    async (call) => {
      const { server, query, params, signIn } = call;
      const { format } = params;
      if (format !== 'csv' && format !== 'jsonl')
        throw new DeskError(404, 'NOT_FOUND', 'An export is csv or jsonl.');
      const [account, project] = await Promise.all([requireAccount(call), call.findProject()]);
      const end = server.personCalls.beginLong(call.person.id);
      try {
        await audit(call, 'export_conversations', project.slug);
        // Visitors' messages come between two pages.
        const paged = { ...query, include_latency: true, limit: PAGE };
        const to = { max: MAX_EXPORTED, nowMs: server.clock.now() };
        const pieces =
          format === 'csv'
            ? writeCsv(server.lists, project, paged, to)
            : writeLines(server.lists, { account, project }, paged, to);
        const rights = followRights(server, { signIn, role: 'supervisor', projectId: project.id });
        const hasTexts = project.conversations.showTranscripts;
        return await server.lists.answerInShare(account.id, call.signal, async () =>
          whileAllowed(rights, await streamExport(pieces, format, end), { hasTexts }),
        );
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
        'One conversation with some of its turns, the state after those that have changed it, and the session it was held in. `next_after` is the `after` of the next turns; null at the end.',
      query: afterTurn,
    },
    async (call) => {
      const { conversation, states, next } = await readPage(call, call.query.after);
      const { server, params } = call;
      const [session, project] = await Promise.all([
        findSessionOf(server.database, params['id'] ?? ''),
        call.findProject(),
      ]);
      const state = project.conversations.showTranscripts ? publicState(session?.agentState) : {};
      return {
        ...{ conversation, states, next_after: next },
        session: session === null ? null : { id: session.id, state },
      };
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleConversationPeople', method: 'GET', path: '/conversations/{id}/people' },
      summary:
        'The part of a conversation that people handled: events from each request for a person until the automated agent is back (if the project shows transcripts), notes, and hand-offs to the desk with their tags.',
      answer: peoplePartView,
    },
    async (call) => {
      const { server, person, params } = call;
      const { id, conversations } = await call.findProject();
      if (!(await hasConversation(server.database, id, params['id'] ?? ''))) throw CONVERSATION_NOT_FOUND();
      const session = await findSessionOf(server.database, params['id'] ?? '');
      if (session === null) return { entries: [], is_cut: false, notes: [], requests: [] };
      return await viewPeoplePart(server, {
        accountId: person.accountId,
        sessionId: session.id,
        mayRead: conversations.showTranscripts,
      });
    },
  ),
  consoleRoute(
    {
      ...{ id: 'consoleConversationLife', method: 'GET', path: '/conversations/{id}/life', cost: HEAVY_COST },
      summary:
        'Events in order: handshakes, frames by type and size, commits, turns, hand-off, errors; `notes` lists missing parts. `texts` adds messages, where the project shows transcripts.',
      query: lifeQuery,
      answer: timelineSchema,
    },
    async (call) => {
      const { server, params, query } = call;
      const { id, conversations } = await call.findProject();
      if (!(await hasConversation(server.database, id, params['id'] ?? ''))) throw CONVERSATION_NOT_FOUND();
      if (query.texts && !conversations.showTranscripts)
        throw new DeskError(
          403,
          'NOT_ALLOWED',
          'The project shows no transcripts (show_transcripts under conversations): leave texts out.',
        );
      const subject = await findSubject(server.database, params['id'] ?? '');
      return await readTimeline(server, subject, { withTexts: query.texts, after: query.after });
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
      const project = await call.findProject();
      const erased = await call.server.eraseOnRequest(project, { conversation_id: id }, call.correlationId);
      await audit(call, 'erase_conversation', id);
      return { erased };
    },
  ),
];
