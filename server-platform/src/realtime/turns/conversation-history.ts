import type { OutgoingEvent } from 'natter/protocol';
import type { AgentHistoryEntry } from '../../agents/index.ts';

/** An entry with its place in the log. */
interface Line {
  // Never changed, only replaced, because agents hold on to those they were given: their view of the history is then a copy
  // of references.
  entry: AgentHistoryEntry;
  /** Of the entry's first event. */
  readonly sequence: number;
  /** In memory. */
  bytes: number;
  /** Whether there was more text than fits; nothing is added any more. */
  isCut: boolean;
}

// What a line takes besides its text.
const LINE_BYTES = 64;
const CUT = ' [cut]';

/**
 * The last that was said in a session, grown event by event from the log, within a number of bytes. Older entries are in the
 * log alone. One entry has at most half of the bytes, and says when it was cut.
 */
export class ConversationHistory {
  readonly #maxBytes: number;
  #lines: Line[] = [];
  #bytes = 0;
  /** Streamed messages that may still grow. User messages can arrive between two chunks of one. */
  readonly #streams = new Map<string, Line>();
  #hasUserMessage = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes in one event of the log; events without words change nothing. */
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
   * Messages before the turn that event `sequence` requested, oldest first: later messages of the user wait
   * for another turn and are left out.
   */
  entriesBefore(sequence: number): readonly AgentHistoryEntry[] {
    return this.#lines
      .filter(({ entry, sequence: at }) => at < sequence || entry.author !== 'user')
      .map(({ entry }) => entry)
      .filter(({ text }) => text !== '');
  }

  /** Whether the user has written anything. */
  get hasUserMessage(): boolean {
    return this.#hasUserMessage;
  }

  /** The user has written something that is not among the last entries. */
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
    // A text that grew keeps all its chunks in memory until it is copied.
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

  /** Forgets the oldest lines that are too many. */
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

// The engine stores texts of Latin-1 alone in one byte each.
function bytesPerCharacter(text: string): number {
  return /[\u0100-\uffff]/.test(text) ? 2 : 1;
}

/** A copy of the text: a part of a text holds the whole of it, and a sum of texts all of them. */
function copyOf(text: string): string {
  const encoding = bytesPerCharacter(text) === 1 ? 'latin1' : 'utf16le';
  return Buffer.from(text, encoding).toString(encoding);
}
