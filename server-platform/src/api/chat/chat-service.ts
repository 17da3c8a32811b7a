import type { ChatCreateBody, ChatCreated, ChatReply, ChatRespondBody } from '@natter/sdk';
import type { Connector, Project } from '../../accounts/index.ts';
import { type CollectedTurn, systemTextForAgentFailure } from '../../agents/index.ts';
import { createConversationId } from '../../db/ids/index.ts';
import type { Sql } from '../../db/index.ts';
import { recordTurn, whyOf } from '../../realtime/conversation/index.ts';
import { writeConversations } from '../../realtime/event-log/index.ts';
import { loadExternalState, openWait, settleWait } from '../../realtime/external-events/index.ts';
import { REST_ERRORS, RestError, type RestServices } from '../rest/index.ts';
import type { Chat, ChatChange } from './chat.ts';
import { changeAfter, languageOf, recordNext, toRecordStart } from './chat-record.ts';
import { changeChat, countChatBytes, findChat, insertChat, lockChat, readChatHistory } from './chat-store.ts';
import { type ChatStep, ChatTurns } from './chat-turns.ts';
import { ConversationLock } from './conversation-lock.ts';
import { IdleChats } from './idle-chats.ts';
import { listPendingEvents } from './pending-events.ts';

/** The scope of a call: project and connector. */
export interface ChatScope {
  readonly project: Project;
  readonly connector: Connector;
}

const CHAT_NOT_FOUND = (): RestError =>
  new RestError(404, 'CONVERSATIONS_NOT_FOUND', 'Conversation ID does not exist.');

/** Error for a failed agent, with the text that a chat would have shown. Source: 3.4. */
function chatFailure({ code, stage, cause }: Extract<CollectedTurn, { readonly kind: 'failed' }>): RestError {
  const text = systemTextForAgentFailure(code, stage);
  return new RestError(500, 'CHAT_DRAFT_DEPLOYMENT_FAILED', text, { cause });
}

/** Runs conversations turn by turn, with the same agents and record as messaging. Source: section 3. */
export class ChatService {
  readonly #services: RestServices;
  readonly #lock: ConversationLock;
  readonly #turns: ChatTurns;
  readonly #idle: IdleChats;

  constructor(services: RestServices) {
    this.#services = services;
    this.#turns = new ChatTurns(services);
    this.#idle = new IdleChats(services, this.#idleMs);
    this.#lock = new ConversationLock(services);
  }

  /** Starts a conversation with the agent's first text. Source: 3.1. */
  async create({ project, connector }: ChatScope, body: ChatCreateBody): Promise<ChatCreated> {
    const { clock, database } = this.#services;
    const variant = project.variants.find(({ id }) => id === body.variant_id) ?? null;
    if (body.variant_id !== undefined && variant === null)
      throw new RestError(404, 'VARIANT_NOT_FOUND', 'Variant ID does not exist.');
    const name = variant?.agent ?? connector.agent ?? '';
    const agent = this.#turns.findAgent(name, project.id);
    const nowMs = clock.now();
    const chat: Chat = {
      conversationId: createConversationId(nowMs),
      projectId: project.id,
      connectorId: connector.id,
      status: 'open',
      agent: name,
      variantId: variant?.id ?? null,
      language: languageOf(body) ?? connector.settings.language,
      integrationAttributes: body.integration_attributes ?? null,
      agentState: {},
      lastActivityMs: nowMs,
    };
    const turn = await this.#turns.run(agent, chat, { kind: 'greeting', text: '', history: [] });
    // A conversation without a first answer leaves no record.
    if (turn.kind === 'failed') throw chatFailure(turn);
    const change = changeAfter(turn, clock.now());
    const record = recordTurn(
      { kind: 'greeting', text: '', messageId: null, queuedAtMs: nowMs },
      turn,
      clock.now(),
    );
    const steps = [{ turn, record, endedWait: null }];
    const start = toRecordStart(chat, { connector, variantName: variant?.name ?? '', channel: body.channel });
    await database.tx(async (sql) => {
      await insertChat(sql, { ...chat, ...change });
      await writeConversations(sql, [
        { id: chat.conversationId, start, turns: [record], ...recordNext(turn, clock.now()) },
      ]);
      await this.#keepWaits(sql, chat, steps);
    });
    return { conversation_id: chat.conversationId, response: turn.answerText };
  }

  /** Runs the agent's next turn. Source: 3.2. */
  async respond(scope: ChatScope, body: ChatRespondBody): Promise<ChatReply> {
    const arrivedAtMs = this.#services.clock.now();
    return await this.#runExclusive(body.conversation_id, () => this.#respond(scope, body, arrivedAtMs));
  }

  /** Ends a conversation; one that has ended stays unchanged. Source: 3.3. */
  async close(scope: ChatScope, conversationId: string): Promise<void> {
    const { clock, database } = this.#services;
    await this.#runExclusive(conversationId, async () => {
      await this.#find(scope, conversationId, clock.now());
      await database.tx(async (sql) => {
        if (!(await changeChat(sql, conversationId, { status: 'ended' }))) return;
        const end = { atMs: clock.now(), reason: 'closed' } as const;
        await writeConversations(sql, [{ id: conversationId, end }]);
      });
    });
  }

  /** Ends idle conversations and their records. Source: 3.4. */
  sweep(): Promise<void> {
    return this.#idle.end();
  }

  /** Aborts the running turns. */
  stop(): void {
    this.#turns.stop();
  }

  async #runExclusive<T>(conversationId: string, work: () => Promise<T>): Promise<T> {
    // No id contains it, and the database rejects it.
    if (conversationId.includes('\u0000')) throw CHAT_NOT_FOUND();
    return await this.#lock.runExclusive(conversationId, work);
  }

  get #idleMs(): number {
    return this.#services.settings.chatIdleTimeoutSeconds * 1000;
  }

  async #respond(scope: ChatScope, body: ChatRespondBody, arrivedAtMs: number): Promise<ChatReply> {
    const { clock, database, historyBytes, sessionBytes } = this.#services;
    const found = await this.#find(scope, body.conversation_id, arrivedAtMs);
    if (found.status === 'timed_out')
      throw new RestError(400, 'CHAT_TIMEOUT', 'Chat session exceeded the timeout limit.');
    if (found.status === 'ended')
      throw new RestError(410, 'ChatConversationEnded', 'Conversation has already ended.');
    const agent = this.#turns.findAgent(found.agent, found.projectId);
    const chat = { ...found, language: languageOf(body) ?? found.language };
    const { conversationId } = chat;
    const external = await loadExternalState(database, conversationId);
    const pending = listPendingEvents(external, arrivedAtMs);
    if ((await countChatBytes(database, conversationId)) >= sessionBytes)
      throw REST_ERRORS.rateLimited(Math.ceil(this.#idleMs / 1000));
    const history = await readChatHistory(database, conversationId, historyBytes);
    const steps = await this.#turns.answer(agent, chat, { body, arrivedAtMs, history, pending, external });
    const last = steps.at(-1)?.turn;
    if (last === undefined) throw new Error('A respond takes at least one turn.');
    // An answer before the failure is stored, because the agent gets each event only once.
    const answered = steps.map(({ turn }) => turn).findLast((turn) => turn.kind === 'answered');
    const change: ChatChange =
      answered === undefined
        ? { language: chat.language, lastActivityMs: clock.now() }
        : changeAfter(answered, clock.now());
    await database.tx(async (sql) => {
      // Erased during the agent's answer: nothing is written or returned.
      const held = await lockChat(sql, conversationId, this.#services.node);
      if (held === 'missing') throw CHAT_NOT_FOUND();
      // This process was suspended; another node may have continued the conversation.
      if (held === 'lost') throw REST_ERRORS.rateLimited(1);
      await changeChat(sql, conversationId, change);
      await this.#keepWaits(sql, chat, steps);
      const turns = steps.map(({ record }) => record);
      const { language = chat.language } = change;
      await writeConversations(sql, [
        { id: conversationId, turns, language, ...recordNext(last, clock.now()) },
      ]);
    });
    if (last.kind === 'failed') throw chatFailure(last);
    const { next } = last;
    return {
      conversation_id: conversationId,
      response: steps
        .map(({ turn }) => turn.answerText)
        .filter((said) => said !== '')
        .join('\n\n'),
      end_conversation: next.type !== 'continue',
      ...(next.type === 'handoff' && { handoff: { destination: next.destination, reason: whyOf(next) } }),
    };
  }

  /** Closes waits that were reported to the agent and opens its new ones. Source: EE-3. */
  async #keepWaits(sql: Sql, chat: Chat, steps: readonly ChatStep[]): Promise<void> {
    const nowMs = this.#services.clock.now();
    const { conversationId, projectId } = chat;
    for (const { turn, endedWait } of steps) {
      if (turn.kind === 'failed') continue;
      if (endedWait !== null) await settleWait(sql, endedWait, nowMs);
      for (const wait of turn.waits)
        await openWait(sql, { conversationId, projectId, sessionId: null }, wait, { nowMs });
    }
  }

  /** Finds a conversation, including a timed-out one. Fails with 404 when it is outside the scope. Source: 3.4. */
  async #find({ project, connector }: ChatScope, conversationId: string, nowMs: number): Promise<Chat> {
    const { database } = this.#services;
    const chat = await findChat(database, conversationId);
    if (chat === null || chat.projectId !== project.id || chat.connectorId !== connector.id)
      throw CHAT_NOT_FOUND();
    if (chat.status !== 'open' || nowMs - chat.lastActivityMs < this.#idleMs) return chat;
    await database.tx(async (sql) => {
      if (!(await changeChat(sql, conversationId, { status: 'timed_out' }))) return;
      const end = { atMs: chat.lastActivityMs + this.#idleMs, reason: 'timed_out' } as const;
      await writeConversations(sql, [{ id: conversationId, end }]);
    });
    return { ...chat, status: 'timed_out' };
  }
}
