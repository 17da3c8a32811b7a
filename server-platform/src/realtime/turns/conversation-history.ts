import type { OutgoingEvent } from 'natter/protocol';
import type { AgentHistoryEntry } from '../../agents/index.ts';

/** An entry with its position in the log. */
interface Line {
  // Replaced, never mutated, because agents keep the entries they were given; copying a history then only copies
  // references.
  entry: AgentHistoryEntry;
  /** Sequence of the entry's first event. */
  readonly sequence: number;
  /** Size in memory. */
  bytes: number;
  /** Whether the text was cut at the limit; no more is added. */
  isCut: boolean;
}

// Overhead of a line besides its text.
const LINE_BYTES = 64;
const CUT = ' [cut]';

/**
 * The most recent messages of a session, built from the log's events, within a byte limit. Older entries are only in
 * the log. One entry takes at most half of the limit, and is marked when it was cut.
 */
export class ConversationHistory {
  readonly #maxBytes: number;
  #lines: Line[] = [];
  #bytes = 0;
  /** Streamed messages that may still grow. User messages can arrive between their chunks. */
  readonly #streams = new Map<string, Line>();
  #hasUserMessage = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Applies an event of the log; events without text change nothing. */
  apply(event: OutgoingEvent): void {
    const text = event.payload['text'];
    if (typeof text !== 'string') return;
    switch (event.type) {
      case 'EVENT_TYPE_USER_MESSAGE':
        this.#hasUserMessage = true;
        this.#add(event, 'user', text);
        break;
      case 'EVENT_TYPE_AGENT_MESSAGE':
        this.#add(event, 'agent', text);
        break;
      case 'EVENT_TYPE_LIVE_AGENT_MESSAGE':
        this.#add(event, 'live_agent', text);
        break;
      case 'EVENT_TYPE_AGENT_MESSAGE_CHUNK':
        this.#addChunk(event, text);
        break;
    }
  }

  /**
   * Messages before the turn that event `sequence` requested, oldest first. Later user messages belong to later turns
   * and are left out.
   */
  entriesBefore(sequence: number): readonly AgentHistoryEntry[] {
    return this.#lines
      .filter(({ entry, sequence: at }) => at < sequence || entry.author !== 'user')
      .map(({ entry }) => entry)
      .filter(({ text }) => text !== '');
  }

  /** Whether the user has sent a message. */
  get hasUserMessage(): boolean {
    return this.#hasUserMessage;
  }

  /** Records that the user has sent a message before the entries kept here. */
  noteUserMessage(): void {
    this.#hasUserMessage = true;
  }

  #add(event: OutgoingEvent, author: AgentHistoryEntry['author'], text: string): Line {
    const line: Line = {
      entry: { author, text: '' },
      sequence: event.sequence ?? 0,
      bytes: LINE_BYTES,
      isCut: false,
    };
    this.#lines.push(line);
    this.#bytes += LINE_BYTES;
    this.#write(line, text);
    return line;
  }

  #addChunk(event: OutgoingEvent, text: string): void {
    const messageId = String(event.payload['message_id']);
    const known = this.#streams.get(messageId);
    if (known === undefined) this.#streams.set(messageId, this.#add(event, 'agent', text));
    else if (text !== '') this.#write(known, known.entry.text + text);
    if (event.payload['is_complete'] !== true) return;
    const line = this.#streams.get(messageId);
    this.#streams.delete(messageId);
    // A concatenated string keeps all its chunks in memory until it is copied.
    if (line !== undefined) line.entry = { ...line.entry, text: copyOf(line.entry.text) };
  }

  #write(line: Line, text: string): void {
    if (line.isCut) return;
    const most = Math.floor(this.#maxBytes / 2 / bytesPerCharacter(text));
    line.isCut = text.length > most;
    const kept = line.isCut ? copyOf(text.slice(0, most)) + CUT : text;
    line.entry = { author: line.entry.author, text: kept };
    const bytes = LINE_BYTES + kept.length * bytesPerCharacter(kept);
    this.#bytes += bytes - line.bytes;
    line.bytes = bytes;
    this.#trim();
  }

  /** Drops the oldest lines beyond the limit. */
  #trim(): void {
    let count = 0;
    while (this.#bytes > this.#maxBytes && count < this.#lines.length - 1) {
      this.#bytes -= this.#lines[count]?.bytes ?? 0;
      count += 1;
    }
    if (count === 0) return;
    const gone = new Set(this.#lines.splice(0, count));
    for (const [id, line] of this.#streams) if (gone.has(line)) line.isCut = this.#streams.delete(id);
  }
}

// V8 stores Latin-1 strings with one byte per character.
function bytesPerCharacter(text: string): number {
  return /[\u0100-\uffff]/.test(text) ? 2 : 1;
}

/** Copies a string, because a substring retains its parent and a concatenation all its parts. */
function copyOf(text: string): string {
  const encoding = bytesPerCharacter(text) === 1 ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}
