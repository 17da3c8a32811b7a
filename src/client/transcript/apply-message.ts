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
} from './assemble-chunks.ts';
import { claimPlace, putEntry, removeEntry } from './entries.ts';
import { NOBODY } from './presence.ts';
import { toAttachments, toCallActions } from './to-item.ts';
import type { Author, Entry, Transcript } from './transcript-state.ts';

type ChunkEvent = ServerEventOf<'EVENT_TYPE_AGENT_MESSAGE_CHUNK'>;
type WholeEvent = ServerEventOf<'EVENT_TYPE_AGENT_MESSAGE'> | ServerEventOf<'EVENT_TYPE_LIVE_AGENT_MESSAGE'>;

/** Who said a message, and with which event. */
interface Source {
  readonly kind: Speaker['kind'];
  readonly author: Author;
  readonly contentSequence: number;
}

/** Pieces name no author, and any message in one piece replaces them. */
const STREAM: Source = { kind: 'agent', author: NOBODY, contentSequence: 0 };

const keyOf = (messageId: string): string => `agent:${messageId}`;

/** Null for a message of which nothing can be rendered. */
function toEntry(
  output: Exclude<AssemblyOutput, { kind: 'discard' }>,
  { kind, author, contentSequence }: Source,
): Entry | null {
  const { text } = output;
  const attachments = toAttachments(output.attachments);
  const callActions = toCallActions(output.chat_call_actions);
  const suggestions = output.response_suggestions.flatMap(({ message_text }) =>
    message_text ? { text: message_text } : [],
  );
  return text || attachments.length + callActions.length + suggestions.length > 0
    ? {
        item: {
          kind: 'agent',
          key: keyOf(output.messageId),
          speaker: { kind, ...author },
          text,
          isStreaming: output.kind === 'partial',
          atMs: 0,
          attachments,
          callActions,
        },
        sequence: 0,
        arrival: 0,
        contentSequence,
        author,
        suggestions,
      }
    : null;
}

/**
 * Puts what the assembler made visible into the transcript, and watches for a missing piece. Of a message that `isNew`
 * nothing was known before. Source: ASM-6, ASM-14.
 */
function show(
  transcript: Transcript,
  { assembly, outputs }: AssemblyStep,
  nowMs: number,
  messageId: string | null,
  isNew = false,
  source: Source = STREAM,
): Transcript {
  let next = transcript;
  let { unread } = transcript;
  for (const output of outputs) {
    const entry = output.kind === 'discard' ? null : toEntry(output, source);
    next = entry
      ? putEntry(next, entry, isNew && output.messageId === messageId)
      : removeEntry(next, keyOf(output.messageId));
    if (entry && output.kind === 'final' && output.reason !== 'replaced') unread += 1;
  }
  const known = transcript.hole;
  const waiting = [messageId, known?.messageId].find((id) => id && isWaitingForHole(assembly, id));
  const hole = waiting ? { messageId: waiting, dueAtMs: nowMs + LIMITS.chunkHoleMs } : null;
  return { ...next, unread, assembly, hole: known && waiting === known.messageId ? known : hole };
}

/** One piece of a streamed message. */
export function applyChunk(transcript: Transcript, event: ChunkEvent, nowMs: number): Transcript {
  const { message_id: messageId } = event.payload;
  const placed = claimPlace(transcript, keyOf(messageId), event, nowMs);
  const isNew = placed.places.size > transcript.places.size;
  return show(placed, addChunk(placed.assembly, event.payload), nowMs, messageId, isNew);
}

/** A message in one piece. Source: DUP-5, ASM-12. */
export function applyWholeMessage(
  transcript: Transcript,
  event: WholeEvent,
  kind: Speaker['kind'],
  author: Author,
  nowMs: number,
): Transcript {
  const messageId = event.payload.message_id || `#${event.id || transcript.arrivals}`;
  const placed = claimPlace(transcript, keyOf(messageId), event, nowMs);
  const contentSequence = event.sequence ?? transcript.cursor;
  const step = addWhole(placed.assembly, messageId, event.payload);
  const isNew = placed.places.size > transcript.places.size;
  return show(placed, step, nowMs, messageId, isNew, { kind, author, contentSequence });
}

/** Finalises open streams, all or one that waits for a piece. Source: ASM-6, ASM-8. */
export function endStreams(
  transcript: Transcript,
  reason: FlushReason,
  nowMs: number,
  messageId: string | null = null,
): Transcript {
  return show(transcript, flushStreams(transcript.assembly, reason, messageId), nowMs, messageId);
}
