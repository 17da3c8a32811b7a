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
import { resolveSpeaker } from './presence.ts';
import { toAttachments, toCallActions } from './to-item.ts';
import type { Author, Entry, EventContext, Place, Transcript } from './transcript-state.ts';

type ChunkEvent = ServerEventOf<'EVENT_TYPE_AGENT_MESSAGE_CHUNK'>;
type WholeEvent = ServerEventOf<'EVENT_TYPE_AGENT_MESSAGE'> | ServerEventOf<'EVENT_TYPE_LIVE_AGENT_MESSAGE'>;

/** Who speaks, and with what an output's content came. */
interface Source {
  readonly kind: Speaker['kind'];
  readonly author: Author;
  readonly contentSequence: number;
}

const NOBODY: Author = { id: null, name: null, avatarUrl: null };

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
  const sequence = event.sequence ?? transcript.cursor;
  const known = transcript.places.get(messageId);
  if (known && known.sequence <= sequence) return transcript;
  const place: Place = {
    sequence,
    arrival: known?.arrival ?? transcript.arrivals,
    atMs: event.timestampMs ?? nowMs,
  };
  const shown = findEntry(transcript.entries, keyOf(messageId));
  const entries = shown
    ? putEntry(transcript.entries, moveEntry(transcript, shown, place))
    : transcript.entries;
  return { ...transcript, places: new Map(transcript.places).set(messageId, place), entries };
}

function moveEntry({ presence }: Transcript, entry: Entry, { sequence, arrival, atMs }: Place): Entry {
  const { item, author } = entry;
  const moved =
    item.kind === 'agent' && author
      ? { ...item, atMs, speaker: resolveSpeaker(presence, item.speaker.kind, author, sequence) }
      : item;
  return { ...entry, sequence, arrival, item: moved };
}

function toEntry(
  transcript: Transcript,
  output: Exclude<AssemblyOutput, { kind: 'discard' }>,
  source: Source | null,
): Entry | null {
  const key = keyOf(output.messageId);
  const known = findEntry(transcript.entries, key);
  const place = transcript.places.get(output.messageId);
  const kind = source?.kind ?? (known?.item.kind === 'agent' ? known.item.speaker.kind : 'agent');
  const author = source?.author ?? known?.author ?? NOBODY;
  if (!place) return null;
  const isPartial = output.kind === 'partial';
  const attachments = isPartial ? [] : toAttachments(output.attachments);
  const callActions = isPartial ? [] : toCallActions(output.callActions);
  const suggestions = isPartial
    ? []
    : output.suggestions
        .map(({ message_text }) => ({ text: message_text }))
        .filter(({ text }) => text !== '');
  const isEmpty = output.text === '' && attachments.length + callActions.length + suggestions.length === 0;
  if (isEmpty) return null;
  return {
    item: {
      kind: 'agent',
      key,
      speaker: resolveSpeaker(transcript.presence, kind, author, place.sequence),
      text: output.text,
      isStreaming: isPartial,
      atMs: place.atMs,
      attachments,
      callActions,
    },
    sequence: place.sequence,
    arrival: place.arrival,
    contentSequence: source?.contentSequence ?? known?.contentSequence ?? place.sequence,
    author,
    suggestions,
  };
}

/** Puts what the assembler made visible into the transcript. Source: ASM-14. */
function show(
  transcript: Transcript,
  { assembly, outputs }: AssemblyStep,
  source: (output: AssemblyOutput) => Source | null,
  { countsAsUnread }: EventContext,
): Transcript {
  let { entries, unread } = transcript;
  for (const output of outputs) {
    const key = keyOf(output.messageId);
    const entry =
      output.kind === 'discard' ? null : toEntry({ ...transcript, entries }, output, source(output));
    if (!entry) {
      entries = removeEntry(entries, key);
      continue;
    }
    entries = putEntry(entries, entry);
    if (countsAsUnread && output.kind === 'final' && output.reason !== 'replaced') unread += 1;
  }
  return { ...transcript, assembly, entries, unread };
}

/** Starts and stops the clocks of streams that wait for a missing piece. Source: ASM-6. */
function watchHoles(transcript: Transcript, messageIds: Iterable<string>, nowMs: number): Transcript {
  const holes = new Map(transcript.holes);
  for (const messageId of messageIds) {
    if (!isWaitingForHole(transcript.assembly, messageId)) holes.delete(messageId);
    else if (!holes.has(messageId)) holes.set(messageId, nowMs + LIMITS.chunkHoleMs);
  }
  return holes.size === 0 && transcript.holes.size === 0 ? transcript : { ...transcript, holes };
}

/** One piece of a streamed message. */
export function applyChunk(transcript: Transcript, event: ChunkEvent, context: EventContext): Transcript {
  const { message_id: messageId, chunk_index: index, is_complete: isComplete } = event.payload;
  const placed = claimPlace(transcript, messageId, event, context.nowMs);
  const step = addChunk(placed.assembly, { messageId, index, isComplete, ...contentOf(event) });
  const contentSequence = event.sequence ?? placed.cursor;
  const source = (output: AssemblyOutput): Source | null =>
    output.messageId === messageId ? { kind: 'agent', author: NOBODY, contentSequence } : null;
  const shown = show(placed, step, source, context);
  return watchHoles(shown, [messageId, ...shown.holes.keys()], context.nowMs);
}

/** A message in one piece. An older wording than the one shown changes nothing but the place. Source: DUP-5, ASM-12. */
export function applyWholeMessage(
  transcript: Transcript,
  event: WholeEvent,
  author: Author,
  context: EventContext,
): Transcript {
  const messageId = event.payload.message_id || `#${event.id || transcript.arrivals}`;
  const contentSequence = event.sequence ?? transcript.cursor;
  const shown = findEntry(transcript.entries, keyOf(messageId));
  const placed = claimPlace(transcript, messageId, event, context.nowMs);
  const isOlder =
    transcript.assembly.get(messageId)?.status === 'whole' &&
    shown !== null &&
    shown.contentSequence > contentSequence;
  if (isOlder) return placed;
  const kind = event.type === 'EVENT_TYPE_LIVE_AGENT_MESSAGE' ? 'live_agent' : 'agent';
  const step = addWhole(placed.assembly, messageId, contentOf(event));
  return watchHoles(
    show(placed, step, () => ({ kind, author, contentSequence }), context),
    [messageId],
    context.nowMs,
  );
}

/** Finalises open streams. Source: ASM-6, ASM-8. */
export function endStreams(
  transcript: Transcript,
  reason: FlushReason,
  context: EventContext,
  messageId: string | null = null,
): Transcript {
  const step = flushStreams(transcript.assembly, reason, messageId);
  const shown = show(transcript, step, () => null, context);
  return watchHoles(shown, [...shown.holes.keys()], context.nowMs);
}
