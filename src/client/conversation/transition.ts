/*
 * One session as a reducer: actions, and their results.
 *
 * connection   open: history is read, nothing is sent yet; not open any more: streams and drafts stay
 * frame        events into the transcript, echoes into the outbox, errors into recovery
 * end of replay: has_more is false, or 250 ms after a batch that does not say, or 10 s without a batch.
 *              live: join without an agent; then drafts
 * closed       streams are finalised, the chat has ended
 * tick         no effect alone: every step does the due work: end of replay, typing, holes, recovery, drafts, closing
 * written      a draft; sent when the conversation is live and an agent known; connects again after a failure
 * claimed      the conversation's user, for the other tabs and the next page
 * user_ended   USER_END_SESSION; closed here 2 s later if the platform does not
 * expired      the chat is over without notifying the platform
 * restored, session_started, session_left, replicated: in session-action.ts
 *
 * Time is only read from `nowMs`; `conversationDeadlineMs` says when the next tick is due.
 */
import { type ClientEvent, encodeClientEvent } from '../../protocol/index.ts';
import type { ConnectionStatus } from '../chat-state.ts';
import { applyFrame, NO_BATCH_MS } from './apply-frame.ts';
import {
  type Conversation,
  type ConversationAction,
  type ConversationStep,
  isOver,
  type Turn,
} from './conversation-state.ts';
import type { Draft, OutboxContext } from './outbox/outbox-state.ts';
import { advanceOutbox, outboxMoments } from './outbox/transition.ts';
import { requestJoinWhenDue } from './recovery.ts';
import { applySessionAction } from './session-action.ts';
import { append } from './transcript/append-map.ts';
import { applyTime, closeSurvey, transcriptDeadlineMs } from './transcript/apply-event.ts';
import { endStream } from './transcript/apply-message.ts';
import {
  CLOSE_AFTER_END_MS,
  cancelHandoff,
  claim,
  discard,
  endByUser,
  markRead,
  rate,
  retry,
  settleFeedback,
  stopAnswer,
  write,
} from './visitor-action.ts';

/** A shorter interruption is not shown. Source: CON-6. */
const LOST_AFTER_MS = 500;
/** How long messages wait for an agent before they are sent without one. */
const AGENT_PATIENCE_MS = 15_000;
/** The frame of a draft, with both spellings of its id. Source: MET-4. */
const toClientEvent = ({ localId, event }: Draft): ClientEvent => ({
  ...event,
  custom: { ...event.custom, client_event_id: localId, local_id: localId },
});

function outboxContext(conversation: Conversation, nowMs: number): OutboxContext {
  const { liveAtMs, isLive, connectionCount, transcript, isRecovering, vocabulary } = conversation;
  const isAgentKnown = transcript.hasAgentJoined || nowMs - liveAtMs >= AGENT_PATIENCE_MS;
  const maxBytes = transcript.capabilities.max_message_size_bytes;
  return {
    nowMs,
    isOver: conversation.outcome !== null,
    connectionNumber: liveAtMs < Infinity ? connectionCount : null,
    isReplayRead: isLive,
    isReady: isLive && isAgentKnown && !isRecovering && !isOver(conversation),
    canResend: vocabulary === 'neutral',
    isTooLong: (draft) =>
      maxBytes > 0 &&
      new TextEncoder().encode(encodeClientEvent(toClientEvent(draft), vocabulary)).length > maxBytes,
  };
}

/** Applies a change of the connection between open and not open. */
function applyConnection(
  conversation: Conversation,
  connection: ConnectionStatus,
  nowMs: number,
): Conversation {
  const { liveAtMs, lostAtMs, joinAtMs, connectionCount, transcript, hasUserEnded, outcome, closeAtMs } =
    conversation;
  if (connection.status === 'open') {
    return {
      ...conversation,
      connection,
      lostAtMs: Infinity,
      liveAtMs: nowMs + NO_BATCH_MS,
      connectionCount: connectionCount + 1,
      // A response on the previous socket may have been lost with it.
      joinAtMs: joinAtMs < Infinity ? joinAtMs : 0,
      lastActivityMs: nowMs,
    };
  }
  const isReconnecting = connection.status === 'reconnecting' || connection.status === 'connecting';
  const isLost = liveAtMs < Infinity && connection.status === 'reconnecting';
  return {
    ...conversation,
    connection,
    lostAtMs: isLost ? nowMs + LOST_AFTER_MS : lostAtMs,
    liveAtMs: Infinity,
    // A chat ended by the visitor ends with its socket, because another session would not know that.
    closeAtMs: hasUserEnded && outcome === null && isReconnecting ? nowMs : closeAtMs,
    transcript: closeSurvey(transcript),
  };
}

function applyAction(conversation: Conversation, action: ConversationAction, turn: Turn): Conversation {
  const { transcript } = conversation;
  const { nowMs } = turn;
  switch (action.type) {
    case 'connection':
      return applyConnection(conversation, action.connection, nowMs);
    case 'rated':
      return rate(conversation, action, turn);
    case 'handoff_cancelled':
      return cancelHandoff(conversation, turn);
    case 'answer_stopped':
      return stopAnswer(conversation, turn);
    case 'closed': {
      const shown = endStream(closeSurvey(transcript));
      const ended = shown.ended ?? { by: 'platform', sequence: shown.cursor };
      return { ...conversation, transcript: { ...shown, ended, typing: null } };
    }
    case 'frame':
      return applyFrame(conversation, action.frame, turn);
    case 'tick':
      return conversation;
    case 'written':
      return write(conversation, action, turn);
    case 'retried':
      return retry(conversation, action, turn);
    case 'feedback_answered':
      return settleFeedback(conversation, action);
    case 'discarded':
      return discard(conversation, action.localId);
    case 'read':
      return markRead(conversation, turn);
    case 'claimed':
      return claim(conversation, action.owner);
    case 'user_ended':
      return endByUser(conversation, turn);
    case 'expired':
      return { ...conversation, outcome: conversation.outcome ?? 'expired', closeAtMs: nowMs };
    default:
      return applySessionAction(conversation, action, nowMs);
  }
}

/** Updates the outcome to match the transcript, in both directions (IND-2). */
function settleOutcome(conversation: Conversation, nowMs: number): Conversation {
  const { transcript, hasUserEnded, outcome, closeAtMs } = conversation;
  const { ended, survey } = transcript;
  const isDone = ended !== null || closeAtMs <= nowMs;
  const next = hasUserEnded ? (isDone ? 'user' : outcome) : (ended?.by ?? null);
  if (outcome === 'expired' || next === outcome) return conversation;
  // A visitor with an open survey has the platform's time limit.
  const latestMs = survey?.status === 'open' ? Infinity : nowMs + CLOSE_AFTER_END_MS;
  return { ...conversation, outcome: next, closeAtMs: next ? Math.min(closeAtMs, latestMs) : Infinity };
}

/**
 * Returns the next conversation and the commands to run. With a command's id, the next conversation records that
 * command as executed. Pure.
 */
export function reduceConversation(
  start: Conversation,
  action: ConversationAction,
  nowMs: number,
  commandId?: string,
): ConversationStep {
  // The leader has done all due work.
  if (action.type === 'replicated') return { conversation: action.conversation, commands: [], ignored: [] };
  const turn: Turn = { nowMs, commands: [], ignored: [] };
  const { commands, ignored } = turn;
  const applied = applyAction(start, action, turn);
  const timed: Conversation = {
    ...applied,
    transcript: applyTime(applied.transcript, nowMs),
    // The history was read, so the conversation may send. Source: RPL-8.
    isLive: applied.liveAtMs <= nowMs,
  };
  const read = timed.isLive && timed.isReadDue ? markRead(timed, turn) : timed;
  const joined = requestJoinWhenDue(settleOutcome(read, nowMs), turn);
  const { outbox, sends } = advanceOutbox(joined.outbox, outboxContext(joined, nowMs));
  commands.push(...sends.map(toClientEvent));
  const isCloseDue = joined.closeAtMs <= nowMs;
  if (isCloseDue) commands.push({ type: 'disconnect', isImmediate: false });
  const closeAtMs = isCloseDue ? Infinity : joined.closeAtMs;
  const hasLostConnection = joined.lostAtMs <= nowMs && !joined.outcome;
  const { handledCommands: handled } = joined;
  const handledCommands = commandId ? append(handled, commandId, true) : handled;
  const conversation = { ...joined, outbox, closeAtMs, hasLostConnection, handledCommands };
  return { conversation, commands, ignored };
}

/** When the next `tick` is due; infinite for never. Some ticks have no effect. */
export function conversationDeadlineMs(
  { liveAtMs, lostAtMs, joinAtMs, closeAtMs, transcript, outbox }: Conversation,
  nowMs: number,
): number {
  const moments = [
    liveAtMs,
    liveAtMs + AGENT_PATIENCE_MS,
    lostAtMs,
    joinAtMs,
    closeAtMs,
    transcriptDeadlineMs(transcript),
    ...outboxMoments(outbox),
  ];
  // Earlier deadlines have been handled.
  return Math.min(...moments.filter((atMs) => atMs > nowMs));
}
