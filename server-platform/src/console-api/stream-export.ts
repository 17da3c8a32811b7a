import type { ConversationsQuery } from '@natter/sdk';
import type { Project } from '../accounts/index.ts';
import { type ConversationRow, type ListSources, listRows } from '../records/conversations/index.ts';
import { toRow } from './to-row.ts';

const TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/x-ndjson' } as const;

// Without it Excel would use the machine's own encoding.
const BYTE_ORDER_MARK = '\uFEFF';

const COLUMNS = [
  ...['id', 'started_at', 'channel', 'variant_name', 'in_progress', 'num_turns', 'duration_seconds'],
  ...['handoff', 'median_latency_seconds', 'score', 'thumbs_up', 'thumbs_down', 'first_words'],
] as const;

/** A file of conversations, written while they are read: no faster than its reader takes it. `onEnd` is called in every case. */
export async function streamExport(
  pieces: AsyncGenerator<string, void, undefined>,
  format: keyof typeof TYPES,
  onEnd: () => void,
): Promise<Response> {
  const encoder = new TextEncoder();
  // Invalid filters are refused with a status before anything is sent.
  let begun: IteratorResult<string, void> | null = await pieces.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = begun ?? (await pieces.next());
        begun = null;
        if (next.done !== true) return controller.enqueue(encoder.encode(next.value));
        onEnd();
        controller.close();
      } catch (error) {
        onEnd();
        throw error;
      }
    },
    async cancel() {
      onEnd();
      await pieces.return();
    },
  });
  return new Response(body, {
    headers: {
      'Content-Type': TYPES[format],
      'Content-Disposition': `attachment; filename="conversations.${format}"`,
    },
  });
}

/** Writes the rows that a query finds, `max` at most, page by page. */
export async function* writeCsv(
  sources: ListSources,
  project: Project,
  query: ConversationsQuery,
  { max, nowMs }: { readonly max: number; readonly nowMs: number },
): AsyncGenerator<string, void, undefined> {
  let head = `${BYTE_ORDER_MARK}${COLUMNS.join(',')}\r\n`;
  let { cursor } = query;
  for (let left = max; left > 0; ) {
    const page = await listRows(sources, project, { ...query, cursor }, nowMs);
    const rows = page.rows.slice(0, left);
    left -= rows.length;
    yield head + rows.map(toCsv).join('');
    head = '';
    if (page.cursor === null) return;
    cursor = page.cursor;
  }
}

function toCsv(conversation: ConversationRow): string {
  const row: Readonly<Record<string, unknown>> = toRow(conversation);
  return `${COLUMNS.map((name) => writeCell(row[name])).join(',')}\r\n`;
}

// Where numbers have a decimal comma, spreadsheet programs split rows at semicolons, so that a part or a line of a cell
// becomes a separate cell.
const FORMULA = /(^|[;\t\r\n]"*)(?=[=+\-@\t\r])/g;

/**
 * Formats a cell according to RFC 4180. Spreadsheets execute cells that begin like a formula, so those get an
 * apostrophe.
 */
export function writeCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const plain = typeof value === 'string' ? text.replace(FORMULA, "$1'") : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
