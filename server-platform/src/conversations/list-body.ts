import { readAhead, type Sql } from '../db/index.ts';
import { readConversations, type StoredConversation } from './read-conversations.ts';

// Half a megabyte of JSON at a time, some fifteen milliseconds of the embedded database.
const BATCH = 250;

/**
 * The JSON text of a page, piece by piece: the conversations in batches as they are read, then what follows them, in the
 * order of its fields. Source: CV-9.
 */
export async function* writeListBody(
  sql: Sql,
  ids: readonly string[],
  write: (stored: StoredConversation) => string,
  end: Readonly<Record<string, unknown>>,
): AsyncGenerator<string, void, undefined> {
  const batches: (readonly string[])[] = [];
  for (let from = 0; from < ids.length; from += BATCH) batches.push(ids.slice(from, from + BATCH));
  let text = '{"conversations":[';
  for await (const batch of readAhead(batches, (some) => readConversations(sql, some))) {
    if (batch.length === 0) continue;
    yield text + batch.map(write).join(',');
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
