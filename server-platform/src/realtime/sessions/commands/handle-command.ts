import { randomUUID } from 'node:crypto';
import { TraceContext } from '@natter/server-kit/trace-context';
import {
  type ClientEvent,
  clientEventIdOf,
  EXTENSION_OF,
  type ExtensionClientEvent,
  type OutgoingEvent,
  SURVEY_COMMENT_KEY,
  SYSTEM_TEXTS,
} from 'natter/protocol';
import { createConversationId, createMessageId } from '../../../db/ids/index.ts';
import { recordStart, transientSystemMessage } from '../../conversation/index.ts';
import {
  findAnsweredTurn,
  recordFeedback,
  recordSurveyScore,
  type SessionPatch,
} from '../../event-log/index.ts';
import { isSessionLoss, isStaleOwner, type SessionLossCode } from '../../session-loss.ts';
import { endConversation, endSession } from '../end-session.ts';
import { closeCodeOf, type ReplyTarget } from '../reply-target.ts';
import type { Session } from '../session.ts';

type Command<Type extends ClientEvent['type']> = Extract<ClientEvent, { readonly type: Type }>;

/**
 * Handles one command of a session that this node owns and that is not over, after all earlier ones. `idempotencyKey`
 * is used when the client gave no key; `null`: the command came directly from the client. Rejects when storing failed.
 */
export async function handleCommand(
  session: Session,
  command: ClientEvent,
  reply: ReplyTarget,
  idempotencyKey: string | null,
): Promise<void> {
  if (session.survey.open !== null) return await handleDuringSurvey(session, command);
  if (isFull(session, command, reply)) return;
  switch (command.type) {
    case 'EVENT_TYPE_USER_MESSAGE':
      return await handleUserMessage(session, command, reply, idempotencyKey);
    case 'EVENT_TYPE_REQUEST_AGENT_JOIN':
      return await handleJoin(session, command, reply);
    case 'EVENT_TYPE_USER_END_SESSION':
      return await endConversation(session, 'REASON_USER_END', [
        { type: command.type, payload: {}, custom: command.custom },
      ]);
    case 'EVENT_TYPE_USER_TYPING':
      return session.handoff.forwardTyping(command.payload.state);
    case 'EVENT_TYPE_USER_READ_MESSAGE':
      return session.handoff.forwardRead(command.payload.message_id);
    case 'EVENT_TYPE_USER_RECEIVED_MESSAGE':
      // Only counts as user activity (TBD-3).
      return;
    case 'EVENT_TYPE_CSAT_RESPONSE':
      // Ignored, because no survey is open.
      return;
    case 'EVENT_TYPE_HEARTBEAT':
      // Answered by the connection, because only the sending socket gets the reply (HB-2).
      return;
    case 'EVENT_TYPE_X_CANCEL_HANDOFF':
    case 'EVENT_TYPE_X_FEEDBACK':
    case 'EVENT_TYPE_X_STOP_RESPONSE':
      return await handleExtension(session, command, reply, idempotencyKey);
  }
}

const STORED: ReadonlySet<string> = new Set<ClientEvent['type']>([
  'EVENT_TYPE_USER_MESSAGE',
  'EVENT_TYPE_REQUEST_AGENT_JOIN',
  'EVENT_TYPE_X_FEEDBACK',
]);

/** Whether the session's log is full, so that the command is dropped with a warning. Source: section 16. */
function isFull({ state, context }: Session, { type, custom }: ClientEvent, reply: ReplyTarget): boolean {
  if (!STORED.has(type) || state.loggedBytes < context.limits.sessionBytes) return false;
  context.observer.frameReceived('rate_limited');
  const level = 'SYSTEM_MESSAGE_LEVEL_WARNING';
  reply.deliver(transientSystemMessage(context.clock.now(), level, SYSTEM_TEXTS.rateLimited, custom));
  return true;
}

/**
 * Stores a message for the agent without waiting for the session's pending writes; the log keeps their order and shares
 * their commit. `null` when it cannot be stored this way. Resolves with false when another node owns the session and
 * nothing was stored.
 */
export function storeBeside(
  session: Session,
  command: ClientEvent,
  reply: ReplyTarget,
): Promise<boolean> | null {
  const { turns, handoff, survey, context, state } = session;
  if (command.type !== 'EVENT_TYPE_USER_MESSAGE' || !session.isOpen || session.epoch === null) return null;
  if (survey.open !== null || handoff.recipient !== 'agent') return null;
  if (state.loggedBytes >= context.limits.sessionBytes) return null;
  if (state.row.conversationStatus !== 'running' || turns.waitingCount >= context.limits.maxWaitingTurns)
    return null;
  return handleUserMessage(session, command, reply, null).then(
    () => true,
    (error: unknown) => {
      if (context.peers.isShared && isStaleOwner(error)) return false;
      throw error;
    },
  );
}

/** Refuses an extension's event unless the client's join named the extension. Source: EXT-1. */
async function handleExtension(
  session: Session,
  command: ExtensionClientEvent,
  reply: ReplyTarget,
  idempotencyKey: string | null,
): Promise<void> {
  if (!session.state.extensions.includes(EXTENSION_OF[command.type])) {
    reply.refuse(errorNotice(session, SYSTEM_TEXTS.notAllowed(command.type), command));
    return;
  }
  if (command.type === 'EVENT_TYPE_X_STOP_RESPONSE') session.turns.stop(command.payload.message_id);
  else if (command.type === 'EVENT_TYPE_X_FEEDBACK')
    await handleFeedback(session, command, reply, idempotencyKey);
  else await session.handoff.cancel();
}

/** Stores the visitor's rating of an answer, in the log and in the turn's record. Source: EXT-3. */
async function handleFeedback(
  session: Session,
  { type, payload, custom }: Command<'EVENT_TYPE_X_FEEDBACK'>,
  reply: ReplyTarget,
  idempotencyKey: string | null,
): Promise<void> {
  const { appender, context, state } = session;
  const { conversationId } = state.row;
  const turn =
    conversationId === null
      ? null
      : await findAnsweredTurn(context.database, conversationId, payload.message_id);
  if (turn === null) {
    reply.refuse(errorNotice(session, SYSTEM_TEXTS.invalidFrame, { custom }));
    return;
  }
  const draft = {
    type,
    payload: { ...payload },
    custom,
    clientEventId: clientEventIdOf(custom) ?? idempotencyKey,
  };
  const stored = await appender.append([draft], { also: (sql) => recordFeedback(sql, turn, payload) });
  if (stored.status === 'repeated') reply.deliver(stored.original);
}

/** Source: 6.2, SYS-2, ECH-4. */
async function handleUserMessage(
  session: Session,
  command: Command<'EVENT_TYPE_USER_MESSAGE'>,
  reply: ReplyTarget,
  idempotencyKey: string | null,
): Promise<void> {
  const { turns, handoff, appender, context, state } = session;
  const refusal = NO_CONVERSATION[state.row.conversationStatus];
  if (refusal !== undefined) {
    reply.refuse(errorNotice(session, refusal, command));
    return;
  }
  if (turns.waitingCount >= context.limits.maxWaitingTurns) {
    reply.deliver(errorNotice(session, SYSTEM_TEXTS.overloaded, command));
    return;
  }
  const messageId = createMessageId();
  const { text } = command.payload;
  const { recipient } = handoff;
  const needsTurn = recipient === 'agent' || recipient === 'held';
  const draft = {
    type: command.type,
    payload: { text, message_id: messageId },
    custom: command.custom,
    clientEventId: clientEventIdOf(command.custom) ?? idempotencyKey,
  };
  const effects = needsTurn ? { queueTurn: { id: randomUUID() } } : {};
  const bargesIn = turns.isStreaming;
  const isStored = turns.expect();
  const { id, traceParent } = state.row;
  const span =
    traceParent === null ? null : TraceContext.parse(traceParent).begin('message', { 'session.id': id });
  const storing =
    span === null ? appender.append([draft], effects) : span.within(() => appender.append([draft], effects));
  const stored = await storing.finally(() => {
    isStored();
    span?.end();
  });
  if (stored.status === 'repeated') {
    reply.deliver(stored.original);
    return;
  }
  if (recipient === 'person') {
    const forward = () => handoff.forward({ messageId, text });
    if (span === null) forward();
    else span.within(forward);
  }
  const queuedAtMs = context.clock.now();
  const input = { text, messageId, custom: command.custom, queuedAtMs, bargesIn };
  if (stored.turn) turns.add({ ...stored.turn, kind: 'message', ...input });
}

/** Texts of 12.1 for a message without a conversation. */
const NO_CONVERSATION: Readonly<Record<string, string | undefined>> = {
  none: SYSTEM_TEXTS.conversationNotStarted,
  lost: SYSTEM_TEXTS.conversationNotFound,
};

/** Source: 6.1, JOIN-3. */
async function handleJoin(
  session: Session,
  command: Command<'EVENT_TYPE_REQUEST_AGENT_JOIN'>,
  reply: ReplyTarget,
): Promise<void> {
  const { turns, appender, context, state } = session;
  const connector = await context.connectors.findById(state.row.connectorId);
  if (connector === null || connector.isRevoked) {
    reply.deliver(errorNotice(session, SYSTEM_TEXTS.connectorNotFound, command));
    return;
  }
  state.connector = connector;
  const echo = { type: command.type, payload: {}, custom: command.custom };
  if (state.row.conversationStatus === 'running') {
    await appender.append([echo]);
    return;
  }
  const nowMs = context.clock.now();
  const { conversationId: known, language, variantId } = state.row;
  const conversationId = known ?? createConversationId(nowMs);
  const patch: SessionPatch = { conversationStatus: 'running', conversationId };
  const start = { id: conversationId, atMs: nowMs, language: language ?? connector.language, variantId };
  const record = known === null ? recordStart(connector, start) : { id: known, isAgentBack: true };
  const stored = await appender.append([echo], { session: patch, queueTurn: { id: randomUUID() }, record });
  if (stored.status === 'repeated' || stored.turn === null) return;
  context.observer.happened(state.row.id, { kind: 'joined', conversationId });
  const input = { text: '', messageId: null, custom: command.custom, queuedAtMs: nowMs };
  turns.add({ ...stored.turn, kind: 'greeting', ...input });
}

/** While the survey is open, only its answer and the user's end are handled; other commands are too late. */
async function handleDuringSurvey(session: Session, command: ClientEvent): Promise<void> {
  const survey = session.survey.open;
  if (survey === null) return;
  if (command.type === 'EVENT_TYPE_USER_END_SESSION') {
    const echo = { type: command.type, payload: command.payload, custom: command.custom };
    await endSession(session, survey.reason, [echo]);
  } else if (command.type === 'EVENT_TYPE_CSAT_RESPONSE' && command.payload.survey_id === survey.id) {
    const echo = { type: command.type, payload: command.payload, custom: command.custom };
    const { score } = command.payload;
    const { row, extensions } = session.state;
    const { conversationId } = row;
    const comment = extensions.includes('survey_comment') ? command.custom?.[SURVEY_COMMENT_KEY] : null;
    const atMs = session.context.clock.now();
    await endSession(session, survey.reason, [echo], {
      also: async (sql) => {
        if (conversationId !== null) await recordSurveyScore(sql, conversationId, { score, comment, atMs });
      },
    });
  }
}

/** Reports a failed command to its sender. */
export function answerFailure(
  session: Session,
  error: unknown,
  command: ClientEvent,
  reply: ReplyTarget,
): void {
  if (isSessionLoss(error)) {
    // If the session is over, the command is ignored like any other. If another node owns it, the client may retry.
    const text = LOSS_TEXTS[error.code];
    if (text !== undefined) reply.deliver(errorNotice(session, text, command));
    return;
  }
  session.report('accept a client event', error);
  // Not acknowledged, so the client resends it after reconnecting; the log then shows whether it was stored.
  reply.close(closeCodeOf(error), '');
}

const LOSS_TEXTS: Readonly<Record<SessionLossCode, string | undefined>> = {
  stale_owner: SYSTEM_TEXTS.sessionUnavailable,
  session_missing: SYSTEM_TEXTS.sessionNotFound,
  session_closed: undefined,
};

/** An error for the sender only, with the ids of the client's draft. Source: 5.5, MET-1. */
function errorNotice(
  { context }: Pick<Session, 'context'>,
  text: string,
  { custom }: Pick<ClientEvent, 'custom'>,
): OutgoingEvent {
  return transientSystemMessage(context.clock.now(), 'SYSTEM_MESSAGE_LEVEL_ERROR', text, custom);
}
