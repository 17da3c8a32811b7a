import { type ExtensionName, extensionsOf, type OutgoingEvent } from 'natter/protocol';
import type { MessagingConnector } from '../conversation/index.ts';
import type { SessionPatch, StoredSession } from '../event-log/index.ts';
import { ConversationHistory } from '../turns/conversation-history.ts';
import type { LoadedSession } from './load-session.ts';

/** The session in memory: row, connector and state derived from the log. Complete only while this node owns it. */
export class SessionState {
  /** SESSION_END is about to be written: no other event may follow (8.9). */
  isEnding = false;
  /** Size of the log, estimated from the texts of its events. */
  loggedBytes = 0;
  /** Reloaded when the agent is asked to join, because its settings may have changed. */
  connector: MessagingConnector;
  #row: StoredSession;
  #history: ConversationHistory;
  #hasAgentJoined = false;
  #extensions: readonly ExtensionName[] = [];

  constructor(row: StoredSession, connector: MessagingConnector, historyBytes: number) {
    this.#row = row;
    this.#history = new ConversationHistory(historyBytes);
    this.connector = connector;
  }

  get row(): StoredSession {
    return this.#row;
  }

  get history(): ConversationHistory {
    return this.#history;
  }

  /** AGENT_JOINED is in the log and no AGENT_LEFT after it. */
  get hasAgentJoined(): boolean {
    return this.#hasAgentJoined;
  }

  /** Extensions named by the client's last join. Source: EXT-1. */
  get extensions(): readonly ExtensionName[] {
    return this.#extensions;
  }

  get isOver(): boolean {
    return this.isEnding || this.#row.endedAtMs !== null;
  }

  /** Replaces the whole state with a new owner's load. */
  load(row: StoredSession, { history, loggedBytes, hasAgentJoined, extensions }: LoadedSession): void {
    this.#row = { ...row, vocabulary: this.#row.vocabulary ?? row.vocabulary };
    this.#history = history;
    this.loggedBytes = loggedBytes;
    this.#hasAgentJoined = hasAgentJoined;
    this.#extensions = extensions;
  }

  /** Applies committed events in order. */
  applyEvents(events: readonly OutgoingEvent[]): void {
    for (const event of events) {
      this.#history.apply(event);
      this.loggedBytes += bytesOf(event);
      if (event.type === 'EVENT_TYPE_AGENT_JOINED') this.#hasAgentJoined = true;
      if (event.type === 'EVENT_TYPE_AGENT_LEFT') this.#hasAgentJoined = false;
      if (event.type === 'EVENT_TYPE_REQUEST_AGENT_JOIN') this.#extensions = extensionsOf(event.custom);
    }
  }

  /** Applies a stored change of the row; undefined fields stay unchanged. */
  applyPatch(patch: Partial<StoredSession> | SessionPatch): void {
    const changed = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
    this.#row = { ...this.#row, ...changed };
  }
}

// Overhead of an event: id, type, time and field names.
const EVENT_BYTES = 100;

function bytesOf({ payload, custom }: OutgoingEvent): number {
  let bytes = EVENT_BYTES;
  for (const value of [...Object.values(payload), ...Object.values(custom ?? {})])
    if (typeof value === 'string') bytes += value.length;
  return bytes;
}
