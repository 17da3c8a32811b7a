import type { OutgoingEvent } from 'natter/protocol';

/** What travels to everybody who watches a session. */
export type BusMessage =
  /** In order: sequenced ones after their commit, transient ones (`sequence: null`) as they happen. */
  | { readonly kind: 'events'; readonly events: readonly OutgoingEvent[] }
  /** Every socket of the session closes with this code, after the events that were published before. */
  | { readonly kind: 'close'; readonly code: number; readonly reason: string };

/**
 * Carries events of a session from its owner node to the nodes with sockets for it. It may lose or delay messages
 * and never decides anything: a subscriber that sees a gap in the sequences reads the log again, and one that was cut
 * off polls it. An implementation across processes therefore needs no acknowledgements.
 */
export interface Bus {
  /** Notifies every subscriber, on this node and on the others. */
  publish(sessionId: string, message: BusMessage): void;
  /** Publishes events that were read from the log to the subscribers of this node only. */
  deliverHere(sessionId: string, message: BusMessage): void;
  /** Calls `listener` for every later message of any node; the returned function stops it. */
  subscribe(sessionId: string, listener: (message: BusMessage) => void): () => void;
  /** Calls `listener` for messages of this node, and of other nodes while this node follows the session. */
  subscribeHere(sessionId: string, listener: (message: BusMessage) => void): () => void;
  /** Asks for the messages of other nodes for this session; the returned function ends it. */
  follow(sessionId: string): () => void;
  close(): Promise<void>;
}
