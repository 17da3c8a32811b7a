import type { OutgoingEvent } from 'natter/protocol';
import type { AgentHistoryEntry } from '../../agents/index.ts';

/** What was said in a session, grown event by event from the log. */
export class ConversationHistory {
  // An entry is never changed, only replaced, because agents hold on to those they were given: their view of the history
  // is then a copy of references, however long it is.
  readonly #entries: AgentHistoryEntry[] = [];
  /** The sequence of each entry's first event, ascending. */
  readonly #sequences: number[] = [];
  /** Entries without text, which no agent is shown. */
  #emptyCount = 0;
  /** Places of streamed messages that may still grow. User messages can arrive between two chunks of one. */
  readonly #streams = new Map<string, number>();

  /** Takes in one event of the log; events without words change nothing. */
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
    let end = this.#entries.length;
    while (end > 0 && (this.#sequences[end - 1] ?? 0) >= sequence) end -= 1;
    const entries = this.#entries.slice(0, end);
    for (const entry of this.#entries.slice(end)) if (entry.author !== 'user') entries.push(entry);
    return this.#emptyCount === 0 ? entries : entries.filter(({ text }) => text !== '');
  }

  /** Whether the user has written anything. */
  get hasUserMessage(): boolean {
    return this.#entries.some(({ author }) => author === 'user');
  }

  #add(event: OutgoingEvent, author: AgentHistoryEntry['author'], text: string): void {
    this.#entries.push({ author, text });
    this.#sequences.push(event.sequence ?? 0);
    if (text === '') this.#emptyCount += 1;
  }

  #addChunk(event: OutgoingEvent, text: string): void {
    const messageId = String(event.payload['message_id']);
    const place = this.#streams.get(messageId);
    if (place === undefined) {
      this.#streams.set(messageId, this.#entries.length);
      this.#add(event, 'agent', text);
    } else if (text !== '') {
      const grown = this.#entries[place]?.text ?? '';
      if (grown === '') this.#emptyCount -= 1;
      this.#entries[place] = { author: 'agent', text: grown + text };
    }
    if (event.payload['is_complete'] === true) this.#streams.delete(messageId);
  }
}
