type CustomMap = Readonly<Record<string, string>>;
interface Capabilities {
  readonly streaming: boolean;
  readonly max_message_size_bytes: number;
  readonly max_reconnect_attempts: number | null;
  readonly heartbeat_interval_seconds: number | null;
  readonly extensions?: readonly string[] | undefined;
}
type SystemMessageLevel = 'SYSTEM_MESSAGE_LEVEL_INFO' | 'SYSTEM_MESSAGE_LEVEL_WARNING' | 'SYSTEM_MESSAGE_LEVEL_ERROR';
type TypingState = 'TYPING_STATE_STARTED' | 'TYPING_STATE_STOPPED';
interface WireAttachment {
  readonly content_type: 'ATTACHMENT_CONTENT_TYPE_URL' | 'ATTACHMENT_CONTENT_TYPE_IMAGE' | 'ATTACHMENT_CONTENT_TYPE_UNKNOWN';
  readonly content_url: string | null;
  readonly title: string | null;
  readonly preview_image_url: string | null;
  readonly call_to_action_text: string | null;
}
interface ResponseSuggestion {
  readonly message_text: string;
  readonly payload: string | null;
}
interface WireCallAction {
  readonly title: string;
  readonly contact_number: string;
}
interface FeedbackPayload {
  readonly message_id: string;
  readonly rating: 'up' | 'down' | null;
  readonly reason: string | null;
}
interface RichContent {
  readonly text: string;
  readonly attachments: readonly WireAttachment[];
  readonly response_suggestions: readonly ResponseSuggestion[];
  readonly chat_call_actions: readonly WireCallAction[];
}
type Empty$1 = Readonly<Record<string, never>>;
interface ServerPayloads {
  readonly EVENT_TYPE_SESSION_START: {
    readonly capabilities: Capabilities;
    readonly context_id: string | null;
  };
  readonly EVENT_TYPE_SESSION_END: {
    readonly reason: string | null;
  };
  readonly EVENT_TYPE_SYSTEM_MESSAGE: {
    readonly level: SystemMessageLevel;
    readonly message: string;
    readonly missing_agent?: string | undefined;
  };
  readonly EVENT_TYPE_LANGUAGE_CHANGED: {
    readonly language_code: string | null;
  };
  readonly EVENT_TYPE_SESSION_IDLE_WARNING: {
    readonly seconds_remaining: number | null;
  };
  readonly EVENT_TYPE_HEARTBEAT: Empty$1;
  readonly EVENT_TYPE_REQUEST_AGENT_JOIN: Empty$1;
  readonly EVENT_TYPE_USER_END_SESSION: Empty$1;
  readonly EVENT_TYPE_USER_MESSAGE: {
    readonly message_id: string;
    readonly text: string;
  };
  readonly EVENT_TYPE_USER_TYPING: {
    readonly state: TypingState;
  };
  readonly EVENT_TYPE_AGENT_JOINED: {
    readonly agent_name: string | null;
    readonly agent_avatar_url: string | null;
  };
  readonly EVENT_TYPE_AGENT_THINKING: Empty$1;
  readonly EVENT_TYPE_AGENT_MESSAGE: RichContent & {
    readonly message_id: string;
    readonly agent_name: string | null;
    readonly avatar_url: string | null;
    readonly end_conversation: boolean;
  };
  readonly EVENT_TYPE_AGENT_MESSAGE_CHUNK: RichContent & {
    readonly message_id: string;
    readonly chunk_index: number | null;
    readonly is_complete: boolean;
    readonly end_conversation: boolean;
  };
  readonly EVENT_TYPE_AGENT_LEFT: {
    readonly reason: string | null;
  };
  readonly EVENT_TYPE_AGENT_TRIGGERED_HANDOFF: {
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
    readonly next_name?: string | undefined;
  };
  readonly EVENT_TYPE_HANDOFF_ACCEPTED: {
    readonly queue_name: string | null;
  };
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
  readonly EVENT_TYPE_HANDOFF_FAILED: {
    readonly reason: string | null;
  };
  readonly EVENT_TYPE_SHOW_CSAT_REQUEST: {
    readonly survey_id: string;
    readonly title: string;
    readonly question: string;
    readonly scale?: 'stars' | undefined;
  };
  readonly EVENT_TYPE_X_FEEDBACK: FeedbackPayload;
  readonly EVENT_TYPE_HANDOFF_TIMEOUT: {
    readonly reason: string | null;
  };
}
type ServerEventType = keyof ServerPayloads;
interface ServerEventOf<Type extends ServerEventType> {
  readonly type: Type;
  readonly id: string;
  readonly sequence: number | null;
  readonly timestampMs: number | null;
  readonly custom: CustomMap | null;
  readonly payload: ServerPayloads[Type];
}
type ServerEvent = { [Type in ServerEventType]: ServerEventOf<Type>; }[ServerEventType];
interface Envelope<Type extends string, Payload> {
  readonly type: Type;
  readonly payload: Payload;
  readonly custom: CustomMap | null;
}
type Empty = Readonly<Record<string, never>>;
type ClientEvent = Envelope<'EVENT_TYPE_REQUEST_AGENT_JOIN', Empty> | Envelope<'EVENT_TYPE_USER_MESSAGE', {
  readonly text: string;
}> | Envelope<'EVENT_TYPE_USER_TYPING', {
  readonly state: TypingState;
}> | Envelope<'EVENT_TYPE_USER_END_SESSION', Empty> | Envelope<'EVENT_TYPE_HEARTBEAT', Empty> | OptionalClientEvent | ExtensionClientEvent;
type ExtensionClientEvent = Envelope<'EVENT_TYPE_X_CANCEL_HANDOFF', Empty> | Envelope<'EVENT_TYPE_X_STOP_RESPONSE', {
  readonly message_id: string;
}> | Envelope<'EVENT_TYPE_X_FEEDBACK', FeedbackPayload>;
type OptionalClientEvent = Envelope<'EVENT_TYPE_CSAT_RESPONSE', {
  readonly survey_id: string;
  readonly score: number | null;
  readonly skipped: boolean;
}> | Envelope<'EVENT_TYPE_USER_RECEIVED_MESSAGE' | 'EVENT_TYPE_USER_READ_MESSAGE', {
  readonly message_id: string;
}>;
declare function clientEventIdOf(custom: CustomMap | null): string | null;
declare namespace close_codes_d_exports {
  export {
  abnormal,
  applicationError,
  goingAway,
  internalError,
  networkLost,
  normal,
  overload,
  policyViolation,
  replaced,
  restart,
  sessionRejected,
  tooLarge$1 as tooLarge,
};
}
declare const normal = 1000;
declare const goingAway = 1001;
declare const abnormal = 1006;
declare const policyViolation = 1008;
declare const tooLarge$1 = 1009;
declare const internalError = 1011;
declare const restart = 1012;
declare const overload = 1013;
declare const replaced = 4000;
declare const sessionRejected = 4001;
declare const applicationError = 4002;
declare const networkLost = 4003;
declare function parseCursor(value: string | null): {
  readonly cursor: number;
  readonly isValid: boolean;
};
declare function writeCursor(highestSequence: number): string | null;
type Vocabulary = 'neutral' | 'poly';
declare const SERVER_NAMES: readonly [
  'SESSION_START',
  'SESSION_END',
  'EVENT_BATCH',
  'SYSTEM_MESSAGE',
  'LANGUAGE_CHANGED',
  'AGENT_JOINED',
  'AGENT_THINKING',
  'AGENT_MESSAGE',
  'AGENT_MESSAGE_CHUNK',
  'AGENT_LEFT',
  'AGENT_TRIGGERED_HANDOFF',
  'LIVE_AGENT_JOINED',
  'LIVE_AGENT_TYPING',
  'LIVE_AGENT_MESSAGE',
  'LIVE_AGENT_LEFT',
  'CLIENT_HANDOFF_REQUIRED',
  'HANDOFF_ACCEPTED',
  'HANDOFF_QUEUE_STATUS',
  'HANDOFF_FAILED',
  'HANDOFF_TIMEOUT',
  'SESSION_IDLE_WARNING',
];
declare const CLIENT_NAMES: readonly [
  'REQUEST_AGENT_JOIN',
  'USER_MESSAGE',
  'USER_TYPING',
  'USER_END_SESSION',
  'HEARTBEAT',
];
type Prefixed<Name extends string> = `EVENT_TYPE_${Name}`;
type ClientEventType = Prefixed<(typeof CLIENT_NAMES)[number]>;
type KnownEventType = Prefixed<(typeof SERVER_NAMES)[number]> | ClientEventType | 'EVENT_TYPE_SHOW_CSAT_REQUEST' | 'EVENT_TYPE_CSAT_RESPONSE' | 'EVENT_TYPE_X_FEEDBACK';
declare const CLIENT_EVENT_TYPES: ReadonlySet<string>;
declare function toNeutralType(wireType: string): string | null;
declare function toWireType(neutralType: string, vocabulary: Vocabulary): string;
declare function vocabularyOfType(wireType: string): Vocabulary | null;
declare function defaultVocabulary(host: string): Vocabulary;
type DecodedClientFrame = {
  readonly kind: 'accept';
  readonly event: ClientEvent;
  readonly sentVocabulary: Vocabulary | null;
} |
{
  readonly kind: 'error';
  readonly text: string;
  readonly custom: CustomMap | null;
} | {
  readonly kind: 'close';
  readonly code: 1009;
};
interface FrameLimits {
  readonly maxFrameBytes: number;
  readonly hardMaxFrameBytes: number;
}
type FrameFault =
    | 'binary'
    | 'too large'
    | 'no JSON'
    | 'no object'
    | 'no type'
    | 'unknown type'
    | 'type not allowed'
    | 'bad metadata'
    | 'payload is not an object'
    | 'blank text'
    | 'bad payload';
declare function decodeClientFrame(frame: string | null, byteLength?: number, limits?: FrameLimits, optional?: readonly OptionalClientEvent['type'][]): DecodedClientFrame;
declare function findFrameFault(frame: string | null, byteLength?: number, limits?: FrameLimits, optional?: readonly OptionalClientEvent['type'][]): FrameFault | null;
type DropReason =
    | 'invalid_json'
    | 'not_object'
    | 'missing_type'
    | 'unknown_type'
    | 'missing_id'
    | 'missing_timestamp'
    | 'not_yet_sent'
    | 'malformed_batch'
    | 'nested_batch';
interface Skipped {
  readonly reason: DropReason;
  readonly id: string;
  readonly sequence: number | null;
}
type DecodedFrame = {
  readonly kind: 'events';
  readonly events: readonly ServerEvent[];
  readonly skipped: readonly Skipped[];
  readonly batch: {
    readonly hasMore: boolean | null;
  } | null;
} | ({
  readonly kind: 'drop';
} & Skipped);
declare function decodeServerFrame(text: string): DecodedFrame;
declare function encodeClientEvent(event: ClientEvent, vocabulary: Vocabulary): string;
interface OutgoingEvent {
  readonly id: string;
  readonly sequence: number | null;
  readonly timestampMs: number;
  readonly type: KnownEventType;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly custom: CustomMap | null;
}
declare function encodeServerEvent(event: OutgoingEvent, vocabulary: Vocabulary): string;
interface BatchOptions {
  readonly vocabulary: Vocabulary;
  readonly maxBytes: number;
  readonly maxEvents?: number;
  readonly nowMs: number;
  readonly createId: () => string;
  readonly lastSequence: number;
  readonly hasMore?: boolean;
  readonly encode?: (event: OutgoingEvent, vocabulary: Vocabulary) => EncodedEvent;
}
interface EncodedEvent {
  readonly text: string;
  readonly bytes: number;
}
declare function encodeBatches(events: readonly OutgoingEvent[], options: BatchOptions): readonly string[];
type ExtensionName =
    | 'cancel_handoff'
    | 'feedback'
    | 'stop'
    | 'survey_comment';
declare const EXTENSION_OF: Readonly<Record<ExtensionClientEvent['type'], ExtensionName>>;
declare const EXTENSIONS: readonly ExtensionName[];
declare const RECEIPTS = "receipts";
declare const EXTENSIONS_KEY = "natter_extensions";
declare const SURVEY_COMMENT_KEY = "comment";
declare const CANCELLED_BY_USER = "cancelled_by_user";
declare const STOPPED_KEY = "stopped";
declare function extensionsOf(custom: CustomMap | null): readonly ExtensionName[];
interface RegisteredHost {
  readonly kind: 'domain' | 'app';
  readonly value: string;
}
declare function matchesRegisteredHost(registered: readonly RegisteredHost[], xHost: string): boolean;
declare function matchesOrigin(registered: readonly RegisteredHost[], origin: string | null, isEnforced: boolean): boolean;
declare function isRegistrableHost({ kind, value }: RegisteredHost): boolean;
declare function isRecoverableText(text: string): boolean;
declare namespace limits_d_exports {
  export {
  assumedReconnectAttempts,
  chunkHoleMs,
  defaultHeartbeatIntervalSeconds,
  hardMaxFrameBytes,
  inactivityMs,
  maxClientFrameBytes,
  maxCustomKeyBytes,
  maxCustomKeys,
  maxCustomValueBytes,
  maxEventsPerBatch,
  maxFeedbackReasonCharacters,
  maxSocketAgeMs,
  replayQuietMs,
  tokenSkewMs,
};
}
declare const maxClientFrameBytes = 131072;
declare const hardMaxFrameBytes = 1048576;
declare const maxCustomKeys = 16;
declare const maxCustomKeyBytes = 64;
declare const maxCustomValueBytes = 1024;
declare const maxFeedbackReasonCharacters = 1000;
declare const maxEventsPerBatch = 200;
declare const defaultHeartbeatIntervalSeconds = 30;
declare const assumedReconnectAttempts = 10;
declare const inactivityMs = 600000;
declare const replayQuietMs = 250;
declare const chunkHoleMs = 3000;
declare const maxSocketAgeMs = 7200000;
declare const tokenSkewMs = 5000;
interface OpenSpan {
  readonly fromMinute: number;
  readonly toMinute: number;
}
interface HoursRule {
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number> | null;
  readonly spans: readonly OpenSpan[];
}
interface OpeningHours {
  readonly rules: readonly HoursRule[];
  readonly closed: ReadonlySet<string>;
}
declare function readOpeningHours(text: string): OpeningHours;
declare function isOpenAt(hours: OpeningHours, localMs: number): boolean;
declare function findHoursChange(hours: OpeningHours, localMs: number): number | null;
type Fields = Readonly<Record<string, unknown>>;
declare function isFields(value: unknown): value is Fields;
interface SetupError {
  readonly status: number;
  readonly text: string;
  readonly code: string;
}
type SetupErrorName =
    | 'missingAuthHeaders'
    | 'invalidBody'
    | 'connectorNotFound'
    | 'connectorHostMissing'
    | 'connectorHostMismatch'
    | 'rateLimited'
    | 'tokenCreationFailed'
    | 'missingAccessToken'
    | 'invalidAccessToken'
    | 'sessionCreationFailed'
    | 'invalidConnectionParameters'
    | 'authenticationFailed'
    | 'sessionNotFound'
    | 'connectionLimitExceeded'
    | 'contextNotEnabled'
    | 'contextTokenTooLarge'
    | 'invalidContextToken'
    | 'notFound'
    | 'methodNotAllowed'
    | 'payloadTooLarge'
    | 'unknownEncoding'
    | 'internalError';
declare const SETUP_ERRORS: Readonly<Record<SetupErrorName, SetupError>>;
interface SetupErrorBody {
  readonly success: false;
  readonly message: string;
  readonly error: string;
  readonly error_message: string;
  readonly error_code: string;
  readonly error_id: string;
  readonly data: null;
}
declare function toSetupErrorBody(error: SetupError, correlationId: string): SetupErrorBody;
declare namespace system_texts_d_exports {
  export {
  connectorNotFound,
  conversationNotFound,
  conversationNotStarted,
  forwardFailed,
  handoffNotInitiated,
  handoffUnavailable,
  invalidFrame,
  joinFailed,
  noReply,
  notAllowed,
  overloaded,
  rateLimited,
  sessionNotFound,
  sessionUnavailable,
  streamBroken,
  tooLarge,
};
}
declare const invalidFrame: string;
declare const notAllowed: (wireType: string) => string;
declare const tooLarge: string;
declare const overloaded: string;
declare const joinFailed: string;
declare const noReply: string;
declare const streamBroken: string;
declare const sessionNotFound: string;
declare const sessionUnavailable: string;
declare const connectorNotFound: string;
declare const conversationNotFound: string;
declare const conversationNotStarted: string;
declare const handoffUnavailable: string;
declare const forwardFailed: string;
declare const handoffNotInitiated: string;
declare const rateLimited: string;
declare function utf8Length(text: string): number;
export {
  type BatchOptions,
  CANCELLED_BY_USER,
  CLIENT_EVENT_TYPES,
  close_codes_d_exports as CLOSE_CODES,
  type Capabilities,
  type ClientEvent,
  type ClientEventType,
  type CustomMap,
  type DecodedClientFrame,
  type DecodedFrame,
  type DropReason,
  EXTENSIONS,
  EXTENSIONS_KEY,
  EXTENSION_OF,
  type EncodedEvent,
  type ExtensionClientEvent,
  type ExtensionName,
  type FeedbackPayload,
  type FrameFault,
  type FrameLimits,
  type HoursRule,
  type KnownEventType,
  limits_d_exports as LIMITS,
  type OpenSpan,
  type OpeningHours,
  type OptionalClientEvent,
  type OutgoingEvent,
  RECEIPTS,
  type RegisteredHost,
  type ResponseSuggestion,
  SETUP_ERRORS,
  STOPPED_KEY,
  SURVEY_COMMENT_KEY,
  system_texts_d_exports as SYSTEM_TEXTS,
  type ServerEvent,
  type ServerEventOf,
  type ServerEventType,
  type ServerPayloads,
  type SetupError,
  type SetupErrorBody,
  type SetupErrorName,
  type Skipped,
  type SystemMessageLevel,
  type TypingState,
  type Vocabulary,
  type WireAttachment,
  type WireCallAction,
  clientEventIdOf,
  decodeClientFrame,
  decodeServerFrame,
  defaultVocabulary,
  encodeBatches,
  encodeClientEvent,
  encodeServerEvent,
  extensionsOf,
  findFrameFault,
  findHoursChange,
  isFields,
  isOpenAt,
  isRecoverableText,
  isRegistrableHost,
  matchesOrigin,
  matchesRegisteredHost,
  parseCursor,
  readOpeningHours,
  toNeutralType,
  toSetupErrorBody,
  toWireType,
  utf8Length,
  vocabularyOfType,
  writeCursor,
};
