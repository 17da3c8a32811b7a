/*
 * One session as a reducer: what comes in, and what it leads to.
 *
 * opened       link: replaying; nothing is sent yet
 * frame        events into the transcript, echoes into the outbox, errors into recovery
 * end of replay: has_more is false, or 250 ms after a batch that does not say, or 10 s without a batch.
 *              link: live; join if nobody joined; then drafts
 * dropped      link: down; streams and drafts stay
 * closed       streams are finalised, the chat has ended
 * tick         whatever is due: end of replay, typing, holes, recovery, drafts, closing
 * written      a draft; goes out when the link is live and an agent known
 * user_ended   USER_END_SESSION; closed here 2 s later if the platform does not
 * expired      the chat is over without a word to the platform
 *
 * Time is only read from `nowMs`; `conversationDeadlineMs` says when the next tick is due.
 */
import {
  clientEventIdOf,
  encodeClientEvent,
  LIMITS,
  type ServerEvent,
  utf8Length,
} from '../../protocol/index.ts';
import type { Draft, OutboxContext } from '../outbox/outbox-state.ts';
import {
  advanceOutbox,
  confirmDraft,
  createDraft,
  endOutbox,
  findEchoedDraft,
  outboxDeadlineMs,
  releaseDrafts,
} from '../outbox/transition.ts';
import {
  applyEvent,
  applyTime,
  isRepeat,
  skipSequence,
  transcriptDeadlineMs,
} from '../transcript/apply-event.ts';
import { endStreams } from '../transcript/apply-message.ts';
import type { EventContext } from '../transcript/transcript-state.ts';
import {
  type Command,
  type Conversation,
  type ConversationInput,
  type ConversationStep,
  toUserMessage,
} from './conversation-state.ts';
import { applyRefusal, requestJoinWhenDue } from './recovery.ts';

/** Without any batch a platform has no history to give; waiting longer would leave the visitor alone. */
const NO_BATCH_MS = 10_000;
/** How long messages wait for an agent to join before they are tried without one. */
const AGENT_PATIENCE_MS = 15_000;
/** Source: messaging.md 6.4. */
const CLOSE_AFTER_END_MS = 2_000;

/** Source: ST-2. */
const IS_ACTIVITY: ReadonlySet<ServerEvent['type']> = new Set([
  'EVENT_TYPE_USER_MESSAGE',
  'EVENT_TYPE_AGENT_MESSAGE',
  'EVENT_TYPE_AGENT_MESSAGE_CHUNK',
  'EVENT_TYPE_LIVE_AGENT_MESSAGE',
]);

const isOver = ({ outcome, hasUserEnded }: Conversation): boolean => outcome !== null || hasUserEnded;

function outboxContext(conversation: Conversation, nowMs: number): OutboxContext {
  const { link, transcript, recovery, vocabulary } = conversation;
  const isLive = link.status === 'live';
  const isAgentKnown = transcript.hasAgentJoined || (isLive && nowMs - link.sinceMs >= AGENT_PATIENCE_MS);
  return {
    nowMs,
    link: link.status === 'down' ? null : link.number,
    isReplayRead: isLive,
    isReady: isLive && isAgentKnown && !recovery.isUnderWay && !isOver(conversation),
    canResend: vocabulary === 'neutral',
    maxFrameBytes: transcript.capabilities.max_message_size_bytes,
    frameBytes: (draft) => utf8Length(encodeClientEvent(toUserMessage(draft), vocabulary)),
  };
}

/** True while history of an earlier page is coming in. */
const isReadingPast = ({ isResumed, links, link }: Conversation): boolean =>
  isResumed && links === 1 && link.status === 'replaying';

function applyOne(
  conversation: Conversation,
  event: ServerEvent,
  isReplayed: boolean,
  nowMs: number,
): ConversationStep {
  const echoed =
    event.type === 'EVENT_TYPE_USER_MESSAGE'
      ? findEchoedDraft(conversation.outbox, {
          clientEventId: clientEventIdOf(event.custom),
          text: event.payload.text,
          sequence: event.sequence,
        })
      : null;
  const context: EventContext = {
    nowMs,
    countsAsUnread: !isReadingPast(conversation),
    localId: echoed?.localId ?? null,
  };
  const next: Conversation = {
    ...conversation,
    transcript: applyEvent(conversation.transcript, event, context),
    outbox: echoed ? confirmDraft(conversation.outbox, echoed.localId) : conversation.outbox,
    // What history tells happened when it happened, not now.
    lastActivityMs: IS_ACTIVITY.has(event.type)
      ? Math.max(conversation.lastActivityMs, isReplayed ? Math.min(event.timestampMs ?? 0, nowMs) : nowMs)
      : conversation.lastActivityMs,
  };
  if (event.type === 'EVENT_TYPE_AGENT_JOINED') {
    const recovery = { attempts: 0, dueAtMs: null, isUnderWay: false };
    const joined = {
      ...next,
      isJoining: false,
      lookupFailures: 0,
      recovery,
      outbox: releaseDrafts(next.outbox),
    };
    return { conversation: joined, commands: [], ignored: [] };
  }
  if (event.type === 'EVENT_TYPE_SYSTEM_MESSAGE' && !isReplayed) return applyRefusal(next, event, nowMs);
  return { conversation: next, commands: [], ignored: [] };
}

function applyFrame(
  start: Conversation,
  { frame }: Extract<ConversationInput, { type: 'frame' }>,
  nowMs: number,
): ConversationStep {
  let conversation = start;
  const commands: Command[] = [];
  const ignored: string[] = [];
  const skipped = frame.kind === 'events' ? frame.skipped : [frame];
  for (const { id, sequence } of skipped) {
    ignored.push(id);
    conversation = { ...conversation, transcript: skipSequence(conversation.transcript, sequence) };
  }
  if (frame.kind === 'drop') return { conversation, commands, ignored };
  for (const event of frame.events) {
    if (isRepeat(conversation.transcript, event)) {
      ignored.push(event.id);
      continue;
    }
    const step = applyOne(conversation, event, frame.batch !== null, nowMs);
    conversation = step.conversation;
    commands.push(...step.commands);
  }
  if (frame.batch && conversation.link.status === 'replaying') {
    const { hasMore } = frame.batch;
    const patienceMs = hasMore === true ? NO_BATCH_MS : hasMore === false ? 0 : LIMITS.replayQuietMs;
    conversation = { ...conversation, link: { ...conversation.link, quietAtMs: nowMs + patienceMs } };
  }
  return { conversation, commands, ignored };
}

function write(conversation: Conversation, localId: string, text: string, nowMs: number): Conversation {
  const draft = createDraft(localId, text, conversation.transcript.cursor, nowMs);
  return { ...conversation, outbox: [...conversation.outbox, draft], lastActivityMs: nowMs };
}

const without = (conversation: Conversation, localId: string): Conversation => ({
  ...conversation,
  outbox: conversation.outbox.filter(
    (draft) => draft.localId !== localId || draft.delivery.status !== 'failed',
  ),
});

function take(conversation: Conversation, input: ConversationInput, nowMs: number): ConversationStep {
  const done = (next: Conversation, ...commands: readonly Command[]): ConversationStep => ({
    conversation: next,
    commands,
    ignored: [],
  });
  switch (input.type) {
    case 'opened': {
      const number = conversation.links + 1;
      return done({
        ...conversation,
        links: number,
        link: { status: 'replaying', number, quietAtMs: nowMs + NO_BATCH_MS },
        isJoining: false,
        lastActivityMs: nowMs,
      });
    }
    case 'dropped':
      return done({ ...conversation, link: { status: 'down' }, isJoining: false });
    case 'closed': {
      const context: EventContext = { nowMs, countsAsUnread: true, localId: null };
      const transcript = endStreams(conversation.transcript, 'closed', context);
      const { cursor, ended } = transcript;
      const closed = { ...transcript, ended: ended ?? { by: 'platform', sequence: cursor }, typing: null };
      return done({ ...conversation, link: { status: 'down' }, transcript: closed });
    }
    case 'frame':
      return applyFrame(conversation, input, nowMs);
    case 'tick':
      return done({
        ...conversation,
        transcript: applyTime(conversation.transcript, { nowMs, countsAsUnread: true, localId: null }),
      });
    case 'written':
      return done(write(conversation, input.localId, input.text, nowMs));
    case 'retried': {
      const draft = conversation.outbox.find(({ localId }) => localId === input.localId);
      const canRetry =
        draft?.delivery.status === 'failed' && draft.delivery.isRetryable && !isOver(conversation);
      if (!draft || !canRetry) return done(conversation);
      return done(write(without(conversation, input.localId), input.newLocalId, draft.text, nowMs));
    }
    case 'discarded':
      return done(without(conversation, input.localId));
    case 'read':
      return done({ ...conversation, transcript: { ...conversation.transcript, unread: 0 } });
    case 'user_ended': {
      if (isOver(conversation)) return done(conversation);
      const leaving = { ...conversation, hasUserEnded: true, closeAtMs: nowMs + CLOSE_AFTER_END_MS };
      if (conversation.link.status === 'down') return done({ ...leaving, closeAtMs: nowMs });
      return done(leaving, {
        type: 'send',
        event: { type: 'EVENT_TYPE_USER_END_SESSION', payload: {}, custom: null },
      });
    }
    case 'expired':
      return done({ ...conversation, outcome: conversation.outcome ?? 'expired', closeAtMs: nowMs });
  }
}

/** History has been read: from here on the conversation may speak. Source: RPL-8. */
function endReplay(conversation: Conversation, nowMs: number): Conversation {
  const { link } = conversation;
  return link.status === 'replaying' && link.quietAtMs <= nowMs
    ? { ...conversation, link: { status: 'live', number: link.number, sinceMs: nowMs } }
    : conversation;
}

/** Brings the outcome in line with what the transcript says, both ways (IND-2). */
function settleOutcome(conversation: Conversation, nowMs: number): Conversation {
  const { transcript, hasUserEnded, outcome, closeAtMs } = conversation;
  if (outcome === 'expired') return { ...conversation, outbox: endOutbox(conversation.outbox) };
  const isCloseDue = hasUserEnded && closeAtMs !== null && closeAtMs <= nowMs;
  const by =
    transcript.ended || isCloseDue ? (hasUserEnded ? 'user' : (transcript.ended?.by ?? 'platform')) : null;
  if (by === null)
    return outcome && !hasUserEnded ? { ...conversation, outcome: null, closeAtMs: null } : conversation;
  if (outcome?.by === by) return conversation;
  return {
    ...conversation,
    outcome: { by },
    closeAtMs: closeAtMs ?? nowMs + CLOSE_AFTER_END_MS,
    outbox: endOutbox(conversation.outbox),
  };
}

/** What the conversation becomes, and what has to be done about it. Pure. */
export function reduceConversation(
  start: Conversation,
  input: ConversationInput,
  nowMs: number,
): ConversationStep {
  const taken = take(start, input, nowMs);
  const settled = settleOutcome(endReplay(taken.conversation, nowMs), nowMs);
  const joined = requestJoinWhenDue(settled, nowMs);
  const { outbox, sends } = advanceOutbox(
    joined.conversation.outbox,
    outboxContext(joined.conversation, nowMs),
  );
  const isCloseDue = joined.conversation.closeAtMs !== null && joined.conversation.closeAtMs <= nowMs;
  const commands: readonly Command[] = [
    ...taken.commands,
    ...joined.commands,
    ...sends.map((draft: Draft): Command => ({ type: 'send', event: toUserMessage(draft) })),
    ...(isCloseDue ? [{ type: 'close' } as const] : []),
  ];
  const closeAtMs = isCloseDue ? null : joined.conversation.closeAtMs;
  return { conversation: { ...joined.conversation, outbox, closeAtMs }, commands, ignored: taken.ignored };
}

/** When the next `tick` is due; null for never. */
export function conversationDeadlineMs(conversation: Conversation, nowMs: number): number | null {
  const { link, transcript, recovery, closeAtMs, outbox } = conversation;
  const waitsForAgent =
    link.status === 'live' &&
    !transcript.hasAgentJoined &&
    outbox.some(({ delivery }) => delivery.status === 'queued');
  const deadlines = [
    link.status === 'replaying' ? link.quietAtMs : null,
    waitsForAgent && link.sinceMs + AGENT_PATIENCE_MS > nowMs ? link.sinceMs + AGENT_PATIENCE_MS : null,
    transcriptDeadlineMs(transcript),
    recovery.dueAtMs !== null && link.status === 'live' ? recovery.dueAtMs : null,
    closeAtMs,
    outboxDeadlineMs(outbox, outboxContext(conversation, nowMs)),
  ].filter((atMs) => atMs !== null);
  return deadlines.length > 0 ? Math.min(...deadlines) : null;
}
