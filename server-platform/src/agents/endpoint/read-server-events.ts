import { createParser } from 'eventsource-parser';
import type { OutboundAnswer } from '../../kit/http/outbound/index.ts';

// An event contains a few words; a server that sends this much without a blank line sends another format.
const MAX_EVENT_CHARACTERS = 1_048_576;

/**
 * The data of each event of an event stream, as it comes; comments are skipped. Yields null and ends where an event is
 * longer than any answer. A character that is split between packets comes whole.
 */
export async function* readServerEvents(answer: OutboundAnswer): AsyncIterable<string | null> {
  const decoder = new TextDecoder();
  let pending: string[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent: ({ data }) => pending.push(data),
    onError: (error) => {
      isTooLong ||= error.type === 'max-buffer-size-exceeded';
    },
  });
  for await (const piece of answer.pieces()) {
    parser.feed(decoder.decode(piece, { stream: true }));
    const ready = pending;
    pending = [];
    yield* ready;
    if (isTooLong) return yield null;
  }
}
