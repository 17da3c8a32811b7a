import type { TurnRecord } from '../../agents/index.ts';

/** Why a conversation ended. */
export type ConversationEndReason = 'user' | 'agent' | 'handoff' | 'closed' | 'timed_out' | 'failed';

/** Initial values of a conversation. Unknown texts are empty. */
export type ConversationStart = {
  readonly atMs: number;
  readonly projectId: string;
  /** Null for channels without a connector. */
  readonly connectorId: string | null;
  readonly variantId: string;
  readonly variantName: string;
  /** `sandbox`, `pre-release` or `live`. */
  readonly environment: string;
  /** As shown in records: `WEBCHAT`, `CHAT`, `SMS`, `WHATSAPP`, `VOICE-SIP`. */
  readonly channel: string;
  readonly language: string;
  /** For calls; empty for text channels (CV-10). */
  readonly fromNumber: string;
  readonly toNumber: string;
  /** The integrator's id (HS-2). */
  readonly sharedId: string | null;
};

/** A concluded turn of the automated agent. Omitted fields are empty, false or none. Source: CV-15. */
export type ConversationTurn = Partial<TurnRecord> & {
  /** `greeting`: the agent began (CV-17). `event`: an external event, or the end of the wait for one. */
  readonly kind: 'greeting' | 'message' | 'event';
  readonly userInput?: string;
  readonly userInputDtmf?: string;
  /** When the input was accepted; null for a turn without input. */
  readonly userInputAtMs: number | null;
  readonly bargeIn?: boolean;
  readonly agentResponse: string;
  /** When the first part of the answer arrived; null for an empty answer. */
  readonly agentResponseAtMs: number | null;
  readonly isOod?: boolean;
  /** The user's turn was empty. */
  readonly isSilence?: boolean;
  readonly translatedUserInput?: string;
  readonly englishAgentResponse?: string;
  readonly latencyMs?: number | null;
  /** The variables after this turn; absent if unchanged. */
  readonly contextState?: Readonly<Record<string, unknown>> | undefined;
  /** Metadata that the channel stored with the turn. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Why the answer is missing or incomplete: `timeout`, `unavailable` and similar. */
  readonly failure?: string | null;
  /** Failed calls from the agent to its backend; absent: none. */
  readonly apiErrors?: number;
  /** Failed functions of the agent; absent: none. */
  readonly functionErrors?: number;
  /** When the turn was concluded. */
  readonly atMs: number;
};

/** The agent's decision to hand off. Source: section 14. */
export type ConversationHandoff = {
  readonly atMs: number;
  readonly reason: string;
  readonly destination: string;
  /** Data that the agent logic put into the handoff state (HS-3). */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly sharedId?: string | undefined;
};

/** Changes of one conversation, written atomically. Later changes add to earlier ones. */
export type ConversationChange = {
  /** `CONV-…` (CH-2). */
  readonly id: string;
  /** For a new conversation only. Repeating it has no effect. */
  readonly start?: ConversationStart | undefined;
  /** In the order in which they were concluded. */
  readonly turns?: readonly ConversationTurn[] | undefined;
  /** The conversation continues in this language. */
  readonly language?: string | undefined;
  readonly handoff?: ConversationHandoff | undefined;
  /** The agent answers again after a failed handoff. */
  readonly isAgentBack?: boolean | undefined;
  /** When the first person joined; later ones are ignored. */
  readonly personAtMs?: number | undefined;
  /** Later ends are ignored. */
  readonly end?: { readonly atMs: number; readonly reason: ConversationEndReason } | undefined;
};
