import type { ServerPayloads } from '../../../protocol/index.ts';
import type { Speaker } from '../../chat-state.ts';
import { type AssemblyStep, addChunk, addWhole, flushStream, stopStream } from './assemble-chunks.ts';
import { putEntry, removeEntry, setPosition } from './entries.ts';
import { hasContent } from './has-content.ts';
import { UNKNOWN_AGENT } from './presence.ts';
import { toContent } from './to-content.ts';
import type { MessagePosition, Transcript } from './transcript-state.ts';

type MessagePayload = ServerPayloads[
  | 'EVENT_TYPE_AGENT_MESSAGE'
  | 'EVENT_TYPE_AGENT_MESSAGE_CHUNK'
  | 'EVENT_TYPE_LIVE_AGENT_MESSAGE'];

const keyOf = (messageId: string): string => `agent:${messageId}`;

/** Applies the assembler's output to the transcript; chunks name no author, and any whole message replaces them. */
function show(
  transcript: Transcript,
  { assembly, outputs }: AssemblyStep,
  author: Speaker = UNKNOWN_AGENT,
  contentSequence = 0,
): Transcript {
  let next: Transcript = { ...transcript, assembly };
  for (const { kind, messageId, content, isStopped } of outputs) {
    const key = keyOf(messageId);
    const { suggestions, ...shown } = content;
    const isStreaming = kind === 'partial';
    const item = {
      kind: 'agent',
      key,
      messageId: messageId.startsWith('#') ? '' : messageId,
      speaker: author,
      isStreaming,
      ...(isStopped && { isStopped }),
      atMs: 0,
      ...shown,
    } as const;
    next =
      kind === 'discard'
        ? removeEntry(next, key)
        : putEntry(next, { item, sequence: 0, contentSequence, author, suggestions });
    if (kind === 'final' && hasContent(item)) next = { ...next, unread: next.unread + 1 };
  }
  return next;
}

/** Applies a whole message or a chunk; `name` is used for one without an id. Source: DUP-5, ASM-12. */
export function applyMessage(
  transcript: Transcript,
  payload: MessagePayload,
  name: string,
  position: MessagePosition,
  nowMs: number,
  author: Speaker,
  isStopped = false,
): Transcript {
  const isPiece = 'chunk_index' in payload;
  const messageId = payload.message_id || (isPiece ? '' : `#${name}`);
  const placed = setPosition(transcript, keyOf(messageId), position);
  const { assembly } = placed;
  const content = toContent(payload);
  return isPiece
    ? show(placed, addChunk(assembly, { ...payload, isStopped }, content, nowMs))
    : show(placed, addWhole(assembly, messageId, content), author, position.sequence);
}

/** Finalises the open stream; with a time, only one that has waited for a chunk until then. Source: ASM-6, ASM-8. */
export function endStream(transcript: Transcript, nowMs?: number): Transcript {
  return show(transcript, flushStream(transcript.assembly, nowMs));
}

/** Ends the open stream with its shown part, because the visitor stopped it. Source: EXT-4, EXT-6. */
export function hideRest(transcript: Transcript): Transcript {
  return show(transcript, stopStream(transcript.assembly));
}
