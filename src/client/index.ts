// The headless client: connects, exchanges messages, resumes. No DOM, no rendering.
export type {
  Chat,
  ChatClient,
  ChatClientOptions,
  ChatDiagnosis,
  ChatError,
  ChatErrorCode,
  ChatSnapshot,
  ContactDetails,
  ContextProvider,
  CurrentSession,
  FrameTrace,
  SendOutcome,
  WidgetContextProvider,
} from './chat-client.ts';
// State for views.
export type {
  Attachment,
  CallAction,
  ChatState,
  ConnectionStatus,
  DeliveryStatus,
  FailureReason,
  Feedback,
  QueueStatus,
  SessionStatus,
  Speaker,
  Suggestion,
  Survey,
  SystemNotice,
  TranscriptItem,
  TypingStatus,
} from './chat-state.ts';
// A page's data about its visitor.
export {
  type ContextHandler,
  type ContextResult,
  createPageContext,
  type PageContext,
  type PageContextOptions,
  type PageUser,
} from './context/create-page-context.ts';
export { readFacts, readHandler, readUser } from './context/read-page-context.ts';
export type { PageFacts } from './context/to-custom.ts';
export { createChatClient } from './create-chat-client.ts';
// External interfaces, for tests and unusual hosts.
export { createDefaultPorts } from './default-ports.ts';
// For views: comparing values, composer keys, and loading code late.
export { isBlank } from './is-blank.ts';
export { isEqual } from './is-equal.ts';
export { isSendKey, type KeyPress } from './is-send-key.ts';
export type {
  ClientPorts,
  ClockPort,
  EnvironmentChange,
  EnvironmentPort,
  StoragePort,
  TabChannel,
  TabStoragePort,
  TabsPort,
} from './ports.ts';
export { retryImport } from './retry-import.ts';
// Files and stored data of the visitor.
export type { ChatServices, FileLimits } from './services/chat-services.ts';
export type { PastConversation, PastConversations } from './services/past-conversations.ts';
export type {
  ArticleQuery,
  ArticleText,
  HelpArticle,
  HelpQuery,
  SearchLimits,
} from './services/search-help.ts';
export type { UploadOutcome, UploadRequest } from './services/upload-file.ts';
export type { EraseOutcome, VisitorData } from './services/visitor-data.ts';
export { isUrlAllowed, resolveEndpoint } from './session/check-url.ts';
export { storageKey } from './storage/storage-key.ts';
