import {
  CANCELLED_BY_USER,
  clientEventIdOf,
  extensionsOf,
  type ServerEvent,
  type ServerEventOf,
  type ServerEventType,
  STOPPED_KEY,
} from '../../../protocol/index.ts';
import type { Speaker, SystemNotice, TranscriptItem } from '../../chat-state.ts';
import { append, lookUp } from './append-map.ts';
import { applyFeedback } from './apply-feedback.ts';
import { applyMessage, endStream } from './apply-message.ts';
import { type Arrival, isNamed, toArrival } from './arrival.ts';
import { placeEntry, putEntry, setPosition } from './entries.ts';
import { isSilentError } from './is-silent-error.ts';
import { resolveSpeaker, selectSpeaker, UNKNOWN_AGENT } from './presence.ts';
import { stripEnumPrefix } from './strip-enum-prefix.ts';
import type { Ended, Entry, MessagePosition, Transcript } from './transcript-state.ts';

/** How long the typing indicator lasts unless repeated. Source: IND-1. */
const TYPING_MS = 10_000;

const ENDED_BY: ReadonlyMap<string | null, Ended['by']> = new Map([
  ['REASON_USER_END', 'user'],
  ['user_ended', 'user'],
  ['REASON_USER_ABANDONED', 'inactivity'],
  ['REASON_NATURAL_END', 'agent'],
  ['agent_ended', 'agent'],
]);

/** Events that do not show that the chat is still open. Source: IND-2. */
const KEEPS_ENDED: ReadonlySet<ServerEventType> = new Set<ServerEventType>([
  'EVENT_TYPE_HEARTBEAT',
  'EVENT_TYPE_SESSION_END',
  'EVENT_TYPE_SYSTEM_MESSAGE',
  'EVENT_TYPE_LIVE_AGENT_LEFT',
]);

/** True for an event that was processed before. Source: DUP-1. */
export function isRepeat({ seen }: Transcript, event: ServerEvent): boolean {
  return isNamed(event) && lookUp(seen, event.id) === true;
}

/** Moves the cursor past an ignored event. Source: DUP-3. */
export const skipSequence = (transcript: Transcript, sequence: number | null): Transcript => ({
  ...transcript,
  cursor: Math.max(transcript.cursor, sequence ?? 0),
});

/** The end of a conversation's texts; a whole message is complete. Source: AM-2. */
interface Closing {
  readonly message_id: string;
  readonly end_conversation?: boolean;
  readonly is_complete?: boolean;
}

/** Creates an entry that is not a message of the company. */
const toEntry = (item: TranscriptItem, { sequence }: MessagePosition): Entry => ({
  item,
  sequence,
  contentSequence: sequence,
});

function notePresence(
  transcript: Transcript,
  { sequence }: MessagePosition,
  kind: Speaker['kind'],
  speaker: Speaker | null,
): Transcript {
  const presence = [...transcript.presence, { sequence, kind, speaker }];
  // At its position, so that late arrivals change only the past.
  const next = { ...transcript, presence: presence.sort((a, b) => a.sequence - b.sequence) };
  // A late join adds the name to messages that were waiting for it.
  const complete = (entry: Entry): Entry => (entry.sequence < sequence ? entry : placeEntry(next, entry));
  return { ...next, entries: next.entries.map(complete) };
}

/** Ends the chat as of `sequence`, unless something later is known. Source: IND-2. */
const end = (transcript: Transcript, by: Ended['by'], { sequence }: MessagePosition): Transcript =>
  sequence >= Math.max(transcript.lastActivitySequence, transcript.ended?.sequence ?? 0)
    ? { ...transcript, ended: { by, sequence } }
    : transcript;

/** Closes the survey after its time limit; a given answer stays. */
export const closeSurvey = (transcript: Transcript): Transcript =>
  transcript.survey?.status === 'open' ? { ...transcript, survey: null } : transcript;

/** Applies the parts of an event that all types share. */
function count(transcript: Transcript, event: ServerEvent): Transcript {
  const { arrivals, seen, ended, lastActivitySequence } = transcript;
  const counted = { ...skipSequence(transcript, event.sequence), arrivals: arrivals + 1 };
  const sequence = event.sequence ?? counted.cursor;
  const isActivity = !KEEPS_ENDED.has(event.type);
  return {
    ...counted,
    seen: isNamed(event) ? append(seen, event.id, true) : seen,
    // Evidence that the chat is open clears an earlier end, in either order of arrival.
    ended: isActivity && ended && sequence >= ended.sequence ? null : ended,
    lastActivitySequence: isActivity ? Math.max(lastActivitySequence, sequence) : lastActivitySequence,
  };
}

/** Adds a notice line. Source: IND-4. */
const addNotice = (transcript: Transcript, { name, position }: Arrival, notice: SystemNotice): Transcript =>
  putEntry(
    transcript,
    toEntry({ kind: 'system', key: `system:${name}`, atMs: position.atMs, notice }, position),
  );

const hideTyping = (transcript: Transcript): Transcript => ({ ...transcript, typing: null });
const leaveQueue = (transcript: Transcript): Transcript => ({
  ...transcript,
  typing: null,
  queue: null,
  isWaitingForPerson: false,
});

const showTyping = (transcript: Transcript, speaker: Speaker, nowMs: number): Transcript => ({
  ...transcript,
  typing: { speaker, untilMs: nowMs + TYPING_MS },
});

function applySystemMessage(
  transcript: Transcript,
  { payload, sequence }: ServerEventOf<'EVENT_TYPE_SYSTEM_MESSAGE'>,
  arrival: Arrival,
): Transcript {
  const level = stripEnumPrefix('SYSTEM_MESSAGE_LEVEL_', payload.level);
  const text = payload.message.trim();
  const isError = level === 'error';
  // An error in the history is the agent's, whose answer in progress gets no final chunk (STR-3).
  const ended = isError && sequence !== null ? endStream(transcript) : transcript;
  const { missing_agent: missingAgent } = payload;
  const calm = missingAgent ? { ...ended, missingAgent } : ended;
  const last = transcript.entries.at(-1)?.item;
  // Shows an error once if it arrives twice in a row.
  const isShown =
    sequence === null && last?.kind === 'system' && 'text' in last.notice && last.notice.text === text;
  return text && !isShown && !(isError && isSilentError(text))
    ? addNotice(calm, arrival, { code: 'platform_message', level, text })
    : calm;
}

function applyUserMessage(
  transcript: Transcript,
  { payload, custom }: ServerEventOf<'EVENT_TYPE_USER_MESSAGE'>,
  { name, position }: Arrival,
  localId: string | null,
): Transcript {
  // One bubble per draft and per message; the echo contains either id (DEL-2, DUP-5).
  const key = `user:${localId ?? clientEventIdOf(custom) ?? (payload.message_id || name)}`;
  const delivery = { status: 'sent' } as const;
  const item = { kind: 'user', key, text: payload.text, atMs: position.atMs, delivery, localId } as const;
  return putEntry(setPosition(transcript, key, position), toEntry(item, position));
}

function applyJoin(transcript: Transcript, arrival: Arrival): Transcript {
  const { position, kind, author } = arrival;
  const joined = notePresence(leaveQueue(transcript), position, kind, author);
  const hasAgentJoined = joined.hasAgentJoined || kind === 'agent';
  const next = { ...joined, hasAgentJoined, missingAgent: null };
  return addNotice(next, arrival, { code: `${kind}_joined`, name: author.name });
}

function applyLeave(
  transcript: Transcript,
  arrival: Arrival,
  { next_name: nextName }: { readonly reason: string | null; readonly next_name?: string | undefined },
): Transcript {
  const { position, kind, author } = arrival;
  const { name } = resolveSpeaker(transcript.presence, author, position.sequence);
  return addNotice(notePresence(hideTyping(transcript), position, kind, null), arrival, {
    code: `${kind}_left`,
    name,
    nextName,
  });
}

/** No notice here, because the end follows the answer to the survey and says who ended the chat. */
function openSurvey(
  transcript: Transcript,
  { payload }: ServerEventOf<'EVENT_TYPE_SHOW_CSAT_REQUEST'>,
  position: MessagePosition,
): Transcript {
  const { survey_id: id, title, question, scale = 'faces' } = payload;
  const canComment = transcript.extensions.includes('survey_comment');
  const survey = { id, title, question, scale, canComment, status: 'open' } as const;
  return end({ ...leaveQueue(transcript), survey }, 'agent', position);
}

/** Applies a whole message, or a chunk of one. */
function applyAnswer(
  transcript: Transcript,
  {
    payload,
    custom,
  }: ServerEventOf<
    'EVENT_TYPE_AGENT_MESSAGE' | 'EVENT_TYPE_AGENT_MESSAGE_CHUNK' | 'EVENT_TYPE_LIVE_AGENT_MESSAGE'
  >,
  { name, position, author }: Arrival,
  nowMs: number,
): Transcript {
  const { end_conversation: isEnd, is_complete: isComplete = true }: Closing = payload;
  const isStopped = custom?.[STOPPED_KEY] === 'true';
  const shown = applyMessage(hideTyping(transcript), payload, name, position, nowMs, author, isStopped);
  return isEnd && isComplete ? end(shown, 'agent', position) : shown;
}

/** Applies events of the handoff from the automated agent to a person; other events change nothing. */
function applyHandoff(transcript: Transcript, event: ServerEvent, arrival: Arrival): Transcript {
  const quiet = hideTyping(transcript);
  const alone = leaveQueue(transcript);
  switch (event.type) {
    case 'EVENT_TYPE_AGENT_TRIGGERED_HANDOFF': {
      const { desk_hours: hours } = event.payload;
      const notice = { code: 'handoff_started', ...(hours && { hours }) } as const;
      return addNotice({ ...quiet, isWaitingForPerson: true }, arrival, notice);
    }
    case 'EVENT_TYPE_HANDOFF_ACCEPTED':
      return addNotice(quiet, arrival, { code: 'handoff_accepted', queueName: event.payload.queue_name });
    case 'EVENT_TYPE_HANDOFF_QUEUE_STATUS': {
      const {
        queue_name: queueName,
        position_in_queue: position,
        estimated_wait_seconds: estimatedWaitSeconds,
        display_message: message,
      } = event.payload;
      return { ...quiet, queue: { queueName, position, estimatedWaitSeconds, message } };
    }
    case 'EVENT_TYPE_CLIENT_HANDOFF_REQUIRED': {
      const { route, reason } = event.payload;
      const waiting = { ...alone, isWaitingForPerson: true };
      return addNotice(waiting, arrival, { code: 'handoff_required', route: route ?? reason });
    }
    case 'EVENT_TYPE_HANDOFF_FAILED': {
      const { reason } = event.payload;
      if (reason === CANCELLED_BY_USER) return addNotice(alone, arrival, { code: 'handoff_cancelled' });
      return addNotice(alone, arrival, { code: 'handoff_failed', ...(reason && { reason }) });
    }
    case 'EVENT_TYPE_HANDOFF_TIMEOUT':
      return addNotice(alone, arrival, { code: 'handoff_timed_out' });
    default:
      return transcript;
  }
}

/**
 * Returns the transcript after one new event; `localId` identifies our draft that an echo confirms. Unknown types only
 * move the cursor. Source: messaging.md 13.3 and 13.4.
 */
export function applyEvent(
  before: Transcript,
  event: ServerEvent,
  nowMs: number,
  localId: string | null = null,
): Transcript {
  const transcript = count(before, event);
  const arrival = toArrival(transcript, event, nowMs);
  const { position, author } = arrival;
  switch (event.type) {
    case 'EVENT_TYPE_SESSION_START': {
      const { capabilities, context_id: contextId } = event.payload;
      return { ...transcript, capabilities, contextId };
    }
    case 'EVENT_TYPE_SHOW_CSAT_REQUEST':
      return openSurvey(transcript, event, position);
    case 'EVENT_TYPE_SESSION_END': {
      const ended = endStream(closeSurvey(leaveQueue(transcript)));
      return end(ended, ENDED_BY.get(event.payload.reason) ?? 'platform', position);
    }
    case 'EVENT_TYPE_LANGUAGE_CHANGED': {
      const { language_code: language } = event.payload;
      return language ? addNotice(transcript, arrival, { code: 'language_changed', language }) : transcript;
    }
    case 'EVENT_TYPE_SYSTEM_MESSAGE':
      return applySystemMessage(transcript, event, arrival);
    case 'EVENT_TYPE_SESSION_IDLE_WARNING': {
      const { seconds_remaining: secondsRemaining } = event.payload;
      return addNotice(transcript, arrival, { code: 'idle_warning', secondsRemaining });
    }
    case 'EVENT_TYPE_REQUEST_AGENT_JOIN':
      // A client only names extensions that the platform offers.
      return { ...transcript, extensions: extensionsOf(event.custom) };
    case 'EVENT_TYPE_USER_MESSAGE':
      return applyUserMessage(transcript, event, arrival, localId);
    case 'EVENT_TYPE_X_FEEDBACK':
      return applyFeedback(transcript, event.payload);
    case 'EVENT_TYPE_AGENT_JOINED':
    case 'EVENT_TYPE_LIVE_AGENT_JOINED':
      return applyJoin(transcript, arrival);
    case 'EVENT_TYPE_AGENT_LEFT':
    case 'EVENT_TYPE_LIVE_AGENT_LEFT':
      return applyLeave(transcript, arrival, event.payload);
    case 'EVENT_TYPE_AGENT_THINKING':
      return showTyping(transcript, selectSpeaker(transcript.presence) ?? UNKNOWN_AGENT, nowMs);
    case 'EVENT_TYPE_LIVE_AGENT_TYPING':
      return event.payload.state === 'TYPING_STATE_STOPPED'
        ? hideTyping(transcript)
        : showTyping(transcript, resolveSpeaker(transcript.presence, author, transcript.cursor), nowMs);
    case 'EVENT_TYPE_AGENT_MESSAGE':
    case 'EVENT_TYPE_AGENT_MESSAGE_CHUNK':
    case 'EVENT_TYPE_LIVE_AGENT_MESSAGE':
      return applyAnswer(transcript, event, arrival, nowMs);
    default:
      return applyHandoff(transcript, event, arrival);
  }
}

/** Applies timeouts: of the typing indicator, and of a stream that waited for a chunk. */
export function applyTime(transcript: Transcript, nowMs: number): Transcript {
  const { typing } = transcript;
  return endStream(typing && typing.untilMs <= nowMs ? { ...transcript, typing: null } : transcript, nowMs);
}

/** The next time at which `applyTime` has an effect; infinite for none. */
export function transcriptDeadlineMs({ typing, assembly }: Transcript): number {
  return Math.min(typing?.untilMs ?? Infinity, assembly.open?.dueAtMs ?? Infinity);
}
