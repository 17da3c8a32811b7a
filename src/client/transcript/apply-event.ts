import { clientEventIdOf, type ServerEvent, type ServerEventOf } from '../../protocol/index.ts';
import type { QueueStatus, Speaker, TranscriptItem } from '../chat-state.ts';
import { applyChunk, applyWholeMessage, endStreams } from './apply-message.ts';
import { findEntry, putEntry } from './entries.ts';
import { addPresence, resolveSpeaker, selectSpeaker } from './presence.ts';
import { addSeen, hasSeen } from './seen-ids.ts';
import { toSystemNotice } from './system-notice.ts';
import type { Ended, Entry, EventContext, PresenceRecord, Transcript } from './transcript-state.ts';

/** How long "is typing" lasts without another word. Source: IND-1. */
const TYPING_MS = 10_000;

/** True for an event that was processed before. Source: DUP-1. */
export function isRepeat({ seen }: Transcript, event: ServerEvent): boolean {
  return event.id !== '' && event.sequence !== null && hasSeen(seen, event.id);
}

/** Moves the cursor for something that was left out. Source: DUP-3. */
export function skipSequence(transcript: Transcript, sequence: number | null): Transcript {
  return sequence !== null && sequence > transcript.cursor ? { ...transcript, cursor: sequence } : transcript;
}

function applyUserMessage(
  transcript: Transcript,
  event: ServerEventOf<'EVENT_TYPE_USER_MESSAGE'>,
  { nowMs, localId }: EventContext,
): Transcript {
  const { message_id: messageId, text } = event.payload;
  // One bubble per draft and per message, whichever of the two names comes with the echo (DEL-2, DUP-5).
  const name =
    localId ?? clientEventIdOf(event.custom) ?? (messageId || event.id || `#${transcript.arrivals}`);
  const sequence = event.sequence ?? transcript.cursor;
  const key = `user:${name}`;
  const known = findEntry(transcript.entries, key);
  const isLater = !known || sequence >= known.contentSequence;
  const item: TranscriptItem = {
    kind: 'user',
    key,
    text: isLater || known.item.kind !== 'user' ? text : known.item.text,
    atMs: event.timestampMs ?? nowMs,
    delivery: { status: 'sent' },
    localId,
  };
  const entry: Entry = {
    item,
    sequence: Math.min(sequence, known?.sequence ?? sequence),
    arrival: known?.arrival ?? transcript.arrivals,
    contentSequence: Math.max(sequence, known?.contentSequence ?? sequence),
    author: null,
    suggestions: [],
  };
  return { ...transcript, entries: putEntry(transcript.entries, entry) };
}

function addNotice(transcript: Transcript, event: ServerEvent, nowMs: number): Transcript {
  const notice = toSystemNotice(event);
  if (!notice) return transcript;
  const last = transcript.entries.at(-1)?.item;
  const isEcho =
    event.sequence === null &&
    notice.code === 'platform_message' &&
    last?.kind === 'system' &&
    last.notice.code === 'platform_message' &&
    last.notice.text === notice.text;
  if (isEcho) return transcript;
  const sequence = event.sequence ?? transcript.cursor;
  const key = `system:${event.sequence !== null && event.id ? event.id : `#${transcript.arrivals}`}`;
  const entry: Entry = {
    item: { kind: 'system', key, atMs: event.timestampMs ?? nowMs, notice },
    sequence,
    arrival: transcript.arrivals,
    contentSequence: sequence,
    author: null,
    suggestions: [],
  };
  return { ...transcript, entries: putEntry(transcript.entries, entry) };
}

function notePresence(
  transcript: Transcript,
  event: ServerEvent,
  change: PresenceRecord['change'],
): Transcript {
  const sequence = event.sequence ?? transcript.cursor;
  const presence = addPresence(transcript.presence, { sequence, change });
  // A join that arrives late completes the messages that were waiting for a name.
  const entries = transcript.entries.map((entry) =>
    entry.author && entry.item.kind === 'agent' && entry.sequence >= sequence
      ? {
          ...entry,
          item: {
            ...entry.item,
            speaker: resolveSpeaker(presence, entry.item.speaker.kind, entry.author, entry.sequence),
          },
        }
      : entry,
  );
  return { ...transcript, presence, entries };
}

function showTyping(transcript: Transcript, speaker: Speaker, nowMs: number): Transcript {
  return { ...transcript, typing: { speaker, untilMs: nowMs + TYPING_MS } };
}

const ENDED_BY: Readonly<Record<string, Ended['by']>> = {
  REASON_USER_END: 'user',
  user_ended: 'user',
  REASON_USER_ABANDONED: 'inactivity',
  REASON_NATURAL_END: 'agent',
  agent_ended: 'agent',
};

/** These say nothing new about whether the chat goes on. Source: IND-2. */
const KEEPS_ENDED: ReadonlySet<ServerEvent['type']> = new Set([
  'EVENT_TYPE_HEARTBEAT',
  'EVENT_TYPE_SESSION_END',
  'EVENT_TYPE_SYSTEM_MESSAGE',
  'EVENT_TYPE_LIVE_AGENT_LEFT',
]);

/** A sign that the chat goes on clears an end that came before it, in whatever order the two arrive. */
function noteLife(transcript: Transcript, event: ServerEvent): Transcript {
  if (KEEPS_ENDED.has(event.type)) return transcript;
  const { ended, livelySequence } = transcript;
  const isLater = ended !== null && (event.sequence === null || event.sequence > ended.sequence);
  return {
    ...transcript,
    ended: isLater ? null : ended,
    livelySequence: Math.max(livelySequence, event.sequence ?? 0),
  };
}

/** The chat is over as of `event`, unless something later is known. Source: IND-2. */
function end(transcript: Transcript, by: Ended['by'], event: ServerEvent): Transcript {
  const sequence = event.sequence ?? transcript.cursor;
  const isNewest = sequence >= transcript.livelySequence && sequence >= (transcript.ended?.sequence ?? 0);
  return isNewest ? { ...transcript, ended: { by, sequence } } : transcript;
}

const toQueue = ({ payload }: ServerEventOf<'EVENT_TYPE_HANDOFF_QUEUE_STATUS'>): QueueStatus => ({
  queueName: payload.queue_name,
  position: payload.position_in_queue,
  estimatedWaitSeconds: payload.estimated_wait_seconds,
  message: payload.display_message,
});

function applyByType(transcript: Transcript, event: ServerEvent, context: EventContext): Transcript {
  const { nowMs } = context;
  const quiet: Transcript = transcript.typing ? { ...transcript, typing: null } : transcript;
  const alone: Transcript = quiet.queue ? { ...quiet, queue: null } : quiet;
  switch (event.type) {
    case 'EVENT_TYPE_SESSION_START':
      return { ...transcript, capabilities: event.payload.capabilities, contextId: event.payload.context_id };
    case 'EVENT_TYPE_SESSION_END': {
      const by = ENDED_BY[event.payload.reason ?? ''] ?? 'platform';
      return end(endStreams(alone, 'session_end', context), by, event);
    }
    case 'EVENT_TYPE_LANGUAGE_CHANGED': {
      const code = event.payload.language_code;
      const sequence = event.sequence ?? transcript.cursor;
      const isLatest = !transcript.language || sequence >= transcript.language.sequence;
      return code && isLatest ? { ...transcript, language: { code, sequence } } : transcript;
    }
    case 'EVENT_TYPE_USER_MESSAGE':
      return applyUserMessage(transcript, event, context);
    case 'EVENT_TYPE_AGENT_JOINED': {
      const { agent_name: name, agent_avatar_url: avatarUrl } = event.payload;
      const speaker: Speaker = { kind: 'agent', id: null, name, avatarUrl };
      return { ...notePresence(alone, event, { type: 'joined', speaker }), hasAgentJoined: true };
    }
    case 'EVENT_TYPE_AGENT_THINKING': {
      const speaker = selectSpeaker(transcript.presence);
      return showTyping(
        transcript,
        speaker ?? { kind: 'agent', id: null, name: null, avatarUrl: null },
        nowMs,
      );
    }
    case 'EVENT_TYPE_AGENT_MESSAGE': {
      const { agent_name: name, avatar_url: avatarUrl, end_conversation: isLast } = event.payload;
      const shown = applyWholeMessage(quiet, event, { id: null, name, avatarUrl }, context);
      return isLast ? end(shown, 'agent', event) : shown;
    }
    case 'EVENT_TYPE_AGENT_MESSAGE_CHUNK': {
      const shown = applyChunk(quiet, event, context);
      const isLast = event.payload.end_conversation && event.payload.is_complete;
      return isLast ? end(shown, 'agent', event) : shown;
    }
    case 'EVENT_TYPE_LIVE_AGENT_MESSAGE': {
      const { agent_id: id, agent_name: name, avatar_url: avatarUrl } = event.payload;
      return applyWholeMessage(quiet, event, { id, name, avatarUrl }, context);
    }
    case 'EVENT_TYPE_AGENT_LEFT':
      return notePresence(quiet, event, { type: 'left', kind: 'agent' });
    case 'EVENT_TYPE_LIVE_AGENT_JOINED': {
      const { agent_id: id, agent_name: name, avatar_url: avatarUrl } = event.payload;
      return notePresence(alone, event, {
        type: 'joined',
        speaker: { kind: 'live_agent', id, name, avatarUrl },
      });
    }
    case 'EVENT_TYPE_LIVE_AGENT_LEFT':
      return notePresence(quiet, event, { type: 'left', kind: 'live_agent' });
    case 'EVENT_TYPE_LIVE_AGENT_TYPING': {
      if (event.payload.state === 'TYPING_STATE_STOPPED') return quiet;
      const { agent_id: id, agent_name: name } = event.payload;
      const author = { id, name, avatarUrl: null };
      return showTyping(
        transcript,
        resolveSpeaker(transcript.presence, 'live_agent', author, transcript.cursor),
        nowMs,
      );
    }
    case 'EVENT_TYPE_HANDOFF_QUEUE_STATUS':
      return { ...quiet, queue: toQueue(event) };
    case 'EVENT_TYPE_AGENT_TRIGGERED_HANDOFF':
    case 'EVENT_TYPE_HANDOFF_ACCEPTED':
      return quiet;
    case 'EVENT_TYPE_CLIENT_HANDOFF_REQUIRED':
    case 'EVENT_TYPE_HANDOFF_FAILED':
    case 'EVENT_TYPE_HANDOFF_TIMEOUT':
      return alone;
    case 'EVENT_TYPE_SYSTEM_MESSAGE':
    case 'EVENT_TYPE_SESSION_IDLE_WARNING':
    case 'EVENT_TYPE_HEARTBEAT':
    case 'EVENT_TYPE_REQUEST_AGENT_JOIN':
    case 'EVENT_TYPE_USER_END_SESSION':
    case 'EVENT_TYPE_USER_TYPING':
      return transcript;
  }
}

/** The transcript after one event that is not a repeat. Source: messaging.md 13.3 and 13.4. */
export function applyEvent(transcript: Transcript, event: ServerEvent, context: EventContext): Transcript {
  const counted: Transcript = {
    ...skipSequence(transcript, event.sequence),
    arrivals: transcript.arrivals + 1,
    seen: event.id !== '' && event.sequence !== null ? addSeen(transcript.seen, event.id) : transcript.seen,
  };
  return addNotice(applyByType(noteLife(counted, event), event, context), event, context.nowMs);
}

/** Lets go of what the clock has ended: the typing indicator and streams that waited for a piece. */
export function applyTime(transcript: Transcript, context: EventContext): Transcript {
  const { nowMs } = context;
  const isTypingOver = transcript.typing !== null && transcript.typing.untilMs <= nowMs;
  const quiet = isTypingOver ? { ...transcript, typing: null } : transcript;
  const overdue = [...quiet.holes].filter(([, dueAtMs]) => dueAtMs <= nowMs).map(([messageId]) => messageId);
  return overdue.reduce((next, messageId) => endStreams(next, 'timeout', context, messageId), quiet);
}

/** The next moment `applyTime` has something to do; null for none. */
export function transcriptDeadlineMs({ typing, holes }: Transcript): number | null {
  const deadlines = [...(typing ? [typing.untilMs] : []), ...holes.values()];
  return deadlines.length > 0 ? Math.min(...deadlines) : null;
}
