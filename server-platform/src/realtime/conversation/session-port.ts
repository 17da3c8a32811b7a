import type { CustomMap, KnownEventType, OutgoingEvent } from 'natter/protocol';
import type { AgentHistoryEntry, HandoffAction } from '../../agents/index.ts';
import type { AppendEffects, StoredSession } from '../event-log/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import type { MessagingConnector } from './connector.ts';
import type { ClientEventDraft, EventDraft } from './event-draft.ts';

/** A turn that waits for the agent. */
export interface WaitingTurn {
  readonly id: string;
  readonly kind: 'greeting' | 'message';
  readonly text: string;
  readonly messageId: string | null;
  readonly inputSequence: number;
  /** The client's metadata (MET-1). */
  readonly custom: CustomMap | null;
  readonly queuedAtMs: number;
  /** Whether the visitor sent it while an answer was streaming. Absent after a change of owner. */
  readonly bargesIn?: boolean;
  /** Set when `text` and `custom` are only in the log: see {@link SessionPort.readInput}. */
  readonly isInLog?: true;
}

/** The result of a successful append. */
export type AppendOutcome =
  | {
      readonly status: 'appended';
      readonly events: readonly OutgoingEvent[];
      readonly turn: { readonly id: string; readonly inputSequence: number } | null;
    }
  | { readonly status: 'repeated'; readonly original: OutgoingEvent };

/** A session's interface for its turns and its handoff, which use nothing else of it. */
export interface SessionPort {
  readonly context: MessagingContext;
  /** The session's row. */
  readonly row: StoredSession;
  readonly connector: MessagingConnector;
  /** The epoch under which this node writes the session; `null` while it does not. */
  readonly epoch: number | null;
  /** AGENT_JOINED is in the log and no AGENT_LEFT after it. */
  readonly hasAgentJoined: boolean;
  /** Whether the user has sent a message. */
  readonly hasUserMessage: boolean;
  /** The conversation before the turn caused by event `sequence`, oldest first. */
  historyBefore(sequence: number): readonly AgentHistoryEntry[];
  /**
   * Stores events with their effects in one commit, updates `row`, and publishes the events. Rejects with a
   * `SessionLossError` or a `DatabaseError`.
   */
  append(drafts: readonly ClientEventDraft[], effects?: AppendEffects): Promise<AppendOutcome>;
  /** Publishes an event outside the history to every connection of the session. Source: messaging.md 5.5. */
  notify(type: KnownEventType, payload?: Readonly<Record<string, unknown>>): void;
  /** Runs a task after all tasks accepted before it. */
  runExclusive<T>(task: () => Promise<T>): Promise<T>;
  /** Ends the session with `REASON_NATURAL_END`; the drafts come first, in the same commit. */
  endNaturally(drafts: readonly EventDraft[], effects?: AppendEffects): Promise<void>;
  /** Starts the handoff that the agent requested, and stores the end of its answer in the same commit. */
  startHandoff(action: HandoffAction, answer: readonly EventDraft[], effects: AppendEffects): Promise<void>;
  /** Removes and returns the waiting messages, so that a human answers them. */
  takeWaitingMessages(): readonly WaitingTurn[];
  /** Returns the turn with its input, reading it from the log if necessary. */
  readInput(turn: WaitingTurn): Promise<WaitingTurn>;
  /** Lets the agent answer again, beginning with the next waiting turn. */
  resumeAgent(): void;
  /** Discards the state in memory after a failed write. The next command reads the log again. */
  discard(error: unknown): void;
  /** Reports a failure to the operator. */
  report(what: string, error: unknown): void;
}
