/** One message of the conversation so far, as the agent receives it. */
export interface AgentHistoryEntry {
  readonly author: 'user' | 'agent' | 'live_agent';
  readonly text: string;
}

/** An external event of the conversation (`rest.md`, EE-6), in the order in which it was stored. */
export interface AgentExternalEvent {
  /** The name that the agent set when it started to wait. */
  readonly name: string;
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly contentType: string;
  /** Parsed JSON or form, the raw text for XML and plain text. */
  readonly data: unknown;
  /** True when a model may see the payload before its next turn, as the agent set when it started to wait. */
  readonly sendToLlm: boolean;
}

/**
 * Input of one turn. It is read-only: an agent changes the conversation only by yielding actions.
 */
export interface AgentTurn {
  /**
   * - `greeting`: the conversation has just begun, `text` is empty.
   * - `message`: the user wrote `text`; an empty `text` is a silence (`rest.md`, 3.2).
   * - `event`: the event of a `wait_for_event` action has arrived, or its time has run out; see `event`.
   */
  readonly kind: 'greeting' | 'message' | 'event';
  readonly text: string;
  /** Everything before this turn, oldest first. The text of this turn is not in it. */
  readonly history: readonly AgentHistoryEntry[];
  /** BCP-47 tag of the conversation's current language. */
  readonly language: string;
  /**
   * What earlier turns stored with the `state` action, and the variables that the platform sets: `page_context` (the
   * last one), `integration_attributes`, `handoff_summary` (a person's, when they gave the conversation back), and for calls
   * `from_`, `to` and `call_sid`.
   */
  readonly state: Readonly<Record<string, unknown>>;
  /**
   * The verified facts about the user (VCI-10). For decisions only: an agent puts nothing of it into texts, prompts or
   * state unless its own logic names the value.
   */
  readonly contextVault: Readonly<Record<string, string | number | boolean | null>>;
  /**
   * Facts that the visitor's page sent with this input, without the keys that name drafts (MET-4); absent means none. They
   * are not verified, so use them for a greeting or a guess, never for a permission. Verified facts are in `contextVault`.
   */
  readonly pageContext?: Readonly<Record<string, string>>;
  readonly conversationId: string;
  /** Absent in test turns of the console. */
  readonly projectId?: string;
  /** Attributes that the integrator set for the conversation (`rest.md`, 3.1 and DN-4); absent means none. */
  readonly integrationAttributes?: Readonly<Record<string, unknown>>;
  /** Metadata that the integrator set for this turn (`rest.md`, 3.2); absent means none. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The project's variant that the conversation runs in; absent means none. */
  readonly variantId?: string;
  /** Aborted when the session ends or the turn is cancelled; the agent then stops and yields nothing more. */
  readonly signal: AbortSignal;
  /** Set on an `event` turn: the name waited for and what came; `received` is null when the time ran out. */
  readonly event?: { readonly name: string; readonly received: AgentExternalEvent | null };
  /** All external events of the conversation so far; absent means none. */
  readonly externalEvents?: readonly AgentExternalEvent[];
}

/** A link card or a picture, in the wire format (`messaging.md`, 7.5). */
export interface AgentAttachment {
  readonly content_type: 'ATTACHMENT_CONTENT_TYPE_URL' | 'ATTACHMENT_CONTENT_TYPE_IMAGE';
  readonly content_url: string | null;
  readonly title: string | null;
  readonly preview_image_url: string | null;
  readonly call_to_action_text: string | null;
}

/** A suggested reply that the user can tap, in the wire format (`messaging.md`, 7.5). */
export interface AgentSuggestion {
  readonly message_text: string;
  readonly payload: string | null;
}

/** A number that the user can call, in the wire format (`messaging.md`, 7.5). */
export interface AgentCallAction {
  readonly title: string;
  readonly contact_number: string;
}

/** Reasons of a hand-off that the built-in agents store in the record. */
export const HANDOFF_CAUSES = ['asked for a person', 'not answered', 'complaint', 'emergency'] as const;

/** One of {@link HANDOFF_CAUSES}. */
export type HandoffCause = (typeof HANDOFF_CAUSES)[number];

/** Reason of a hand-off; the wire's values (`messaging.md`, 7.4). */
export type HandoffReason = 'COMPLEX_QUERY' | 'AGENT_DECISION' | 'POLICY';

/** A piece of the answer. May come many times; the pieces are concatenated without separator (STR-2). */
export interface TextAction {
  readonly type: 'text';
  readonly text: string;
}

/**
 * Hands the conversation to a person after the text of this turn. With `managed: 'server'` the platform's hand-off
 * provider takes over (8.3), with `'client'` the page does (8.4). No action of the same turn may follow.
 */
export interface HandoffAction {
  readonly type: 'handoff';
  readonly destination: string;
  readonly reason: HandoffReason;
  /** Reason as text: `handoff_reason` of the record (`rest.md`, 4.2). Default: `reason`. */
  readonly why?: string;
  readonly managed: 'server' | 'client';
  readonly queueName?: string;
  /** Opening hours of the desk, as a text for the visitor. */
  readonly deskHours?: string;
  /** Additional values for the hand-off state (`rest.md`, HS-3). */
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * Waits for an external event. When it comes, or after `timeoutMs`, the agent gets a turn of the kind `event`. The user
 * may keep writing meanwhile. The id is valid for one hour from this action on: yield it before the text that names
 * the id. A wait of the same name replaces the earlier one; a second wait for the same id receives later events only.
 */
export interface WaitForEventAction {
  readonly type: 'wait_for_event';
  readonly name: string;
  readonly timeoutMs: number;
  /** The id that the agent names in its own text (`evt_` + ULID, EE-3). */
  readonly eventId: string;
  /** Whether a model may see the event's content (EE-6). Default: no. */
  readonly sendToLlm?: boolean;
}

/** Facts by kind (`date`, `time`, `route`, …): one text, or a list of at least two. */
export type Entities = Readonly<Record<string, string | readonly string[]>>;

/** Everything an agent can do in a turn. Texts, attachments, suggestions and call actions of a turn are one message. */
export type AgentAction =
  | TextAction
  | { readonly type: 'attachment'; readonly attachment: AgentAttachment }
  | { readonly type: 'suggestions'; readonly suggestions: readonly AgentSuggestion[] }
  | { readonly type: 'call_action'; readonly callAction: AgentCallAction }
  /** Switches the conversation to this language; yielded before the first text in it (7.1). */
  | { readonly type: 'language'; readonly languageCode: string }
  /**
   * Merged into the state, key by key; a value of null removes the key. Values must survive JSON. A key that begins with an
   * underscore is the agent's private memory: later turns receive it, records and people do not.
   */
  | { readonly type: 'state'; readonly set: Readonly<Record<string, unknown>> }
  | { readonly type: 'metric'; readonly name: string; readonly value: string | number | boolean }
  | { readonly type: 'intent'; readonly name: string }
  /** Entities found in the user's text, such as a date or a route; stored with the turn (`rest.md`, CV-16). */
  | { readonly type: 'entities'; readonly found: Entities }
  /** One of the agent's functions failed, and the agent continued without its result; `name` is the function's name. */
  | { readonly type: 'function_error'; readonly name: string }
  /** The agent's model or service failed, and the agent answered without it. */
  | { readonly type: 'api_error' }
  | WaitForEventAction
  | HandoffAction
  /** The agent has said goodbye: the conversation ends after the message (8.7). The last action of its turn. */
  | { readonly type: 'end' };

/**
 * An automated agent. One object serves all conversations at once and keeps nothing between turns; it stores values for
 * later turns through the `state` action.
 *
 * Fails by throwing an `AgentError` out of the iteration. An aborted turn ends by throwing the signal's reason or by
 * finishing early; either way nothing more is yielded.
 *
 * @example
 * for await (const action of agent.run(turn)) apply(action);
 */
export interface Agent {
  /** Shown to the user (AGENT_JOINED `agent_name`). */
  readonly name: string;
  readonly avatarUrl: string | null;
  run(turn: AgentTurn): AsyncIterable<AgentAction>;
}
