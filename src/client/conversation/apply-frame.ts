import { type DecodedFrame, LIMITS, type ServerEvent, type ServerEventType } from '../../protocol/index.ts';
import type { Conversation, Turn } from './conversation-state.ts';
import { findEchoedDraft, releaseDrafts, SENT, settleDrafts } from './outbox/transition.ts';
import { applyRefusal } from './recovery.ts';
import { applyEvent, isRepeat, skipSequence } from './transcript/apply-event.ts';

/** Without any batch the platform has no history; waiting longer would only delay the visitor. */
export const NO_BATCH_MS = 10_000;
/** The platform waits 60 s for an answer, and then ends the session. Source: TBD-3. */
const SURVEY_MS = 62_000;

/** A message arrived, whole or in chunks. Source: ST-2. */
const ACTIVITIES: ReadonlySet<ServerEventType> = new Set<ServerEventType>([
  'EVENT_TYPE_USER_MESSAGE',
  'EVENT_TYPE_AGENT_MESSAGE',
  'EVENT_TYPE_AGENT_MESSAGE_CHUNK',
  'EVENT_TYPE_LIVE_AGENT_MESSAGE',
]);

function applyOne(
  conversation: Conversation,
  event: ServerEvent,
  isReplayed: boolean,
  turn: Turn,
): Conversation {
  const { outbox, transcript, lastActivityMs, isResumed, connectionCount, isLive } = conversation;
  const { nowMs } = turn;
  const isEcho = event.type === 'EVENT_TYPE_USER_MESSAGE' || event.type === 'EVENT_TYPE_X_FEEDBACK';
  const echoed = isEcho ? findEchoedDraft(outbox, event) : undefined;
  const applied = applyEvent(transcript, event, nowMs, echoed?.localId);
  // Events that another page has shown are not new.
  const isPast = isResumed && connectionCount === 1 && !isLive;
  // Events of the history happened in the past, not now.
  const happenedAtMs = isReplayed ? Math.min(event.timestampMs ?? 0, nowMs) : nowMs;
  const next: Conversation = {
    ...conversation,
    transcript: isPast ? { ...applied, unread: transcript.unread } : applied,
    // The chat may already have ended; the socket stays open for the answer.
    closeAtMs: event.type === 'EVENT_TYPE_SHOW_CSAT_REQUEST' ? nowMs + SURVEY_MS : conversation.closeAtMs,
    outbox: echoed ? settleDrafts(outbox, (draft) => draft === echoed, SENT) : outbox,
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

/** Applies the events of a frame: to the transcript, echoes to the outbox, errors to recovery. */
export function applyFrame(start: Conversation, frame: DecodedFrame, turn: Turn): Conversation {
  let next = start;
  for (const { id, sequence } of frame.kind === 'drop' ? [frame] : frame.skipped) {
    turn.ignored.push(id);
    next = { ...next, transcript: skipSequence(next.transcript, sequence) };
  }
  if (frame.kind === 'drop') return next;
  const { events, batch } = frame;
  if (batch) {
    const entries = [...next.transcript.entries];
    next = { ...next, transcript: { ...next.transcript, entries, isBatching: true } };
  }
  for (const event of events) {
    if (isRepeat(next.transcript, event)) turn.ignored.push(event.id);
    else next = applyOne(next, event, batch !== null, turn);
  }
  if (!batch) return next;
  next = { ...next, transcript: { ...next.transcript, isBatching: false } };
  if (next.isLive) return next;
  const patienceMs = batch.hasMore === null ? LIMITS.replayQuietMs : batch.hasMore ? NO_BATCH_MS : 0;
  return { ...next, liveAtMs: turn.nowMs + patienceMs };
}
