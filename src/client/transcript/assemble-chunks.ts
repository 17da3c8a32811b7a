import type { ServerPayloads, WireAttachment } from '../../protocol/index.ts';

/** A piece of a streamed message, as on the wire; without an index it takes the next free one (ASM-2). */
type Chunk = ServerPayloads['EVENT_TYPE_AGENT_MESSAGE_CHUNK'];

/** What a message holds besides its id, as on the wire. */
export type MessageContent = Pick<
  Chunk,
  'text' | 'attachments' | 'response_suggestions' | 'chat_call_actions'
>;

export interface Stream {
  /** By index, in order of arrival. */
  readonly chunks: ReadonlyMap<number, MessageContent>;
  readonly finalIndex: number | null;
  readonly status: 'open' | 'final' | 'whole';
}

/** Streams by message id, oldest first. At most one is open (ASM-7). */
export type Assembly = ReadonlyMap<string, Stream>;

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

const EMPTY_STREAM: Stream = { chunks: new Map(), finalIndex: null, status: 'open' };

/** The first index: 1, or 0 for a stream in which one was seen. Source: ASM-2. */
const baseOf = ({ chunks }: Stream): number => (chunks.has(0) ? 0 : 1);

const highestOf = ({ chunks }: Stream): number =>
  [...chunks.keys()].reduce((highest, index) => Math.max(highest, index), 0);

/** True while an index below the last one is missing. */
export const hasHole = (stream: Stream): boolean =>
  stream.chunks.size <= (stream.finalIndex ?? highestOf(stream)) - baseOf(stream);

/** True for a stream whose end is known while a piece is missing. Source: ASM-6. */
export function isWaitingForHole(assembly: Assembly, messageId: string): boolean {
  const stream = assembly.get(messageId);
  return stream?.status === 'open' && stream.finalIndex !== null && hasHole(stream);
}

/** The unbroken run from the first index on. Source: ASM-4. */
function runOf(stream: Stream): string {
  let text = '';
  for (let index = baseOf(stream); ; index++) {
    const chunk = stream.chunks.get(index);
    if (!chunk) return text;
    text += chunk.text;
  }
}

const distinct = <Item>(items: readonly Item[]): readonly Item[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];

/** In index order; of one address the attachment that arrived first. Source: ASM-11. */
function collect({ chunks }: Stream): MessageContent {
  const arrived = [...chunks.values()].flatMap(({ attachments }) => attachments);
  const isFirst = (one: WireAttachment): boolean =>
    one.content_url === null || arrived.find(({ content_url }) => content_url === one.content_url) === one;
  const ordered = [...chunks].toSorted(([a], [b]) => a - b).map(([, chunk]) => chunk);
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

/** Finalises open streams, all or one that waits. Source: ASM-6, ASM-7, ASM-8. */
export function flushStreams(
  assembly: Assembly,
  reason: FlushReason,
  messageId: string | null = null,
): AssemblyStep {
  const open = [...assembly].filter(
    ([id, { status }]) =>
      status === 'open' && (messageId === null || (id === messageId && isWaitingForHole(assembly, id))),
  );
  return {
    assembly: new Map([
      ...assembly,
      ...open.map(([id, stream]) => [id, { ...stream, status: 'final' }] as const),
    ]),
    outputs: open.map(([id, stream]) => finalise(id, collect(stream), reason)),
  };
}

/** Takes a chunk into a stream; null when it brings nothing new. Source: ASM-3, ASM-5. */
function accept(stream: Stream, chunk: Chunk): Stream | null {
  const { chunk_index: given, is_complete: isComplete } = chunk;
  const index = given !== null && given >= 0 ? given : highestOf(stream) + 1;
  if (index > (stream.finalIndex ?? Infinity) || stream.chunks.has(index)) return null;
  const finalIndex = stream.finalIndex ?? (isComplete ? index : null);
  const chunks = [...stream.chunks, [index, chunk] as const].filter(
    ([known]) => known <= (finalIndex ?? known),
  );
  return { ...stream, chunks: new Map(chunks), finalIndex };
}

/** One piece of a streamed message. Source: messaging.md 9. */
export function addChunk(assembly: Assembly, chunk: Chunk): AssemblyStep {
  const { message_id: messageId } = chunk;
  const known = assembly.get(messageId);
  const switched = known ? { assembly, outputs: [] } : flushStreams(assembly, 'switched');
  const before = known ?? EMPTY_STREAM;
  const stream = before.status === 'whole' ? null : accept(before, chunk);
  if (!stream) return switched;

  const outputs = [...switched.outputs];
  const isDone = stream.finalIndex !== null && !hasHole(stream);
  const text = runOf(stream);
  if (before.status === 'final') outputs.push({ kind: 'update', messageId, ...collect(stream) });
  else if (isDone) outputs.push(finalise(messageId, collect(stream), 'complete'));
  else if (text !== runOf(before)) outputs.push({ kind: 'partial', messageId, text, ...TEXT_ONLY });
  const next: Stream = isDone ? { ...stream, status: 'final' } : stream;
  return { assembly: new Map(switched.assembly).set(messageId, next), outputs };
}

/** A message in one piece; from now on chunks of its id mean nothing. Source: ASM-12. */
export function addWhole(assembly: Assembly, messageId: string, content: MessageContent): AssemblyStep {
  const reason = assembly.has(messageId) ? 'replaced' : 'whole';
  return {
    // Chunks of a whole message are never looked at again.
    assembly: new Map(assembly).set(messageId, { ...EMPTY_STREAM, status: 'whole' }),
    outputs: [finalise(messageId, content, reason)],
  };
}
