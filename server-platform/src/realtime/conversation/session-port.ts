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
  /** What the client sent along (MET-1). */
  readonly custom: CustomMap | null;
  readonly queuedAtMs: number;
  /** The visitor wrote it while an answer was streaming. Absent after a change of the owner. */
  readonly bargesIn?: boolean;
  /** `text` and `custom` are in the log alone: see {@link SessionPort.readInput}. */
  readonly isInLog?: true;
}

/** The result of an append that was not refused. */
export type AppendOutcome =
  | {
      readonly status: 'appended';
      readonly events: readonly OutgoingEvent[];
      readonly turn: { readonly id: string; readonly inputSequence: number } | null;
    }
  | { readonly status: 'repeated'; readonly original: OutgoingEvent };

/** One session as its turns and its hand-off use it: all they know of the code that owns it. */
export interface SessionPort {
  readonly context: MessagingContext;
  /** The session as it is stored. */
  readonly row: StoredSession;
  readonly connector: MessagingConnector;
  /** Under which this node writes the session; `null` while it does not. */
  readonly epoch: number | null;
  /** AGENT_JOINED is in the log and no AGENT_LEFT after it. */
  readonly hasAgentJoined: boolean;
  /** Whether the user has written anything. */
  readonly hasUserMessage: boolean;
  /** The conversation before the turn that the event `sequence` asked for, oldest first. */
  historyBefore(sequence: number): readonly AgentHistoryEntry[];
  /**
   * Stores events with their effects in one commit, keeps `row` in step, and publishes the events. Rejects with a
   * `SessionLossError` or a `DatabaseError`.
   */
  append(drafts: readonly ClientEventDraft[], effects?: AppendEffects): Promise<AppendOutcome>;
  /** Publishes an event that is not history to every connection of the session. Source: messaging.md 5.5. */
  notify(type: KnownEventType, payload?: Readonly<Record<string, unknown>>): void;
  /** Runs a task after every task that was accepted before. */
  runExclusive<T>(task: () => Promise<T>): Promise<T>;
  /** Ends the session with `REASON_NATURAL_END`; the drafts come first, in the same commit. */
  endNaturally(drafts: readonly EventDraft[], effects?: AppendEffects): Promise<void>;
  /** Carries out the agent's request for a human; the answer it ended is stored in the same commit. */
  startHandoff(action: HandoffAction, answer: readonly EventDraft[], effects: AppendEffects): Promise<void>;
  /** Removes the messages that wait for the agent, so that a human answers them. */
  takeWaitingMessages(): readonly WaitingTurn[];
  /** The turn with its input, which is read from the log where the turn does not hold it. */
  readInput(turn: WaitingTurn): Promise<WaitingTurn>;
  /** The agent answers again: the next waiting turn starts. */
  resumeAgent(): void;
  /** Storing failed: discards what this node holds in memory. The next command reads the log again. */
  discard(error: unknown): void;
  /** Reports a failure to the operator. */
  report(what: string, error: unknown): void;
}
