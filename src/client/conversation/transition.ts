/*
 * One session as a reducer: what comes in, and what it leads to.
 *
 * connection   open: history is read, nothing is sent yet; not open any more: streams and drafts stay
 * frame        events into the transcript, echoes into the outbox, errors into recovery
 * end of replay: has_more is false, or 250 ms after a batch that does not say, or 10 s without a batch.
 *              live: join if nobody joined; then drafts
 * closed       streams are finalised, the chat has ended
 * tick         nothing by itself: every step does what is due, be it end of replay, typing, holes, recovery, drafts or closing
 * written      a draft; goes out when the conversation is live and an agent known; connects where that was given up
 * claimed      whose it is, for the other tabs and the next page
 * user_ended   USER_END_SESSION; closed here 2 s later if the platform does not
 * expired      the chat is over without a word to the platform
 * restored, session_started, session_left, replicated: in session-action.ts
 *
 * Time is only read from `nowMs`; `conversationDeadlineMs` says when the next tick is due.
 */
import {
  type ClientEvent,
  type DecodedFrame,
  encodeClientEvent,
  LIMITS,
  type ServerEvent,
  type ServerEventType,
} from '../../protocol/index.ts';
import type { ConnectionStatus } from '../chat-state.ts';
import { type Draft, isFailed, type OutboxContext } from '../outbox/outbox-state.ts';
import {
  advanceOutbox,
  createDraft,
  findEchoedDraft,
  outboxMoments,
  releaseDrafts,
  SENT,
  settleDrafts,
} from '../outbox/transition.ts';
import { append } from '../transcript/append-map.ts';
import {
  applyEvent,
  applyTime,
  closeSurvey,
  isRepeat,
  skipSequence,
  transcriptDeadlineMs,
} from '../transcript/apply-event.ts';
import { endStream } from '../transcript/apply-message.ts';
import { EMPTY_TRANSCRIPT } from '../transcript/transcript-state.ts';
import {
  type Conversation,
  type ConversationAction,
  type ConversationStep,
  hasMessage,
  isOver,
  type Turn,
} from './conversation-state.ts';
import { applyRefusal, requestJoinWhenDue } from './recovery.ts';
import { applySessionAction } from './session-action.ts';

/** Without any batch a platform has no history to give; waiting longer would leave the visitor alone. */
const NO_BATCH_MS = 10_000;
/** A drop shorter than this is not worth a word. Source: CON-6. */
const LOST_AFTER_MS = 500;
/** How long messages wait for an agent to join before they are tried without one. */
const AGENT_PATIENCE_MS = 15_000;
/** Source: messaging.md 6.4. */
const CLOSE_AFTER_END_MS = 2_000;
/** The platform waits 60 s for an answer, and ends the session itself. Source: TBD-3. */
const SURVEY_MS = 62_000;

/** Somebody said something, in one piece or in several. Source: ST-2. */
const ACTIVITIES: ReadonlySet<ServerEventType> = new Set<ServerEventType>([
  'EVENT_TYPE_USER_MESSAGE',
  'EVENT_TYPE_AGENT_MESSAGE',
  'EVENT_TYPE_AGENT_MESSAGE_CHUNK',
  'EVENT_TYPE_LIVE_AGENT_MESSAGE',
]);

/** The frame a draft goes out as; both spellings of its name are written. Source: MET-4. */
const toUserMessage = ({ localId, text, custom }: Draft): ClientEvent => ({
  type: 'EVENT_TYPE_USER_MESSAGE',
  payload: { text },
  custom: { ...custom, client_event_id: localId, local_id: localId },
});

function outboxContext(conversation: Conversation, nowMs: number): OutboxContext {
  const { liveAtMs, isLive, links, transcript, isRecovering, vocabulary } = conversation;
  const isAgentKnown = transcript.hasAgentJoined || nowMs - liveAtMs >= AGENT_PATIENCE_MS;
  const maxBytes = transcript.capabilities.max_message_size_bytes;
  return {
    nowMs,
    isOver: conversation.outcome !== null,
    link: liveAtMs < Infinity ? links : null,
    isReplayRead: isLive,
    isReady: isLive && isAgentKnown && !isRecovering && !isOver(conversation),
    canResend: vocabulary === 'neutral',
    isTooLong: (draft) =>
      maxBytes > 0 &&
      new TextEncoder().encode(encodeClientEvent(toUserMessage(draft), vocabulary)).length > maxBytes,
  };
}

function applyOne(
  conversation: Conversation,
  event: ServerEvent,
  isReplayed: boolean,
  turn: Turn,
): Conversation {
  const { outbox, transcript, lastActivityMs, isResumed, links, isLive } = conversation;
  const { nowMs } = turn;
  const echoed = event.type === 'EVENT_TYPE_USER_MESSAGE' ? findEchoedDraft(outbox, event) : undefined;
  const applied = applyEvent(transcript, event, nowMs, echoed?.localId);
  // What another page has shown is no news.
  const isPast = isResumed && links === 1 && !isLive;
  // What history tells happened when it happened, not now.
  const happenedAtMs = isReplayed ? Math.min(event.timestampMs ?? 0, nowMs) : nowMs;
  const next: Conversation = {
    ...conversation,
    transcript: isPast ? { ...applied, unread: transcript.unread } : applied,
    // The chat may have been over already: the socket stays for the answer.
    closeAtMs: event.type === 'EVENT_TYPE_SHOW_CSAT_REQUEST' ? nowMs + SURVEY_MS : conversation.closeAtMs,
    outbox: settleDrafts(outbox, (draft) => draft === echoed, SENT),
    lastActivityMs: ACTIVITIES.has(event.type) ? Math.max(lastActivityMs, happenedAtMs) : lastActivityMs,
  };
  if (event.type === 'EVENT_TYPE_AGENT_JOINED') {
    return {
      ...next,
      joinAtMs: Infinity,
      recoveries: 0,
      isRecovering: false,
      lookupFailures: 0,
      outbox: releaseDrafts(outbox),
    };
  }
  return event.type === 'EVENT_TYPE_SYSTEM_MESSAGE' && !isReplayed ? applyRefusal(next, event, turn) : next;
}

function applyFrame(start: Conversation, frame: DecodedFrame, turn: Turn): Conversation {
  let next = start;
  for (const { id, sequence } of frame.kind === 'drop' ? [frame] : frame.skipped) {
    turn.ignored.push(id);
    next = { ...next, transcript: skipSequence(next.transcript, sequence) };
  }
  if (frame.kind === 'drop') return next;
  const { events, batch } = frame;
  if (batch) {
    const entries = [...next.transcript.entries];
    next = { ...next, transcript: { ...next.transcript, entries, isGrowing: true } };
  }
  for (const event of events) {
    if (isRepeat(next.transcript, event)) turn.ignored.push(event.id);
    else next = applyOne(next, event, batch !== null, turn);
  }
  if (!batch) return next;
  next = { ...next, transcript: { ...next.transcript, isGrowing: false } };
  if (next.isLive) return next;
  const patienceMs = batch.hasMore === null ? LIMITS.replayQuietMs : batch.hasMore ? NO_BATCH_MS : 0;
  return { ...next, liveAtMs: turn.nowMs + patienceMs };
}

function write(
  conversation: Conversation,
  localId: string,
  { text, custom }: Pick<Draft, 'text' | 'custom'>,
  { nowMs, commands }: Turn,
): Conversation {
  // Asked for once more by a tab that did not hear the answer.
  if (hasMessage(conversation, localId)) return conversation;
  // Whoever writes acts, and that is what a client that has given up waits for. Source: messaging.md 11.
  if (conversation.connection.status === 'failed') commands.push({ type: 'connect' });
  const afterSequence = conversation.transcript.cursor;
  const draft = createDraft({ localId, text, custom, createdAtMs: nowMs, afterSequence });
  return { ...conversation, outbox: [...conversation.outbox, draft], lastActivityMs: nowMs };
}

const without = (conversation: Conversation, localId: string): Conversation => ({
  ...conversation,
  outbox: conversation.outbox.filter((draft) => draft.localId !== localId || !isFailed(draft)),
});

/** The connection opened, or is not open any more. */
function applyConnection(
  conversation: Conversation,
  connection: ConnectionStatus,
  nowMs: number,
): Conversation {
  const { liveAtMs, lostAtMs, joinAtMs, links, transcript } = conversation;
  if (connection.status === 'open') {
    return {
      ...conversation,
      connection,
      lostAtMs: Infinity,
      liveAtMs: nowMs + NO_BATCH_MS,
      links: links + 1,
      // An answer on the socket before may have been lost with it.
      joinAtMs: joinAtMs < Infinity ? joinAtMs : 0,
      lastActivityMs: nowMs,
    };
  }
  const isLost = liveAtMs < Infinity && connection.status === 'reconnecting';
  return {
    ...conversation,
    connection,
    lostAtMs: isLost ? nowMs + LOST_AFTER_MS : lostAtMs,
    liveAtMs: Infinity,
    transcript: closeSurvey(transcript),
  };
}

/** Answers the open survey, or skips it. */
function rate(
  conversation: Conversation,
  { surveyId: survey_id, score }: Extract<ConversationAction, { type: 'rated' }>,
  { nowMs, commands }: Turn,
): Conversation {
  const { transcript } = conversation;
  const { survey } = transcript;
  if (survey?.status !== 'open' || survey.id !== survey_id) return conversation;
  const skipped = score === null;
  const payload = { survey_id, score, skipped };
  commands.push({ type: 'EVENT_TYPE_CSAT_RESPONSE', payload, custom: null });
  return {
    ...conversation,
    transcript: { ...transcript, survey: { ...survey, status: skipped ? 'skipped' : 'rated' } },
    closeAtMs: nowMs + CLOSE_AFTER_END_MS,
  };
}

/** Sends a failed draft again, under another name. Source: DEL-7. */
function retry(
  conversation: Conversation,
  { localId, newLocalId }: Extract<ConversationAction, { type: 'retried' }>,
  turn: Turn,
): Conversation {
  const draft = conversation.outbox.find((one) => one.localId === localId);
  return draft?.delivery.status === 'failed' && draft.delivery.isRetryable && !isOver(conversation)
    ? write(without(conversation, localId), newLocalId, draft, turn)
    : conversation;
}

function claim(conversation: Conversation, owner: string): Conversation {
  const isOthers = conversation.owner !== '' && conversation.owner !== owner;
  return {
    ...conversation,
    owner,
    // Another visitor's messages are not shown, not even until the platform has ended that conversation.
    ...(isOthers && { transcript: EMPTY_TRANSCRIPT, outbox: [], visitors: conversation.visitors + 1 }),
  };
}

function endByUser(conversation: Conversation, { nowMs, commands }: Turn): Conversation {
  if (isOver(conversation)) return conversation;
  const isUp = conversation.liveAtMs < Infinity;
  if (isUp) commands.push({ type: 'EVENT_TYPE_USER_END_SESSION', payload: {}, custom: null });
  return { ...conversation, hasUserEnded: true, closeAtMs: nowMs + (isUp ? CLOSE_AFTER_END_MS : 0) };
}

function take(conversation: Conversation, action: ConversationAction, turn: Turn): Conversation {
  const { transcript } = conversation;
  const { nowMs } = turn;
  switch (action.type) {
    case 'connection':
      return applyConnection(conversation, action.connection, nowMs);
    case 'rated':
      return rate(conversation, action, turn);
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
      return write(conversation, action.localId, action, turn);
    case 'retried':
      return retry(conversation, action, turn);
    case 'discarded':
      return without(conversation, action.localId);
    case 'read':
      return { ...conversation, transcript: { ...transcript, unread: 0 } };
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

/** Brings the outcome in line with what the transcript says, both ways (IND-2). */
function settleOutcome(conversation: Conversation, nowMs: number): Conversation {
  const { transcript, hasUserEnded, outcome, closeAtMs } = conversation;
  const { ended, survey } = transcript;
  const isDone = ended !== null || closeAtMs <= nowMs;
  const next = hasUserEnded ? (isDone ? 'user' : outcome) : (ended?.by ?? null);
  if (outcome === 'expired' || next === outcome) return conversation;
  // Who is asked how it was has the time that the platform gives.
  const latestMs = survey?.status === 'open' ? Infinity : nowMs + CLOSE_AFTER_END_MS;
  return { ...conversation, outcome: next, closeAtMs: next ? Math.min(closeAtMs, latestMs) : Infinity };
}

/**
 * What the conversation becomes, and what has to be done about it. With the id of the command that the action came in, it
 * becomes one that has executed this command. Pure.
 */
export function reduceConversation(
  start: Conversation,
  action: ConversationAction,
  nowMs: number,
  commandId?: string,
): ConversationStep {
  // The leader has done all that was due.
  if (action.type === 'replicated') return { conversation: action.conversation, commands: [], ignored: [] };
  const turn: Turn = { nowMs, commands: [], ignored: [] };
  const { commands, ignored } = turn;
  const taken = take(start, action, turn);
  const timed: Conversation = {
    ...taken,
    transcript: applyTime(taken.transcript, nowMs),
    // History has been read: from here on the conversation may speak. Source: RPL-8.
    isLive: taken.liveAtMs <= nowMs,
  };
  const joined = requestJoinWhenDue(settleOutcome(timed, nowMs), turn);
  const { outbox, sends } = advanceOutbox(joined.outbox, outboxContext(joined, nowMs));
  commands.push(...sends.map(toUserMessage));
  const isCloseDue = joined.closeAtMs <= nowMs;
  if (isCloseDue) commands.push({ type: 'disconnect', isImmediate: false });
  const closeAtMs = isCloseDue ? Infinity : joined.closeAtMs;
  const hasLostConnection = joined.lostAtMs <= nowMs && !joined.outcome;
  const { handledCommands: handled } = joined;
  const handledCommands = commandId ? append(handled, commandId, true) : handled;
  const conversation = { ...joined, outbox, closeAtMs, hasLostConnection, handledCommands };
  return { conversation, commands, ignored };
}

/** When the next `tick` is due; infinite for never. Some come for nothing. */
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
  // Whatever was due by now is done.
  return Math.min(...moments.filter((atMs) => atMs > nowMs));
}
