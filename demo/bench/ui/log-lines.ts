import type { TracedFrame } from '../../recording/recorder.ts';

/** One line of the log: a frame, an event of the widget, or all chunks of one message. */
export interface LogLine {
  readonly id: number;
  readonly way: TracedFrame['direction'] | 'event';
  readonly atMs: number;
  readonly type: string;
  readonly sequence: string;
  /** Payloads; several where the line stands for the chunks of one message. */
  readonly bodies: readonly string[];
}

type NewLine = Omit<LogLine, 'id' | 'bodies'> & {
  readonly body: string;
  /** Lines with the same key are one; null stands alone. */
  readonly key: string | null;
};

/** Older lines are left out. */
const MAX_LINES = 2_000;

/** The lines of the log, in order. Every change makes a new list, and a new object of each line that has changed. */
export class LogLines {
  #lines: LogLine[] = [];
  #places = new Map<string, LogLine>();
  #lastId = 0;
  /** Frames and events so far. */
  total = 0;

  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  takeFrame({ direction: way, atMs, text }: TracedFrame): void {
    this.#add({ way, atMs, ...describeFrame(text) });
  }

  takeEvent(type: string, atMs: number, detail: string): void {
    this.#add({ way: 'event', atMs, type, sequence: '', body: detail, key: null });
  }

  clear(): void {
    this.#lines = [];
    this.#places.clear();
    this.total = 0;
  }

  #add({ key, body, ...rest }: NewLine): void {
    this.total += 1;
    const known = key === null ? undefined : this.#places.get(key);
    const at = known === undefined ? -1 : this.#lines.lastIndexOf(known);
    this.#lastId += 1;
    const line: LogLine =
      known === undefined || at === -1
        ? { ...rest, id: this.#lastId, bodies: [body] }
        : { ...known, bodies: [...known.bodies, body] };
    if (key !== null) this.#places.set(key, line);
    this.#lines = at === -1 ? [...this.#lines.slice(1 - MAX_LINES), line] : this.#lines.with(at, line);
  }
}

function describeFrame(text: string): Omit<NewLine, 'way' | 'atMs'> {
  const frame = readObject(text);
  // Local notes such as "socket closed" are plain text and shown as they are.
  if (frame === null) return { type: '', sequence: '', body: text, key: null };
  const { type: fullType, sequence, payload = frame, metadata } = frame;
  const type = typeof fullType === 'string' ? fullType.replace('EVENT_TYPE_', '') : '';
  const suffix = metadata === undefined ? '' : ` ${JSON.stringify(metadata)}`;
  return {
    type,
    sequence: typeof sequence === 'number' ? String(sequence) : '',
    body: `${JSON.stringify(payload)}${suffix}`,
    key: type === 'AGENT_MESSAGE_CHUNK' ? `${Object(payload).message_id}` : null,
  };
}

interface Frame {
  readonly type?: unknown;
  readonly sequence?: unknown;
  readonly payload?: unknown;
  readonly metadata?: unknown;
}

function readObject(text: string): Frame | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
