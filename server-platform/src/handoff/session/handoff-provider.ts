import type { AgentHistoryEntry, HandoffReason } from '../../agents/index.ts';

/** A conversation to be handed to a person. */
export interface HandoffRequest {
  readonly sessionId: string;
  readonly conversationId: string;
  readonly connectorId: string;
  readonly projectId: string;
  /** Name of the provider that the connector or its project is configured with; null: none. */
  readonly provider: string | null;
  readonly destination: string;
  readonly reason: HandoffReason;
  readonly queueName: string | null;
  /** Extra facts from the agent (`rest.md`, HS-3). */
  readonly data: Readonly<Record<string, unknown>>;
  readonly history: readonly AgentHistoryEntry[];
}

/** A person on the other side. Source: messaging.md 7.3. */
export interface LiveAgent {
  readonly id: string;
  readonly name: string;
  readonly avatarUrl: string | null;
}

/** Reason why a human agent leaves, and the name of the agent or queue they transfer the conversation to. */
export interface Departure {
  readonly reason?: string;
  readonly nextName?: string;
  /** For the automated agent that continues the conversation. */
  readonly summary?: string;
}

/** A visitor's place in a queue. Source: messaging.md 7.4. */
export interface QueueStatus {
  readonly queueName?: string;
  readonly positionInQueue?: number;
  readonly estimatedWaitSeconds?: number;
  readonly displayMessage?: string;
}

/** A human agent's message. Lists have the wire format (7.5). */
export interface LiveAgentMessage {
  readonly agent: LiveAgent;
  readonly text: string;
  readonly attachments?: readonly Readonly<Record<string, string>>[];
  readonly suggestions?: readonly Readonly<Record<string, string>>[];
}

/**
 * Calls from a provider to a session. They are carried out one after the other, in order; each resolves when it is
 * stored, and does nothing once the hand-off is over. With an `id`, a repeated call with the same one is stored once.
 */
export interface HandoffSession {
  accepted(queueName: string | null, id?: string): Promise<void>;
  queueChanged(status: QueueStatus): Promise<void>;
  agentJoined(agent: LiveAgent, id?: string): Promise<void>;
  agentTyping(agent: LiveAgent, state: 'TYPING_STATE_STARTED' | 'TYPING_STATE_STOPPED'): Promise<void>;
  /** Resolves with the platform's message id. */
  agentSent(message: LiveAgentMessage, id?: string): Promise<string | null>;
  /**
   * `next` says what follows: `end` ends the session, `wait` leaves it to another person, `agent` gives it back to the
   * automated agent. Source: 8.10.
   */
  agentLeft(
    agent: LiveAgent,
    next: 'end' | 'wait' | 'agent',
    departure?: Departure,
    id?: string,
  ): Promise<void>;
  /** No live session came about; `notice` gives the visitor the reason. Source: 8.5. */
  failed(reason?: string, notice?: string): Promise<void>;
}

/** A hand-off under way, as the session uses it. */
export interface HandoffLink {
  /** Data with which the provider finds this hand-off after a restart; any JSON value. */
  readonly reference: unknown;
  /** Rejects when the message could not be delivered. */
  sendMessage(message: { readonly messageId: string; readonly text: string }): Promise<void>;
  sendTyping(state: 'TYPING_STATE_STARTED' | 'TYPING_STATE_STOPPED'): void;
  /** The visitor has read a message, according to the client. Only if the connector has receipts (TBD-3). */
  sendRead?(messageId: string): void;
  /** The session is over or the hand-off was given up. */
  close(reason: HandoffCloseReason): void;
}

/** Why a hand-off is over for its provider. `cancelled_by_user`: the visitor withdrew the request (EXT-5). */
export type HandoffCloseReason = 'user_ended' | 'expired' | 'timed_out' | 'cancelled_by_user' | 'shutdown';

/** A hand-off to take up again after a restart. */
export interface HandoffResumption {
  readonly sessionId: string;
  readonly reference: unknown;
  /** Whether a person had joined. */
  readonly isLive: boolean;
}

/** A way to reach people: a desk, a contact centre, a service of the customer. */
export interface ServerHandoffProvider {
  readonly managed: 'server';
  /** Whether this provider serves the destination. The platform uses its first provider that returns true. */
  serves(request: HandoffRequest): boolean;
  /**
   * Opens a hand-off. Rejects when none can be opened; with a {@link HandoffRefusedError} when trying again would not
   * help.
   */
  open(request: HandoffRequest, session: HandoffSession): Promise<HandoffLink>;
  /** Finds one again after a restart; null when it is gone. */
  resume(request: HandoffResumption, session: HandoffSession): Promise<HandoffLink | null>;
}

/** The visitor's page connects to human agents itself (8.4), regardless of the agent's request. */
export interface ClientHandoffProvider {
  readonly managed: 'client';
  serves(request: HandoffRequest): boolean;
}

/** A provider of either kind. */
export type HandoffProvider = ServerHandoffProvider | ClientHandoffProvider;

/** The desk refuses this hand-off permanently, or is not configured for it. Source: messaging.md 12.1. */
export class HandoffRefusedError extends Error {
  override readonly name: string = 'HandoffRefusedError';
  readonly code = 'handoff_refused' as const;
  readonly retryable: boolean = false;
}

/** Whether something thrown is a {@link HandoffRefusedError}. */
export function isHandoffRefusedError(error: unknown): error is HandoffRefusedError {
  return error instanceof Error && error.name === 'HandoffRefusedError';
}
