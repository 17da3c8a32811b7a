import { clientEventIdOf, type ServerEvent, type ServerEventOf } from '../../protocol/index.ts';
import type { Speaker, SystemNotice, TranscriptItem } from '../chat-state.ts';
import { applyChunk, applyWholeMessage, endStreams } from './apply-message.ts';
import { claimPlace, placeEntry, putEntry } from './entries.ts';
import { isVisitorsBusiness } from './is-visitors-business.ts';
import { addPresence, NOBODY, resolveSpeaker, selectSpeaker } from './presence.ts';
import type { Author, Ended, Entry, Transcript } from './transcript-state.ts';

/** How long "is typing" lasts without another word. Source: IND-1. */
const TYPING_MS = 10_000;

const ENDED_BY: ReadonlyMap<string | null, Ended['by']> = new Map([
  ['REASON_USER_END', 'user'],
  ['user_ended', 'user'],
  ['REASON_USER_ABANDONED', 'inactivity'],
  ['REASON_NATURAL_END', 'agent'],
  ['agent_ended', 'agent'],
]);

const LEVELS = {
  SYSTEM_MESSAGE_LEVEL_INFO: 'info',
  SYSTEM_MESSAGE_LEVEL_WARNING: 'warning',
  SYSTEM_MESSAGE_LEVEL_ERROR: 'error',
} as const;

/** These say nothing new about whether the chat goes on. Source: IND-2. */
const KEEPS_ENDED = /_(HEARTBEAT|SESSION_END|SYSTEM_MESSAGE|LIVE_AGENT_LEFT)$/;

/** True for an event that can come twice: transient ones cannot be told apart. Source: DUP-1. */
const isNamed = ({ id, sequence }: ServerEvent): boolean => id !== '' && sequence !== null;

/** True for an event that was processed before. Source: DUP-1. */
export function isRepeat({ seen }: Transcript, event: ServerEvent): boolean {
  return isNamed(event) && seen.has(event.id);
}

/** Moves the cursor for something that was left out. Source: DUP-3. */
export function skipSequence(transcript: Transcript, sequence: number | null): Transcript {
  return sequence !== null && sequence > transcript.cursor ? { ...transcript, cursor: sequence } : transcript;
}

/** What an event says about who caused it. */
const authorOf = (payload: {
  readonly agent_id?: string | null;
  readonly agent_name?: string | null;
  readonly avatar_url?: string | null;
  readonly agent_avatar_url?: string | null;
}): Author => ({
  id: payload.agent_id ?? null,
  name: payload.agent_name ?? null,
  avatarUrl: payload.avatar_url ?? payload.agent_avatar_url ?? null,
});

/** An entry without an author; it goes where the transcript says that its key stands. */
const toEntry = (
  { cursor, arrivals }: Transcript,
  item: TranscriptItem,
  { sequence }: ServerEvent,
): Entry => ({
  item,
  sequence: sequence ?? cursor,
  arrival: arrivals,
  contentSequence: sequence ?? cursor,
  author: NOBODY,
  suggestions: [],
});

function applyUserMessage(
  transcript: Transcript,
  event: ServerEventOf<'EVENT_TYPE_USER_MESSAGE'>,
  nowMs: number,
  localId: string | null,
): Transcript {
  const { message_id: messageId, text } = event.payload;
  // One bubble per draft and per message, whichever of the two names comes with the echo (DEL-2, DUP-5).
  const name =
    localId ?? clientEventIdOf(event.custom) ?? (messageId || event.id || `#${transcript.arrivals}`);
  const key = `user:${name}`;
  const placed = claimPlace(transcript, key, event, nowMs);
  return putEntry(
    placed,
    toEntry(placed, { kind: 'user', key, text, atMs: nowMs, delivery: { status: 'sent' }, localId }, event),
    placed.places.size > transcript.places.size,
  );
}

/** One line about what happened. An error told twice in a row is told once. Source: IND-4. */
function note(transcript: Transcript, event: ServerEvent, nowMs: number, notice: SystemNotice): Transcript {
  const { sequence, id, timestampMs } = event;
  const last = transcript.entries.at(-1)?.item;
  const isSaid =
    sequence === null &&
    notice.code === 'platform_message' &&
    last?.kind === 'system' &&
    last.notice.code === 'platform_message' &&
    last.notice.text === notice.text;
  const key = `system:${isNamed(event) ? id : `#${transcript.arrivals}`}`;
  const atMs = timestampMs ?? nowMs;
  return isSaid
    ? transcript
    : putEntry(transcript, toEntry(transcript, { kind: 'system', key, atMs, notice }, event), true);
}

function notePresence(
  transcript: Transcript,
  { sequence: given }: ServerEvent,
  kind: Speaker['kind'],
  speaker: Speaker | null,
): Transcript {
  const sequence = given ?? transcript.cursor;
  const next = { ...transcript, presence: addPresence(transcript.presence, { sequence, kind, speaker }) };
  const waits = (entry: Entry | undefined): boolean => entry !== undefined && entry.sequence >= sequence;
  // A join that arrives late completes the messages that were waiting for a name.
  return waits(next.entries.at(-1))
    ? { ...next, entries: next.entries.map((entry) => (waits(entry) ? placeEntry(next, entry) : entry)) }
    : next;
}

/** The chat is over as of `event`, unless something later is known. Source: IND-2. */
function end(transcript: Transcript, by: Ended['by'], event: ServerEvent): Transcript {
  const sequence = event.sequence ?? transcript.cursor;
  const isNewest = sequence >= transcript.livelySequence && sequence >= (transcript.ended?.sequence ?? 0);
  return isNewest ? { ...transcript, ended: { by, sequence } } : transcript;
}

/** The time to answer is over; an answer that was given stays. */
export const closeSurvey = (transcript: Transcript): Transcript =>
  transcript.survey?.status === 'open' ? { ...transcript, survey: null } : transcript;

/** What each type of event means. Types that are missing change nothing but the cursor. */
function applyByType(
  transcript: Transcript,
  event: ServerEvent,
  nowMs: number,
  localId: string | null,
): Transcript {
  const { presence, cursor, language } = transcript;
  const quiet: Transcript = transcript.typing ? { ...transcript, typing: null } : transcript;
  const alone = (): Transcript => ({ ...quiet, queue: null });
  const say = (next: Transcript, notice: SystemNotice): Transcript => note(next, event, nowMs, notice);
  const showTyping = (speaker: Speaker): Transcript => ({
    ...transcript,
    typing: { speaker, untilMs: nowMs + TYPING_MS },
  });
  switch (event.type) {
    case 'EVENT_TYPE_SESSION_START':
      return {
        ...transcript,
        capabilities: event.payload.capabilities,
        contextId: event.payload.context_id,
      };
    case 'EVENT_TYPE_SHOW_CSAT_REQUEST': {
      const { survey_id: id, title, question } = event.payload;
      // Nothing more is said: the end itself comes with the answer, and tells whose it was.
      return end({ ...alone(), survey: { id, title, question, status: 'open' } }, 'agent', event);
    }
    case 'EVENT_TYPE_SESSION_END':
      return end(
        endStreams(closeSurvey(alone()), 'session_end', nowMs),
        ENDED_BY.get(event.payload.reason) ?? 'platform',
        event,
      );
    case 'EVENT_TYPE_LANGUAGE_CHANGED': {
      const code = event.payload.language_code;
      const sequence = event.sequence ?? cursor;
      if (!code) return transcript;
      const isNewest = sequence >= (language?.sequence ?? 0);
      return say(isNewest ? { ...transcript, language: { code, sequence } } : transcript, {
        code: 'language_changed',
        language: code,
      });
    }
    case 'EVENT_TYPE_SYSTEM_MESSAGE': {
      const level = LEVELS[event.payload.level];
      const text = event.payload.message.trim();
      const isShown = text && (level !== 'error' || isVisitorsBusiness(text));
      // An error in the history is the agent's: an answer it was giving gets no final chunk (STR-3).
      const isBroken = level === 'error' && event.sequence !== null;
      const calm = isBroken ? endStreams(transcript, 'closed', nowMs) : transcript;
      return isShown ? say(calm, { code: 'platform_message', level, text }) : calm;
    }
    case 'EVENT_TYPE_SESSION_IDLE_WARNING':
      return say(transcript, { code: 'idle_warning', secondsRemaining: event.payload.seconds_remaining });
    case 'EVENT_TYPE_USER_MESSAGE':
      return applyUserMessage(transcript, event, nowMs, localId);

    case 'EVENT_TYPE_AGENT_JOINED': {
      const author = authorOf(event.payload);
      const joined = notePresence(alone(), event, 'agent', { kind: 'agent', ...author });
      return say({ ...joined, hasAgentJoined: true }, { code: 'agent_joined', name: author.name });
    }
    case 'EVENT_TYPE_AGENT_THINKING':
      return showTyping(selectSpeaker(presence) ?? { kind: 'agent', ...NOBODY });
    case 'EVENT_TYPE_AGENT_MESSAGE': {
      const shown = applyWholeMessage(quiet, event, 'agent', authorOf(event.payload), nowMs);
      return event.payload.end_conversation ? end(shown, 'agent', event) : shown;
    }
    case 'EVENT_TYPE_AGENT_MESSAGE_CHUNK': {
      const shown = applyChunk(quiet, event, nowMs);
      const isLast = event.payload.end_conversation && event.payload.is_complete;
      return isLast ? end(shown, 'agent', event) : shown;
    }
    case 'EVENT_TYPE_AGENT_LEFT':
      return say(notePresence(quiet, event, 'agent', null), { code: 'agent_left' });

    case 'EVENT_TYPE_LIVE_AGENT_JOINED': {
      const author = authorOf(event.payload);
      const joined = notePresence(alone(), event, 'live_agent', { kind: 'live_agent', ...author });
      return say(joined, { code: 'live_agent_joined', name: author.name });
    }
    case 'EVENT_TYPE_LIVE_AGENT_TYPING':
      return event.payload.state === 'TYPING_STATE_STOPPED'
        ? quiet
        : showTyping(resolveSpeaker(presence, 'live_agent', authorOf(event.payload), cursor));
    case 'EVENT_TYPE_LIVE_AGENT_MESSAGE':
      return applyWholeMessage(quiet, event, 'live_agent', authorOf(event.payload), nowMs);
    case 'EVENT_TYPE_LIVE_AGENT_LEFT':
      return say(notePresence(quiet, event, 'live_agent', null), {
        code: 'live_agent_left',
        name: event.payload.agent_name,
      });

    case 'EVENT_TYPE_AGENT_TRIGGERED_HANDOFF':
      return say(quiet, { code: 'handoff_started' });
    case 'EVENT_TYPE_HANDOFF_ACCEPTED':
      return say(quiet, { code: 'handoff_accepted', queueName: event.payload.queue_name });
    case 'EVENT_TYPE_HANDOFF_QUEUE_STATUS': {
      const { queue_name, position_in_queue, estimated_wait_seconds, display_message } = event.payload;
      const queue = {
        queueName: queue_name,
        position: position_in_queue,
        estimatedWaitSeconds: estimated_wait_seconds,
        message: display_message,
      };
      return { ...quiet, queue };
    }
    case 'EVENT_TYPE_CLIENT_HANDOFF_REQUIRED':
      return say(alone(), { code: 'handoff_required', route: event.payload.route ?? event.payload.reason });
    case 'EVENT_TYPE_HANDOFF_FAILED':
      return say(alone(), { code: 'handoff_failed' });
    case 'EVENT_TYPE_HANDOFF_TIMEOUT':
      return say(alone(), { code: 'handoff_timed_out' });
    default:
      return transcript;
  }
}

/**
 * The transcript after one event that is not a repeat; `localId` names our draft that an echo confirms.
 * Source: messaging.md 13.3 and 13.4.
 */
export function applyEvent(
  transcript: Transcript,
  event: ServerEvent,
  nowMs: number,
  localId: string | null = null,
): Transcript {
  const { cursor, arrivals, seen, ended, livelySequence } = transcript;
  const { id, type, sequence } = event;
  const isLively = !KEEPS_ENDED.test(type);
  const counted: Transcript = {
    ...transcript,
    cursor: Math.max(cursor, sequence ?? 0),
    arrivals: arrivals + 1,
    seen: isNamed(event) ? seen.with(id, true, true) : seen,
    // A sign that the chat goes on clears an end that came before it, in whatever order the two arrive.
    ended: isLively && ended && (sequence ?? Infinity) > ended.sequence ? null : ended,
    livelySequence: isLively ? Math.max(livelySequence, sequence ?? 0) : livelySequence,
  };
  return applyByType(counted, event, nowMs, localId);
}

/** Lets go of what the clock has ended: the typing indicator and a stream that waited for a piece. */
export function applyTime(transcript: Transcript, nowMs: number): Transcript {
  const { typing, hole } = transcript;
  const quiet = typing && typing.untilMs <= nowMs ? { ...transcript, typing: null } : transcript;
  return hole && hole.dueAtMs <= nowMs ? endStreams(quiet, 'timeout', nowMs, hole.messageId) : quiet;
}

/** The next moment `applyTime` has something to do; infinite for none. */
export function transcriptDeadlineMs({ typing, hole }: Transcript): number {
  return Math.min(typing?.untilMs ?? Infinity, hole?.dueAtMs ?? Infinity);
}
