import type { Conversation } from '@natter/sdk';
import { toRow } from './conversation-row.ts';

const TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson' } as const;

const COLUMNS = [
  ...['id', 'started_at', 'channel', 'variant_name', 'in_progress', 'num_turns', 'duration_seconds'],
  ...['handoff', 'median_latency_seconds', 'score', 'thumbs_up', 'thumbs_down', 'first_words'],
] as const;

/** A file of conversations, written while they are read: no faster than its reader takes it. `onEnd` is called whatever ends it. */
export function streamExport(
  list: AsyncGenerator<Conversation, void, undefined>,
  format: keyof typeof TYPES,
  max: number,
  onEnd: () => void,
): Response {
  const encoder = new TextEncoder();
  let count = 0;
  const readNext = async () => {
    try {
      return await list.next();
    } catch (error) {
      onEnd();
      throw error;
    }
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (format === 'csv') controller.enqueue(encoder.encode(`${COLUMNS.join(',')}\r\n`));
    },
    async pull(controller) {
      const next = count < max ? await readNext() : { done: true as const, value: undefined };
      if (next.done) {
        onEnd();
        controller.close();
        await list.return();
        return;
      }
      count += 1;
      controller.enqueue(encoder.encode(format === 'csv' ? toCsv(next.value) : toJson(next.value)));
    },
    async cancel() {
      onEnd();
      await list.return();
    },
  });
  return new Response(body, {
    headers: {
      'Content-Type': TYPES[format],
      'Content-Disposition': `attachment; filename="conversations.${format}"`,
    },
  });
}

const toJson = (conversation: Conversation): string => `${JSON.stringify(conversation)}\n`;

function toCsv(conversation: Conversation): string {
  const row: Readonly<Record<string, unknown>> = toRow(conversation);
  return `${COLUMNS.map((name) => writeCell(row[name])).join(',')}\r\n`;
}

/** A cell as RFC 4180 has it. Programs for tables run what begins like a formula, so that gets an apostrophe. */
function writeCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const plain = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
