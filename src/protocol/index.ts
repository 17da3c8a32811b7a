// Messages on the socket: types, codec, limits and texts. Source: docs/protocol/messaging.md. Also the formats of
// settings that both ends read: hosts, opening hours.
export {
  type ClientEvent,
  clientEventIdOf,
  type ExtensionClientEvent,
  type OptionalClientEvent,
} from './client-events.ts';
// Namespaces rather than objects, so that a bundler can drop unused members.
export * as CLOSE_CODES from './close-codes.ts';
export { parseCursor, writeCursor } from './cursor.ts';
export {
  type DecodedClientFrame,
  decodeClientFrame,
  type FrameFault,
  type FrameLimits,
  findFrameFault,
} from './decode-client-frame.ts';
export {
  type DecodedFrame,
  type DropReason,
  decodeServerFrame,
  type Skipped,
} from './decode-server-frame.ts';
export { encodeClientEvent } from './encode-client-event.ts';
export {
  type BatchOptions,
  type EncodedEvent,
  encodeBatches,
  encodeServerEvent,
  type OutgoingEvent,
} from './encode-server-event.ts';
export {
  CANCELLED_BY_USER,
  EXTENSION_OF,
  EXTENSIONS,
  EXTENSIONS_KEY,
  type ExtensionName,
  extensionsOf,
  RECEIPTS,
  STOPPED_KEY,
  SURVEY_COMMENT_KEY,
} from './extensions.ts';
export {
  isRegistrableHost,
  matchesOrigin,
  matchesRegisteredHost,
  type RegisteredHost,
} from './host-matching.ts';
export { isRecoverableText } from './is-recoverable-text.ts';
export * as LIMITS from './limits.ts';
export {
  findHoursChange,
  type HoursRule,
  isOpenAt,
  type OpeningHours,
  type OpenSpan,
  readOpeningHours,
} from './opening-hours.ts';
export { isFields } from './read-field.ts';
export type {
  Capabilities,
  CustomMap,
  FeedbackPayload,
  ResponseSuggestion,
  ServerEvent,
  ServerEventOf,
  ServerEventType,
  ServerPayloads,
  SystemMessageLevel,
  TypingState,
  WireAttachment,
  WireCallAction,
} from './server-events.ts';
export {
  SETUP_ERRORS,
  type SetupError,
  type SetupErrorBody,
  type SetupErrorName,
  toSetupErrorBody,
} from './setup-errors.ts';
export * as SYSTEM_TEXTS from './system-texts.ts';
export { utf8Length } from './utf8-length.ts';
export {
  CLIENT_EVENT_TYPES,
  type ClientEventType,
  defaultVocabulary,
  type KnownEventType,
  toNeutralType,
  toWireType,
  type Vocabulary,
  vocabularyOfType,
} from './vocabulary.ts';
