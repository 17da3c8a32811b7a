import type { OutgoingEvent } from 'natter/protocol';

/** A message to all subscribers of a session. */
export type BusMessage =
  /** In order: sequenced events after their commit, transient events (`sequence: null`) immediately. */
  | { readonly kind: 'events'; readonly events: readonly OutgoingEvent[] }
  /** Closes every socket of the session with this code, after all earlier events. */
  | { readonly kind: 'close'; readonly code: number; readonly reason: string };

/**
 * Carries events of a session from its owner node to the nodes with sockets for it. It may lose or delay messages, so
 * nothing relies on it for correctness: a subscriber that sees a gap in the sequences reads the log again, and a
 * disconnected subscriber polls the log. An implementation across processes therefore needs no acknowledgements.
 */
export interface Bus {
  /** Sends a message to every subscriber, on this node and on others. */
  publish(sessionId: string, message: BusMessage): void;
  /** Publishes events that were read from the log to subscribers on this node only. */
  deliverLocal(sessionId: string, message: BusMessage): void;
  /** Calls `listener` for every later message from any node. Returns a function that unsubscribes. */
  subscribe(sessionId: string, listener: (message: BusMessage) => void): () => void;
  /** Calls `listener` for messages of this node, and of other nodes while this node follows the session. */
  subscribeLocal(sessionId: string, listener: (message: BusMessage) => void): () => void;
  /** Receives other nodes' messages for this session from now on. Returns a function that stops this. */
  follow(sessionId: string): () => void;
  close(): Promise<void>;
}
