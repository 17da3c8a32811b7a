import { LIMITS, type ServerEventOf } from '../../protocol/index.ts';
import type { Speaker } from '../chat-state.ts';
import {
  type AssemblyOutput,
  type AssemblyStep,
  addChunk,
  addWhole,
  type FlushReason,
  flushStreams,
  isWaitingForHole,
  type MessageContent,
} from './assemble-chunks.ts';
import { findEntry, putEntry, removeEntry } from './entries.ts';
import { NOBODY, resolveSpeaker } from './presence.ts';
import { toAttachments, toCallActions } from './to-item.ts';
import type { Author, Entry, EventContext, Transcript } from './transcript-state.ts';

type ChunkEvent = ServerEventOf<'EVENT_TYPE_AGENT_MESSAGE_CHUNK'>;
type WholeEvent = ServerEventOf<'EVENT_TYPE_AGENT_MESSAGE'> | ServerEventOf<'EVENT_TYPE_LIVE_AGENT_MESSAGE'>;

/** Who said a message that came in one piece, and when. */
interface Source {
  readonly kind: Speaker['kind'];
  readonly author: Author;
  readonly contentSequence: number;
}

const keyOf = (messageId: string): string => `agent:${messageId}`;

const contentOf = ({ payload }: ChunkEvent | WholeEvent): MessageContent => ({
  text: payload.text,
  attachments: payload.attachments,
  suggestions: payload.response_suggestions,
  callActions: payload.chat_call_actions,
});

/** Claims a place for a message; the earliest claim stands, and an entry already shown moves there. */
function claimPlace(
  transcript: Transcript,
  messageId: string,
  event: ChunkEvent | WholeEvent,
  nowMs: number,
): Transcript {
  const { places, entries, presence, cursor, arrivals } = transcript;
  const sequence = event.sequence ?? cursor;
  const known = places.get(messageId);
  if (known && known.sequence <= sequence) return transcript;
  const place = { sequence, arrival: known?.arrival ?? arrivals, atMs: event.timestampMs ?? nowMs };
  const shown = findEntry(entries, keyOf(messageId));
  return {
    ...transcript,
    places: new Map(places).set(messageId, place),
    entries:
      shown?.item.kind === 'agent'
        ? putEntry(entries, {
            ...shown,
            sequence,
            item: {
              ...shown.item,
              atMs: place.atMs,
              speaker: resolveSpeaker(presence, shown.item.speaker.kind, shown.author, sequence),
            },
          })
        : entries,
  };
}

function toEntry(
  { presence, entries, places }: Transcript,
  output: Exclude<AssemblyOutput, { kind: 'discard' }>,
  source: Source | null,
): Entry | null {
  const key = keyOf(output.messageId);
  const known = findEntry(entries, key);
  const place = places.get(output.messageId);
  if (!place) return null;
  const { sequence, arrival, atMs } = place;
  const kind = source?.kind ?? (known?.item.kind === 'agent' ? known.item.speaker.kind : 'agent');
  const author = source?.author ?? known?.author ?? NOBODY;
  const isStreaming = output.kind === 'partial';
  const { text } = output;
  const attachments = isStreaming ? [] : toAttachments(output.attachments);
  const callActions = isStreaming ? [] : toCallActions(output.callActions);
  const suggestions = isStreaming
    ? []
    : output.suggestions.filter((one) => one.message_text).map((one) => ({ text: one.message_text }));
  if (!text && attachments.length + callActions.length + suggestions.length === 0) return null;
  const speaker = resolveSpeaker(presence, kind, author, sequence);
  return {
    item: { kind: 'agent', key, speaker, text, isStreaming, atMs, attachments, callActions },
    sequence,
    arrival,
    contentSequence: source?.contentSequence ?? sequence,
    author,
    suggestions,
  };
}

/** Puts what the assembler made visible into the transcript, and watches for a missing piece. Source: ASM-6, ASM-14. */
function show(
  transcript: Transcript,
  { assembly, outputs }: AssemblyStep,
  { countsAsUnread, nowMs }: EventContext,
  messageId: string | null,
  source: Source | null = null,
): Transcript {
  const { hole } = transcript;
  let { entries, unread } = transcript;
  for (const output of outputs) {
    const entry = output.kind === 'discard' ? null : toEntry({ ...transcript, entries }, output, source);
    entries = entry ? putEntry(entries, entry) : removeEntry(entries, keyOf(output.messageId));
    if (entry && countsAsUnread && output.kind === 'final' && output.reason !== 'replaced') unread += 1;
  }
  const waiting = [messageId, hole?.messageId].find((id) => id && isWaitingForHole(assembly, id));
  return {
    ...transcript,
    assembly,
    entries,
    unread,
    hole: waiting
      ? {
          messageId: waiting,
          dueAtMs: waiting === hole?.messageId ? hole.dueAtMs : nowMs + LIMITS.chunkHoleMs,
        }
      : null,
  };
}

/** One piece of a streamed message. */
export function applyChunk(transcript: Transcript, event: ChunkEvent, context: EventContext): Transcript {
  const { message_id: messageId, chunk_index: index, is_complete: isComplete } = event.payload;
  const placed = claimPlace(transcript, messageId, event, context.nowMs);
  const step = addChunk(placed.assembly, { messageId, index, isComplete, ...contentOf(event) });
  return show(placed, step, context, messageId);
}

/** A message in one piece. An older wording than the one shown changes nothing but the place. Source: DUP-5, ASM-12. */
export function applyWholeMessage(
  transcript: Transcript,
  event: WholeEvent,
  kind: Speaker['kind'],
  author: Author,
  context: EventContext,
): Transcript {
  const messageId = event.payload.message_id || `#${event.id || transcript.arrivals}`;
  const contentSequence = event.sequence ?? transcript.cursor;
  const placed = claimPlace(transcript, messageId, event, context.nowMs);
  const shown = findEntry(placed.entries, keyOf(messageId));
  const isOlder =
    placed.assembly.get(messageId)?.status === 'whole' && shown && shown.contentSequence > contentSequence;
  if (isOlder) return placed;
  const step = addWhole(placed.assembly, messageId, contentOf(event));
  return show(placed, step, context, messageId, { kind, author, contentSequence });
}

/** Finalises open streams, all or one that waits for a piece. Source: ASM-6, ASM-8. */
export function endStreams(
  transcript: Transcript,
  reason: FlushReason,
  context: EventContext,
  messageId: string | null = null,
): Transcript {
  return show(transcript, flushStreams(transcript.assembly, reason, messageId), context, messageId);
}
