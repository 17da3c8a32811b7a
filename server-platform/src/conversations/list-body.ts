import type { Sql } from '../db/index.ts';
import { readConversations, type StoredConversation } from './read-conversations.ts';

// Some hundred kilobytes of JSON at a time.
const BATCH = 100;

/**
 * The JSON text of a page, piece by piece: the conversations in batches as they are read, then what follows them, in the
 * order of its fields. Source: CV-9.
 */
export async function* writeListBody(
  sql: Sql,
  ids: readonly string[],
  write: (stored: StoredConversation) => object,
  end: Readonly<Record<string, unknown>>,
): AsyncGenerator<string, void, undefined> {
  const read = (from: number): Promise<readonly StoredConversation[]> => {
    const batch = readConversations(sql, ids.slice(from, from + BATCH));
    // Reported where the batch is awaited, which does not happen when the reader of the list goes away before.
    batch.catch(() => {});
    return batch;
  };
  let text = '{"conversations":[';
  let next = read(0);
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = await next;
    // The database works on the next batch while this one is written.
    next = read(from + BATCH);
    const items = batch.map((stored) => JSON.stringify(write(stored)));
    if (items.length === 0) continue;
    yield text + items.join(',');
    text = ',';
  }
  const fields = Object.entries(end)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const opening = text === ',' ? '' : text;
  yield `${opening}]${fields.map((field) => `,${field}`).join('')}}`;
}

/** The whole of a text that comes in pieces. */
export async function joinPieces(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** The pieces as the body of a response that is sent while they are made. */
export function streamPieces(pieces: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const next = await pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(next.value));
    },
    async cancel() {
      await pieces.return();
    },
  });
}
