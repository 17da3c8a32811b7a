import type { ReadonlySignal } from '@preact/signals-core';

/** State of the connection to the platform. `failed` requires the visitor's action. Source: messaging.md 11. */
export type ConnectionStatus =
  | { readonly status: 'idle' }
  | { readonly status: 'connecting'; readonly offline: boolean }
  /** `isTurnBased` if the network blocks sockets: answers arrive as a whole, and only in response to the visitor. */
  | { readonly status: 'open'; readonly isTurnBased?: true }
  | {
      readonly status: 'reconnecting';
      readonly attempt: number;
      readonly nextAttemptAtMs: number | null;
      readonly offline: boolean;
    }
  | { readonly status: 'closing' }
  | { readonly status: 'closed' }
  | { readonly status: 'failed'; readonly reason: FailureReason };

/** Why the client stopped trying automatically. */
export type FailureReason =
  | 'reconnect_budget_spent'
  | 'session_expired'
  | 'connector_rejected'
  | 'origin_not_allowed'
  /** The platform refuses the page's handshakes, because the connector does not list its host. Source: WS-7. */
  | 'host_not_registered'
  | 'service_unavailable';

/** State of one conversation as known to the client. `ended` and `expired` are final. Source: messaging.md 11. */
export type SessionStatus =
  | { readonly status: 'unknown' }
  | { readonly status: 'restored' }
  | { readonly status: 'active' }
  | { readonly status: 'ended'; readonly by: 'user' | 'agent' | 'inactivity' | 'platform' }
  | { readonly status: 'expired' };

/**
 * Delivery state of a visitor's message. `queued` waits for a connection, `sent` means the platform stored it. Source:
 * DEL-1.
 */
export type DeliveryStatus =
  | { readonly status: 'queued' }
  | { readonly status: 'pending' }
  | { readonly status: 'sent' }
  | {
      readonly status: 'failed';
      readonly reason: 'too_long' | 'refused' | 'no_answer' | 'chat_ended';
      readonly isRetryable: boolean;
    };

export interface Attachment {
  readonly kind: 'url' | 'image';
  readonly contentUrl: string | null;
  readonly title: string | null;
  readonly previewImageUrl: string | null;
  readonly callToActionText: string | null;
}

export interface Suggestion {
  readonly text: string;
}

export interface CallAction {
  readonly title: string;
  /** Only digits and `+`, for a `tel:` link. */
  readonly phoneNumber: string;
}

/** The current speaker. A human agent is always distinguishable from the automated agent. */
export interface Speaker {
  readonly kind: 'agent' | 'live_agent';
  readonly id: string | null;
  readonly name: string | null;
  readonly avatarUrl: string | null;
}

/** A visitor's rating of an answer. Source: EXT-3. */
export interface Feedback {
  /** `null` for a withdrawn rating whose withdrawal is not stored yet. */
  readonly rating: 'up' | 'down' | null;
  /** The visitor's own text; `null` for none. */
  readonly reason: string | null;
  /** `sent` once stored. */
  readonly delivery: DeliveryStatus;
}

/** One entry of the transcript, in display order. `key` is stable for the life of the entry. */
export type TranscriptItem =
  | {
      readonly kind: 'user';
      readonly key: string;
      readonly text: string;
      readonly atMs: number;
      readonly delivery: DeliveryStatus;
      /** The draft's id when this client wrote it, for `retry` and `discard`. */
      readonly localId: string | null;
    }
  | {
      readonly kind: 'agent';
      readonly key: string;
      /** The platform's id of the message; empty if it has none. */
      readonly messageId: string;
      readonly speaker: Speaker;
      readonly text: string;
      readonly isStreaming: boolean;
      /** The visitor stopped the answer, so this is the text received until then. */
      readonly isStopped?: true;
      readonly atMs: number;
      readonly attachments: readonly Attachment[];
      readonly callActions: readonly CallAction[];
      /** The visitor's rating of the message. */
      readonly feedback?: Feedback;
    }
  | { readonly kind: 'system'; readonly key: string; readonly atMs: number; readonly notice: SystemNotice };

/** A notice about the conversation, shown as one line. The widget provides the text. */
export type SystemNotice =
  | { readonly code: 'agent_joined'; readonly name: string | null }
  | { readonly code: 'agent_left'; readonly name: string | null }
  /** `hours`: when the desk is staffed, in the site's own format. */
  | { readonly code: 'handoff_started'; readonly hours?: string }
  | { readonly code: 'handoff_accepted'; readonly queueName: string | null }
  | { readonly code: 'handoff_required'; readonly route: string | null }
  /** `reason` as reported by the desk: `closed` while no person is on duty. Absent if not reported. */
  | { readonly code: 'handoff_failed'; readonly reason?: string }
  /** The visitor returned to the automated agent. */
  | { readonly code: 'handoff_cancelled' }
  | { readonly code: 'handoff_timed_out' }
  | { readonly code: 'live_agent_joined'; readonly name: string | null }
  /** `nextName`: the person or queue that the conversation is passed to. */
  | { readonly code: 'live_agent_left'; readonly name: string | null; readonly nextName?: string | undefined }
  /** The conversation continues in another language, a BCP-47 tag. */
  | { readonly code: 'language_changed'; readonly language: string }
  | { readonly code: 'idle_warning'; readonly secondsRemaining: number | null }
  | {
      readonly code: 'platform_message';
      readonly level: 'info' | 'warning' | 'error';
      readonly text: string;
    };

/** The visitor's place in a handoff queue; null outside of one. */
export interface QueueStatus {
  readonly queueName: string | null;
  readonly position: number | null;
  readonly estimatedWaitSeconds: number | null;
  readonly message: string | null;
}

/** The survey at the conversation's end; `open` until the visitor has answered. Source: TBD-3. */
export interface Survey {
  readonly id: string;
  readonly title: string;
  readonly question: string;
  /** Symbols of the scale from 1 to 5. */
  readonly scale: 'faces' | 'stars';
  /** Whether the platform accepts a comment with the answer. Source: EXT-7. */
  readonly canComment: boolean;
  readonly status: 'open' | 'rated' | 'skipped';
}

/** The speaker who is typing; `null` for none. Source: IND-1. */
export type TypingStatus = { readonly speaker: Speaker } | null;

/**
 * Everything that a view renders, as signals: each transcript entry has its own, so that a chunk affects one bubble
 * only.
 */
export interface ChatState {
  readonly connection: ReadonlySignal<ConnectionStatus>;
  readonly session: ReadonlySignal<SessionStatus>;
  /** Changes when entries are added, removed or moved; an entry's own signal changes with its content. */
  readonly messages: ReadonlySignal<readonly ReadonlySignal<TranscriptItem>[]>;
  /** True once a lost connection should be shown, but not for an interruption of half a second. Source: CON-6. */
  readonly hasLostConnection: ReadonlySignal<boolean>;
  /** The current speaker of the company: the automated agent or a person; `null` for none. */
  readonly speaker: ReadonlySignal<Speaker | null>;
  readonly typing: ReadonlySignal<TypingStatus>;
  readonly queue: ReadonlySignal<QueueStatus | null>;
  /** True while the visitor waits for a person and the platform supports withdrawing the request. Source: EXT-5. */
  readonly canCancelHandoff: ReadonlySignal<boolean>;
  /** True while an answer streams that the visitor can stop. Source: EXT-4, EXT-6. */
  readonly canStopAnswer: ReadonlySignal<boolean>;
  /** Whether `feedback()` reaches the platform or the token proxy's hook. Source: EXT-3, EXT-6. */
  readonly canGiveFeedback: ReadonlySignal<boolean>;
  /**
   * Whether `requestContact()` reaches the site: its platform or token proxy accepts such requests, and the
   * conversation is active.
   */
  readonly canRequestContact: ReadonlySignal<boolean>;
  /** `null` without an open survey, and after its time limit. */
  readonly survey: ReadonlySignal<Survey | null>;
  /** Suggestions of the latest agent message; empty once the visitor has sent a message. */
  readonly suggestions: ReadonlySignal<readonly Suggestion[]>;
  /** Agent messages completed since the view last called `markRead()`. */
  readonly unread: ReadonlySignal<number>;
  /** BCP-47 tag of the conversation; null until the platform sends one. */
  readonly language: ReadonlySignal<string | null>;
  /** The draft of this tab's composer: the last value given to `setUnsent`, until `logout()` or another user. */
  readonly unsent: ReadonlySignal<string>;
}
