import { LIMITS, type ServerPayloads } from '../../../protocol/index.ts';
import type { Attachment } from '../../chat-state.ts';
import { type AppendMap, append, createAppendMap, entriesOf, lookUp } from './append-map.ts';
import type { Content } from './to-content.ts';

/** Position of a chunk; without an index it takes the next free one (ASM-2). */
type Piece = Pick<
  ServerPayloads['EVENT_TYPE_AGENT_MESSAGE_CHUNK'],
  'message_id' | 'chunk_index' | 'is_complete'
> & {
  /** The visitor has stopped the message, as the platform reports with the last chunk. Source: EXT-4. */
  readonly isStopped?: boolean;
};

/** A streamed message. */
export interface Stream {
  readonly messageId: string;
  /** By index, in order of arrival. */
  readonly chunks: AppendMap<number, Content>;
  readonly highest: number;
  /** The text of the gapless chunks from the first index on, and the next missing index. Source: ASM-4. */
  readonly text: string;
  readonly next: number;
  /** Infinite until the last chunk was seen; chunks beyond it are ignored. */
  readonly finalIndex: number;
  /** When a missing chunk is given up; infinite while none is known to be missing. Source: ASM-6. */
  readonly dueAtMs: number;
  /** Whether the visitor has stopped it. Source: EXT-4, EXT-6. */
  readonly isStopped: boolean;
}

/** Streams by message id. At most one is open (ASM-7), and only that one changes with every chunk. */
export interface Assembly {
  readonly open: Stream | null;
  readonly closed: AppendMap<string, Stream>;
}

export const EMPTY_ASSEMBLY: Assembly = { open: null, closed: createAppendMap() };

/** A visible change: a `final` message is new, an `update` changes a known one. Source: messaging.md 9. */
export interface AssemblyOutput {
  readonly kind: 'partial' | 'final' | 'update' | 'discard';
  readonly messageId: string;
  readonly content: Content;
  readonly isStopped: boolean;
}

export interface AssemblyStep {
  readonly assembly: Assembly;
  readonly outputs: readonly AssemblyOutput[];
}

const NOTHING: Content = { text: '', attachments: [], callActions: [], suggestions: [] };

const EMPTY_STREAM: Stream = {
  messageId: '',
  chunks: createAppendMap(),
  highest: 0,
  text: '',
  next: 1,
  finalIndex: Infinity,
  dueAtMs: Infinity,
  isStopped: false,
};

const find = ({ open, closed }: Assembly, messageId: string): Stream | undefined =>
  open?.messageId === messageId ? open : lookUp(closed, messageId);

const close = ({ open, closed }: Assembly, stream: Stream): Assembly => ({
  open: open?.messageId === stream.messageId ? null : open,
  closed: append(closed, stream.messageId, stream),
});

const distinct = <Item>(items: readonly Item[]): readonly Item[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];

/** In index order; of several attachments with one address the first to arrive is kept. Source: ASM-11. */
function collect({ chunks, finalIndex }: Stream): Content {
  const arrived = entriesOf(chunks).filter(([index]) => index <= finalIndex);
  const ordered = arrived.toSorted(([a], [b]) => a - b).map(([, chunk]) => chunk);
  const known = arrived.flatMap(([, { attachments }]) => attachments);
  const isFirst = (one: Attachment): boolean =>
    one.contentUrl === null || known.find(({ contentUrl }) => contentUrl === one.contentUrl) === one;
  return {
    text: ordered.map(({ text }) => text).join(''),
    attachments: ordered.flatMap(({ attachments }) => attachments).filter(isFirst),
    callActions: distinct(ordered.flatMap(({ callActions }) => callActions)),
    suggestions: distinct(ordered.flatMap(({ suggestions }) => suggestions)),
  };
}

/** Empty messages are not shown or kept. Source: AM-1, ASM-10. */
const outputOf = (
  kind: AssemblyOutput['kind'],
  { messageId, isStopped }: Stream,
  content: Content,
): AssemblyOutput => ({
  kind: Object.values(content).some(({ length }) => length) ? kind : 'discard',
  messageId,
  content,
  isStopped,
});

/**
 * Finalises the open stream; with a time, only one that has waited for a chunk until then. Source: ASM-6, ASM-7, ASM-8.
 */
export function flushStream(assembly: Assembly, nowMs: number = Infinity): AssemblyStep {
  const { open } = assembly;
  return open && open.dueAtMs <= nowMs
    ? { assembly: close(assembly, open), outputs: [outputOf('final', open, collect(open))] }
    : { assembly, outputs: [] };
}

/** Ends the open stream with its shown part; its later chunks are ignored. Source: EXT-6. */
export function stopStream(assembly: Assembly): AssemblyStep {
  const { open } = assembly;
  if (!open) return { assembly, outputs: [] };
  const stream = { ...open, finalIndex: open.next - 1, isStopped: true };
  return { assembly: close(assembly, stream), outputs: [outputOf('final', stream, collect(stream))] };
}

/** Adds a chunk to a stream; null when it adds nothing new. Source: ASM-3, ASM-5. */
function accept(
  stream: Stream,
  { chunk_index: sentIndex, is_complete: isComplete, isStopped = false }: Piece,
  content: Content,
  nowMs: number,
): Stream | null {
  const index = sentIndex !== null && sentIndex >= 0 ? sentIndex : stream.highest + 1;
  if (index > stream.finalIndex || lookUp(stream.chunks, index)) return null;
  const chunks = append(stream.chunks, index, content);
  const isEnd = isComplete && stream.finalIndex === Infinity;
  const { finalIndex, dueAtMs } = isEnd ? { finalIndex: index, dueAtMs: nowMs + LIMITS.chunkHoleMs } : stream;
  // The first index is 1, or 0 for a stream in which one was seen (ASM-2).
  let { text, next } = index === 0 ? { text: '', next: 0 } : stream;
  for (let piece = lookUp(chunks, next); piece && next <= finalIndex; piece = lookUp(chunks, next)) {
    text += piece.text;
    next += 1;
  }
  return {
    ...stream,
    chunks,
    highest: Math.max(stream.highest, index),
    text,
    next,
    finalIndex,
    dueAtMs,
    isStopped: stream.isStopped || isStopped,
  };
}

/** Adds a chunk of a streamed message. Source: messaging.md 9. */
export function addChunk(assembly: Assembly, piece: Piece, content: Content, nowMs: number): AssemblyStep {
  const { message_id: messageId } = piece;
  const known = find(assembly, messageId);
  const step = known ? { assembly, outputs: [] } : flushStream(assembly);
  const before = known ?? { ...EMPTY_STREAM, messageId };
  const stream = accept(before, piece, content, nowMs);
  if (!stream) return step;

  const { text } = stream;
  const isLate = known && known !== assembly.open;
  const isDone = isLate || stream.next > stream.finalIndex;
  const output = isDone
    ? outputOf(isLate ? 'update' : 'final', stream, collect(stream))
    : // While a message is being written only its text is shown.
      outputOf('partial', stream, { ...NOTHING, text });
  return {
    assembly: isDone ? close(step.assembly, stream) : { ...step.assembly, open: stream },
    outputs: isDone || text !== before.text ? [...step.outputs, output] : step.outputs,
  };
}

/** A message in one piece; from now on chunks of its id mean nothing. Source: ASM-12. */
export function addWhole(assembly: Assembly, messageId: string, content: Content): AssemblyStep {
  const known = find(assembly, messageId);
  // The visitor has stopped the message.
  if (known?.isStopped) return { assembly, outputs: [] };
  const stream = { ...EMPTY_STREAM, messageId, finalIndex: -1 };
  return {
    assembly: close(assembly, stream),
    outputs: [outputOf(known ? 'update' : 'final', stream, content)],
  };
}
