import type { OutgoingEvent } from 'natter/protocol';
import type { AgentHistoryEntry } from '../agents/index.ts';

interface Line {
  readonly sequence: number;
  readonly author: AgentHistoryEntry['author'];
  text: string;
}

/** What was said in a session, grown event by event from the log. */
export class ConversationHistory {
  readonly #lines: Line[] = [];
  /** Streamed messages that may still grow. User messages can arrive between two chunks of one. */
  readonly #streams = new Map<string, Line>();

  /** Takes in one event of the log; events that nobody said change nothing. */
  apply(event: OutgoingEvent): void {
    const text = event.payload['text'];
    if (typeof text !== 'string') return;
    switch (event.type) {
      case 'EVENT_TYPE_USER_MESSAGE':
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
   * Everything before the turn that the event `sequence` asked for, oldest first: what the user wrote since then waits
   * for a turn of its own and is left out.
   */
  entriesBefore(sequence: number): readonly AgentHistoryEntry[] {
    return this.#lines
      .filter((line) => line.text !== '' && (line.author !== 'user' || line.sequence < sequence))
      .map(({ author, text }) => ({ author, text }));
  }

  /** Whether the user has written anything. */
  get hasUserMessage(): boolean {
    return this.#lines.some(({ author }) => author === 'user');
  }

  #add(event: OutgoingEvent, author: Line['author'], text: string): Line {
    const line: Line = { sequence: event.sequence ?? 0, author, text };
    this.#lines.push(line);
    return line;
  }

  #addChunk(event: OutgoingEvent, text: string): void {
    const messageId = String(event.payload['message_id']);
    const open = this.#streams.get(messageId);
    if (open === undefined) this.#streams.set(messageId, this.#add(event, 'agent', text));
    else open.text += text;
    if (event.payload['is_complete'] === true) this.#streams.delete(messageId);
  }
}
