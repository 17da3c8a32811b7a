/** `{ custom }` of a frame: strings chosen by the client, returned on echoes. Source: messaging.md 5.3. */
export type CustomMap = Readonly<Record<string, string>>;

/** Capabilities of a session. Source: messaging.md 10. */
export interface Capabilities {
  readonly streaming: boolean;
  /** Limit for one client frame; 0 means none. */
  readonly max_message_size_bytes: number;
  /** 0 means unlimited; null: the client's own setting. */
  readonly max_reconnect_attempts: number | null;
  /** 0 means no heartbeats; null: the default. */
  readonly heartbeat_interval_seconds: number | null;
  /** Names of the extensions that the platform offers; undefined: none. Source: EXT-1. */
  readonly extensions?: readonly string[] | undefined;
}

export type SystemMessageLevel =
  | 'SYSTEM_MESSAGE_LEVEL_INFO'
  | 'SYSTEM_MESSAGE_LEVEL_WARNING'
  | 'SYSTEM_MESSAGE_LEVEL_ERROR';

export type TypingState = 'TYPING_STATE_STARTED' | 'TYPING_STATE_STOPPED';

/** Source: messaging.md 7.5. */
export interface WireAttachment {
  readonly content_type:
    | 'ATTACHMENT_CONTENT_TYPE_URL'
    | 'ATTACHMENT_CONTENT_TYPE_IMAGE'
    | 'ATTACHMENT_CONTENT_TYPE_UNKNOWN';
  readonly content_url: string | null;
  readonly title: string | null;
  readonly preview_image_url: string | null;
  readonly call_to_action_text: string | null;
}

/** Source: messaging.md 7.5. */
export interface ResponseSuggestion {
  readonly message_text: string;
  readonly payload: string | null;
}

/** Source: messaging.md 7.5. */
export interface WireCallAction {
  readonly title: string;
  readonly contact_number: string;
}

/** A visitor's rating of one message of the automated agent. Source: EXT-3. */
export interface FeedbackPayload {
  readonly message_id: string;
  /** `null` takes the rating back. */
  readonly rating: 'up' | 'down' | null;
  /** At most 1,000 characters; `null` for none. */
  readonly reason: string | null;
}

interface RichContent {
  readonly text: string;
  readonly attachments: readonly WireAttachment[];
  readonly response_suggestions: readonly ResponseSuggestion[];
  readonly chat_call_actions: readonly WireCallAction[];
}

type Empty = Readonly<Record<string, never>>;

/** Canonical payload of each event, by neutral type. Source: messaging.md 7. */
export interface ServerPayloads {
  readonly EVENT_TYPE_SESSION_START: {
    readonly capabilities: Capabilities;
    readonly context_id: string | null;
  };
  readonly EVENT_TYPE_SESSION_END: { readonly reason: string | null };
  readonly EVENT_TYPE_SYSTEM_MESSAGE: {
    readonly level: SystemMessageLevel;
    readonly message: string;
    /** Our extension: name of the configured agent, if the platform does not have it and therefore no agent joins. */
    readonly missing_agent?: string | undefined;
  };
  readonly EVENT_TYPE_LANGUAGE_CHANGED: { readonly language_code: string | null };
  readonly EVENT_TYPE_SESSION_IDLE_WARNING: { readonly seconds_remaining: number | null };
  readonly EVENT_TYPE_HEARTBEAT: Empty;
  readonly EVENT_TYPE_REQUEST_AGENT_JOIN: Empty;
  readonly EVENT_TYPE_USER_END_SESSION: Empty;
  readonly EVENT_TYPE_USER_MESSAGE: { readonly message_id: string; readonly text: string };
  readonly EVENT_TYPE_USER_TYPING: { readonly state: TypingState };
  readonly EVENT_TYPE_AGENT_JOINED: {
    readonly agent_name: string | null;
    readonly agent_avatar_url: string | null;
  };
  readonly EVENT_TYPE_AGENT_THINKING: Empty;
  readonly EVENT_TYPE_AGENT_MESSAGE: RichContent & {
    readonly message_id: string;
    readonly agent_name: string | null;
    readonly avatar_url: string | null;
    readonly end_conversation: boolean;
  };
  readonly EVENT_TYPE_AGENT_MESSAGE_CHUNK: RichContent & {
    readonly message_id: string;
    /** 1-based; `null` if the platform left it out (ASM-2). */
    readonly chunk_index: number | null;
    readonly is_complete: boolean;
    readonly end_conversation: boolean;
  };
  readonly EVENT_TYPE_AGENT_LEFT: { readonly reason: string | null };
  readonly EVENT_TYPE_AGENT_TRIGGERED_HANDOFF: {
    /** When the desk is staffed, in words. */
    readonly desk_hours?: string | undefined;
  };
  readonly EVENT_TYPE_LIVE_AGENT_JOINED: {
    readonly agent_id: string | null;
    readonly agent_name: string | null;
    readonly avatar_url: string | null;
  };
  readonly EVENT_TYPE_LIVE_AGENT_TYPING: {
    readonly state: TypingState;
    readonly agent_id: string | null;
    readonly agent_name: string | null;
  };
  readonly EVENT_TYPE_LIVE_AGENT_MESSAGE: RichContent & {
    readonly message_id: string;
    readonly agent_id: string | null;
    readonly agent_name: string | null;
    readonly avatar_url: string | null;
  };
  readonly EVENT_TYPE_LIVE_AGENT_LEFT: {
    readonly agent_id: string | null;
    readonly agent_name: string | null;
    readonly reason: string | null;
    /** The person or queue that the conversation is passed to. */
    readonly next_name?: string | undefined;
  };
  readonly EVENT_TYPE_HANDOFF_ACCEPTED: { readonly queue_name: string | null };
  readonly EVENT_TYPE_HANDOFF_QUEUE_STATUS: {
    readonly queue_name: string | null;
    readonly position_in_queue: number | null;
    readonly estimated_wait_seconds: number | null;
    readonly display_message: string | null;
  };
  readonly EVENT_TYPE_CLIENT_HANDOFF_REQUIRED: {
    readonly route: string | null;
    readonly reason: string | null;
    readonly queue_name: string | null;
  };
  readonly EVENT_TYPE_HANDOFF_FAILED: { readonly reason: string | null };
  /** Sent only if the survey is enabled (TBD-2). */
  readonly EVENT_TYPE_SHOW_CSAT_REQUEST: {
    readonly survey_id: string;
    readonly title: string;
    readonly question: string;
    /** Symbols of the scale; undefined: faces. */
    readonly scale?: 'stars' | undefined;
  };
  /** Echo of a client's event. Source: EXT-3. */
  readonly EVENT_TYPE_X_FEEDBACK: FeedbackPayload;
  readonly EVENT_TYPE_HANDOFF_TIMEOUT: { readonly reason: string | null };
}

/** Neutral type of a decoded event. */
export type ServerEventType = keyof ServerPayloads;

/** One decoded event of a given type. */
export interface ServerEventOf<Type extends ServerEventType> {
  readonly type: Type;
  /** Unique per event; empty for a heartbeat without one. */
  readonly id: string;
  /** Starts at 1 in each session; `null` for transient events. */
  readonly sequence: number | null;
  /** Milliseconds since the epoch; `null` if it could not be read, which counts as now (ENV-2). */
  readonly timestampMs: number | null;
  readonly custom: CustomMap | null;
  readonly payload: ServerPayloads[Type];
}

/** Any decoded event, discriminated by its neutral `type`. */
export type ServerEvent = { [Type in ServerEventType]: ServerEventOf<Type> }[ServerEventType];
