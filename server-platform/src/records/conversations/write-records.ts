import type { StoredConversation } from './stored-conversation.ts';
import type { RecordText } from './write-conversation.ts';

/** Text around and between records. */
export interface RecordsFrame {
  readonly opening: string;
  readonly separator: string;
  readonly closing: string;
}

/** The frame of one record. */
export const ONE_RECORD: RecordsFrame = { opening: '', separator: '', closing: '' };

// Amount sent at a time.
const PIECE_CHARACTERS = 524_288;

/**
 * Writes records as they are read, in pieces of limited length, so that only one piece is in memory, for records of
 * any length.
 */
export async function* writeRecords(
  records: AsyncIterable<StoredConversation> | Iterable<StoredConversation>,
  write: (stored: StoredConversation) => RecordText,
  { opening, separator, closing }: RecordsFrame,
): AsyncGenerator<string, void, undefined> {
  let text = opening;
  let isFirst = true;
  for await (const stored of records) {
    const record = write(stored);
    text += isFirst ? record.opening : separator + record.opening;
    isFirst = false;
    let hasTurn = false;
    if (record.writeTurn !== null)
      for await (const turns of stored.pages)
        for (const turn of turns) {
          text += hasTurn ? `,${record.writeTurn(turn)}` : record.writeTurn(turn);
          hasTurn = true;
          if (text.length < PIECE_CHARACTERS) continue;
          yield text;
          text = '';
        }
    text += record.closing;
    if (text.length < PIECE_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield text + closing;
}

/** The frame of a page's JSON: its conversations, then the following fields in order. Source: CV-9. */
export function frameOfPage(end: Readonly<Record<string, unknown>>): RecordsFrame {
  const fields = Object.entries(end)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return { opening: '{"conversations":[', separator: ',', closing: `]${fields.join('')}}` };
}
