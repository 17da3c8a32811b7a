import type { ServerPayloads, WireAttachment } from '../../protocol/index.ts';
import { type AppendMap, createAppendMap } from './append-map.ts';

/** A piece of a streamed message, as on the wire; without an index it takes the next free one (ASM-2). */
type Chunk = ServerPayloads['EVENT_TYPE_AGENT_MESSAGE_CHUNK'];

/** What a message holds besides its id, as on the wire. */
export type MessageContent = Pick<
  Chunk,
  'text' | 'attachments' | 'response_suggestions' | 'chat_call_actions'
>;

export interface Stream {
  /** By index, in order of arrival. */
  readonly chunks: AppendMap<number, MessageContent>;
  readonly highest: number;
  /** The text of the unbroken run from the first index on, and the index that it waits for. Source: ASM-4. */
  readonly text: string;
  readonly next: number;
  readonly finalIndex: number | null;
  readonly status: 'open' | 'final' | 'whole';
}

/** Streams by message id. At most one is open (ASM-7), and only that one changes with every chunk. */
export interface Assembly {
  readonly open: { readonly messageId: string; readonly stream: Stream } | null;
  readonly closed: AppendMap<string, Stream>;
}

export const EMPTY_ASSEMBLY: Assembly = { open: null, closed: createAppendMap() };

export type FlushReason = 'timeout' | 'switched' | 'session_end' | 'closed';
type FinalReason = FlushReason | 'complete' | 'replaced' | 'whole';

/** What became visible. Source: messaging.md 9. */
export type AssemblyOutput =
  | ({ readonly kind: 'partial' | 'update'; readonly messageId: string } & MessageContent)
  | ({ readonly kind: 'final'; readonly messageId: string; readonly reason: FinalReason } & MessageContent)
  | { readonly kind: 'discard'; readonly messageId: string };

export interface AssemblyStep {
  readonly assembly: Assembly;
  readonly outputs: readonly AssemblyOutput[];
}

/** While a message is being written only its text is shown. */
const TEXT_ONLY = { attachments: [], response_suggestions: [], chat_call_actions: [] } as const;

const EMPTY_STREAM: Stream = {
  chunks: createAppendMap(),
  highest: 0,
  text: '',
  next: 1,
  finalIndex: null,
  status: 'open',
};

/** Chunks of a whole message are never looked at again. */
const WHOLE_STREAM: Stream = { ...EMPTY_STREAM, status: 'whole' };

export function findStream({ open, closed }: Assembly, messageId: string): Stream | undefined {
  return open?.messageId === messageId ? open.stream : closed.get(messageId);
}

function putStream({ open, closed }: Assembly, messageId: string, stream: Stream, isNew = false): Assembly {
  return stream.status === 'open'
    ? { open: { messageId, stream }, closed }
    : {
        open: open?.messageId === messageId ? null : open,
        closed: closed.with(messageId, stream, isNew),
      };
}

/** The first index: 1, or 0 for a stream in which one was seen. Source: ASM-2. */
const baseOf = ({ chunks }: Pick<Stream, 'chunks'>): number => (chunks.has(0) ? 0 : 1);

/** True while an index below the last one is missing. */
export const hasHole = (stream: Stream): boolean =>
  stream.chunks.size <= (stream.finalIndex ?? stream.highest) - baseOf(stream);

/** True for a stream whose end is known while a piece is missing. Source: ASM-6. */
export function isWaitingForHole({ open }: Assembly, messageId: string): boolean {
  return open?.messageId === messageId && open.stream.finalIndex !== null && hasHole(open.stream);
}

const distinct = <Item>(items: readonly Item[]): readonly Item[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];

/** In index order; of one address the attachment that arrived first. Source: ASM-11. */
function collect({ chunks }: Stream): MessageContent {
  const arrived = chunks.entries().flatMap(([, { attachments }]) => attachments);
  const isFirst = (one: WireAttachment): boolean =>
    one.content_url === null || arrived.find(({ content_url }) => content_url === one.content_url) === one;
  const ordered = chunks
    .entries()
    .toSorted(([a], [b]) => a - b)
    .map(([, chunk]) => chunk);
  return {
    text: ordered.map(({ text }) => text).join(''),
    attachments: ordered.flatMap(({ attachments }) => attachments).filter(isFirst),
    response_suggestions: distinct(ordered.flatMap((chunk) => chunk.response_suggestions)),
    chat_call_actions: distinct(ordered.flatMap((chunk) => chunk.chat_call_actions)),
  };
}

/** Nothing to show is nothing to keep. Source: AM-1, ASM-10. */
function finalise(messageId: string, content: MessageContent, reason: FinalReason): AssemblyOutput {
  const { text, attachments, response_suggestions, chat_call_actions } = content;
  return text || attachments.length + response_suggestions.length + chat_call_actions.length > 0
    ? { kind: 'final', messageId, ...content, reason }
    : { kind: 'discard', messageId };
}

/** Finalises the open stream, or only one that waits. Source: ASM-6, ASM-7, ASM-8. */
export function flushStreams(
  assembly: Assembly,
  reason: FlushReason,
  messageId: string | null = null,
): AssemblyStep {
  const { open } = assembly;
  const isMeant =
    messageId === null || (open?.messageId === messageId && isWaitingForHole(assembly, messageId));
  return open && isMeant
    ? {
        assembly: putStream(assembly, open.messageId, { ...open.stream, status: 'final' }),
        outputs: [finalise(open.messageId, collect(open.stream), reason)],
      }
    : { assembly, outputs: [] };
}

/** Takes a chunk into a stream; null when it brings nothing new. Source: ASM-3, ASM-5. */
function accept(stream: Stream, chunk: Chunk): Stream | null {
  const { chunk_index: given, is_complete: isComplete } = chunk;
  const index = given !== null && given >= 0 ? given : stream.highest + 1;
  if (index > (stream.finalIndex ?? Infinity) || stream.chunks.has(index)) return null;
  const finalIndex = stream.finalIndex ?? (isComplete ? index : null);
  const grown = stream.chunks.with(index, chunk);
  // What came before the end was known, and lies beyond it, is no part of the message.
  const isCut = finalIndex !== null && stream.highest > finalIndex;
  const chunks = isCut ? createAppendMap(grown.entries().filter(([known]) => known <= finalIndex)) : grown;
  let { text, next } = isCut || index === 0 ? { text: '', next: baseOf({ chunks }) } : stream;
  for (let piece = chunks.get(next); piece; piece = chunks.get(next)) {
    text += piece.text;
    next += 1;
  }
  const highest = isCut ? finalIndex : Math.max(stream.highest, index);
  return { ...stream, chunks, highest, text, next, finalIndex };
}

/** One piece of a streamed message. Source: messaging.md 9. */
export function addChunk(assembly: Assembly, chunk: Chunk): AssemblyStep {
  const { message_id: messageId } = chunk;
  const known = findStream(assembly, messageId);
  const switched = known ? { assembly, outputs: [] } : flushStreams(assembly, 'switched');
  const before = known ?? EMPTY_STREAM;
  const stream = before.status === 'whole' ? null : accept(before, chunk);
  if (!stream) return switched;

  const outputs = [...switched.outputs];
  const isDone = stream.finalIndex !== null && !hasHole(stream);
  const { text } = stream;
  if (before.status === 'final') outputs.push({ kind: 'update', messageId, ...collect(stream) });
  else if (isDone) outputs.push(finalise(messageId, collect(stream), 'complete'));
  else if (text !== before.text) outputs.push({ kind: 'partial', messageId, text, ...TEXT_ONLY });
  const next: Stream = isDone ? { ...stream, status: 'final' } : stream;
  return { assembly: putStream(switched.assembly, messageId, next), outputs };
}

/** A message in one piece; from now on chunks of its id mean nothing. Source: ASM-12. */
export function addWhole(assembly: Assembly, messageId: string, content: MessageContent): AssemblyStep {
  const isNew = !findStream(assembly, messageId);
  return {
    assembly: putStream(assembly, messageId, WHOLE_STREAM, isNew),
    outputs: [finalise(messageId, content, isNew ? 'whole' : 'replaced')],
  };
}
