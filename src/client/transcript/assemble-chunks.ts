import type { ResponseSuggestion, WireAttachment, WireCallAction } from '../../protocol/index.ts';

/** What a message holds besides its id, as on the wire. */
export interface MessageContent {
  readonly text: string;
  readonly attachments: readonly WireAttachment[];
  readonly suggestions: readonly ResponseSuggestion[];
  readonly callActions: readonly WireCallAction[];
}

export interface IncomingChunk extends MessageContent {
  readonly messageId: string;
  /** Null takes the next free index. Source: ASM-2. */
  readonly index: number | null;
  readonly isComplete: boolean;
}

interface Chunk extends MessageContent {
  readonly index: number;
}

interface Stream {
  /** In order of arrival. */
  readonly chunks: ReadonlyMap<number, Chunk>;
  readonly finalIndex: number | null;
  readonly status: 'open' | 'final' | 'whole';
  /** The unbroken run from the base it was begun with, and the index after it. */
  readonly runBase: number;
  readonly runText: string;
  readonly runEnd: number;
}

/** Streams by message id, oldest first. */
export type Assembly = ReadonlyMap<string, Stream>;

export type FlushReason = 'timeout' | 'switched' | 'session_end' | 'closed';

/** What became visible. Source: messaging.md 9. */
export type AssemblyOutput =
  | { readonly kind: 'partial'; readonly messageId: string; readonly text: string }
  | ({
      readonly kind: 'final';
      readonly messageId: string;
      readonly isComplete: boolean;
      readonly hasGaps: boolean;
      readonly reason: FlushReason | 'complete' | 'replaced' | 'whole';
    } & MessageContent)
  | ({
      readonly kind: 'update';
      readonly messageId: string;
      readonly isComplete: boolean;
      readonly hasGaps: boolean;
    } & MessageContent)
  | { readonly kind: 'discard'; readonly messageId: string };

export interface AssemblyStep {
  readonly assembly: Assembly;
  readonly outputs: readonly AssemblyOutput[];
}

const EMPTY_STREAM: Stream = {
  chunks: new Map(),
  finalIndex: null,
  status: 'open',
  runBase: 1,
  runText: '',
  runEnd: 1,
};

/** True for a message with something to show. Source: AM-1, ASM-10. */
function hasContent({ text, attachments, suggestions, callActions }: MessageContent): boolean {
  return text !== '' || attachments.length > 0 || suggestions.length > 0 || callActions.length > 0;
}

/** The first index: 1, or 0 for a stream in which one was seen. Source: ASM-2. */
const baseOf = (chunks: ReadonlyMap<number, Chunk>): number => (chunks.has(0) ? 0 : 1);

const highestOf = (chunks: ReadonlyMap<number, Chunk>): number | null =>
  chunks.size === 0 ? null : Math.max(...chunks.keys());

const hasHole = ({ chunks, finalIndex }: Stream): boolean => {
  const last = finalIndex ?? highestOf(chunks) ?? 0;
  return chunks.size < last - baseOf(chunks) + 1;
};

/** True for a stream whose end is known while a piece is missing. Source: ASM-6. */
export function isWaitingForHole(assembly: Assembly, messageId: string): boolean {
  const stream = assembly.get(messageId);
  return stream?.status === 'open' && stream.finalIndex !== null && hasHole(stream);
}

/** Lengthens the unbroken run as far as it goes; starts over when an index 0 turned up late. */
function extendRun(stream: Stream): Stream {
  const runBase = baseOf(stream.chunks);
  const mustRestart = runBase !== stream.runBase;
  let text = mustRestart ? '' : stream.runText;
  let next = mustRestart ? runBase : stream.runEnd;
  for (let chunk = stream.chunks.get(next); chunk; chunk = stream.chunks.get(next)) {
    text += chunk.text;
    next += 1;
  }
  return { ...stream, runBase, runText: text, runEnd: next };
}

function distinct<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = keyOf(item);
    return !seen.has(key) && seen.add(key);
  });
}

/** In index order; of one address the attachment that arrived first. Source: ASM-11. */
function collectAttachments(arrived: readonly Chunk[], ordered: readonly Chunk[]): readonly WireAttachment[] {
  const owners = new Map<string, WireAttachment>();
  for (const attachment of arrived.flatMap((chunk) => chunk.attachments)) {
    const url = attachment.content_url;
    if (url !== null && !owners.has(url)) owners.set(url, attachment);
  }
  return ordered
    .flatMap((chunk) => chunk.attachments)
    .filter(
      (attachment) => attachment.content_url === null || owners.get(attachment.content_url) === attachment,
    );
}

function collect({ chunks }: Stream): MessageContent {
  const arrived = [...chunks.values()];
  const ordered = arrived.toSorted((a, b) => a.index - b.index);
  return {
    text: ordered.map(({ text }) => text).join(''),
    attachments: collectAttachments(arrived, ordered),
    suggestions: distinct(
      ordered.flatMap(({ suggestions }) => suggestions),
      ({ message_text, payload }) => JSON.stringify([message_text, payload]),
    ),
    callActions: distinct(
      ordered.flatMap(({ callActions }) => callActions),
      ({ title, contact_number }) => JSON.stringify([title, contact_number]),
    ),
  };
}

const facts = (stream: Stream): { isComplete: boolean; hasGaps: boolean } => ({
  isComplete: stream.finalIndex !== null,
  hasGaps: hasHole(stream),
});

function finalise(messageId: string, stream: Stream, reason: FlushReason | 'complete'): AssemblyOutput {
  const content = collect(stream);
  return hasContent(content)
    ? { kind: 'final', messageId, ...content, ...facts(stream), reason }
    : { kind: 'discard', messageId };
}

/** Finalises open streams, all or one, oldest first. Source: ASM-6, ASM-7, ASM-8. */
export function flushStreams(
  assembly: Assembly,
  reason: FlushReason,
  messageId: string | null = null,
): AssemblyStep {
  const next = new Map(assembly);
  const outputs: AssemblyOutput[] = [];
  for (const [id, stream] of assembly) {
    const isMeant = messageId === null || (id === messageId && isWaitingForHole(assembly, id));
    if (stream.status !== 'open' || !isMeant) continue;
    next.set(id, { ...stream, status: 'final' });
    outputs.push(finalise(id, stream, reason));
  }
  return outputs.length > 0 ? { assembly: next, outputs } : { assembly, outputs };
}

/** Takes a chunk into a stream; null when it brings nothing new. Source: ASM-3, ASM-5. */
function accept(
  stream: Stream,
  { messageId: _, index: given, isComplete, ...content }: IncomingChunk,
): Stream | null {
  const index = given !== null && given >= 0 ? given : (highestOf(stream.chunks) ?? 0) + 1;
  const isAboveEnd = stream.finalIndex !== null && index > stream.finalIndex;
  if (isAboveEnd || stream.chunks.has(index)) return null;
  const finalIndex = stream.finalIndex ?? (isComplete ? index : null);
  const chunks = new Map(stream.chunks).set(index, { index, ...content });
  if (finalIndex !== null) {
    for (const known of chunks.keys()) if (known > finalIndex) chunks.delete(known);
  }
  return extendRun({ ...stream, chunks, finalIndex });
}

/** One piece of a streamed message. Source: messaging.md 9. */
export function addChunk(assembly: Assembly, chunk: IncomingChunk): AssemblyStep {
  const { messageId } = chunk;
  const known = assembly.get(messageId);
  if (known?.status === 'whole') return { assembly, outputs: [] };
  const switched = known ? { assembly, outputs: [] } : flushStreams(assembly, 'switched');
  const before = known ?? EMPTY_STREAM;
  const stream = accept(before, chunk);
  if (!stream) return switched;

  const isDone = stream.finalIndex !== null && !hasHole(stream);
  const next: Stream = before.status === 'open' && isDone ? { ...stream, status: 'final' } : stream;
  const outputs = [...switched.outputs];
  if (before.status === 'final') {
    outputs.push({ kind: 'update', messageId, ...collect(next), ...facts(next) });
  } else if (isDone) {
    outputs.push(finalise(messageId, next, 'complete'));
  } else if (next.runText !== before.runText) {
    outputs.push({ kind: 'partial', messageId, text: next.runText });
  }
  return { assembly: new Map(switched.assembly).set(messageId, next), outputs };
}

/** A message in one piece; from now on chunks of its id mean nothing. Source: ASM-12. */
export function addWhole(assembly: Assembly, messageId: string, content: MessageContent): AssemblyStep {
  const reason = assembly.has(messageId) ? 'replaced' : 'whole';
  return {
    // Chunks of a whole message are never looked at again.
    assembly: new Map(assembly).set(messageId, { ...EMPTY_STREAM, status: 'whole' }),
    outputs: [
      hasContent(content)
        ? { kind: 'final', messageId, ...content, isComplete: true, hasGaps: false, reason }
        : { kind: 'discard', messageId },
    ],
  };
}
