import {
  CustomMap,
  Vocabulary,
} from "natter/protocol";
import {
  ReadonlySignal,
} from "@preact/signals-core";
type ConnectionStatus = {
  readonly status: 'idle';
} | {
  readonly status: 'connecting';
  readonly offline: boolean;
} |
{
  readonly status: 'open';
  readonly isTurnBased?: true;
} | {
  readonly status: 'reconnecting';
  readonly attempt: number;
  readonly nextAttemptAtMs: number | null;
  readonly offline: boolean;
} | {
  readonly status: 'closing';
} | {
  readonly status: 'closed';
} | {
  readonly status: 'failed';
  readonly reason: FailureReason;
};
type FailureReason =
    | 'reconnect_budget_spent'
    | 'session_expired'
    | 'connector_rejected'
    | 'origin_not_allowed' |
'host_not_registered' | 'service_unavailable';
type SessionStatus = {
  readonly status: 'unknown';
} | {
  readonly status: 'restored';
} | {
  readonly status: 'active';
} | {
  readonly status: 'ended';
  readonly by:
    | 'user'
    | 'agent'
    | 'inactivity'
    | 'platform';
} | {
  readonly status: 'expired';
};
type DeliveryStatus = {
  readonly status: 'queued';
} | {
  readonly status: 'pending';
} | {
  readonly status: 'sent';
} | {
  readonly status: 'failed';
  readonly reason:
    | 'too_long'
    | 'refused'
    | 'no_answer'
    | 'chat_ended';
  readonly isRetryable: boolean;
};
interface Attachment {
  readonly kind: 'url' | 'image';
  readonly contentUrl: string | null;
  readonly title: string | null;
  readonly previewImageUrl: string | null;
  readonly callToActionText: string | null;
}
interface Suggestion {
  readonly text: string;
}
interface CallAction {
  readonly title: string;
  readonly phoneNumber: string;
}
interface Speaker {
  readonly kind: 'agent' | 'live_agent';
  readonly id: string | null;
  readonly name: string | null;
  readonly avatarUrl: string | null;
}
interface Feedback {
  readonly rating: 'up' | 'down' | null;
  readonly reason: string | null;
  readonly delivery: DeliveryStatus;
}
type TranscriptItem = {
  readonly kind: 'user';
  readonly key: string;
  readonly text: string;
  readonly atMs: number;
  readonly delivery: DeliveryStatus;
  readonly localId: string | null;
} | {
  readonly kind: 'agent';
  readonly key: string;
  readonly messageId: string;
  readonly speaker: Speaker;
  readonly text: string;
  readonly isStreaming: boolean;
  readonly isStopped?: true;
  readonly atMs: number;
  readonly attachments: readonly Attachment[];
  readonly callActions: readonly CallAction[];
  readonly feedback?: Feedback;
} | {
  readonly kind: 'system';
  readonly key: string;
  readonly atMs: number;
  readonly notice: SystemNotice;
};
type SystemNotice = {
  readonly code: 'agent_joined';
  readonly name: string | null;
} | {
  readonly code: 'agent_left';
  readonly name: string | null;
} |
{
  readonly code: 'handoff_started';
  readonly hours?: string;
} | {
  readonly code: 'handoff_accepted';
  readonly queueName: string | null;
} | {
  readonly code: 'handoff_required';
  readonly route: string | null;
} |
{
  readonly code: 'handoff_failed';
  readonly reason?: string;
} |
{
  readonly code: 'handoff_cancelled';
} | {
  readonly code: 'handoff_timed_out';
} | {
  readonly code: 'live_agent_joined';
  readonly name: string | null;
} |
{
  readonly code: 'live_agent_left';
  readonly name: string | null;
  readonly nextName?: string | undefined;
} |
{
  readonly code: 'language_changed';
  readonly language: string;
} | {
  readonly code: 'idle_warning';
  readonly secondsRemaining: number | null;
} | {
  readonly code: 'platform_message';
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
};
interface QueueStatus {
  readonly queueName: string | null;
  readonly position: number | null;
  readonly estimatedWaitSeconds: number | null;
  readonly message: string | null;
}
interface Survey {
  readonly id: string;
  readonly title: string;
  readonly question: string;
  readonly scale: 'faces' | 'stars';
  readonly canComment: boolean;
  readonly status: 'open' | 'rated' | 'skipped';
}
type TypingStatus = {
  readonly speaker: Speaker;
} | null;
interface ChatState {
  readonly connection: ReadonlySignal<ConnectionStatus>;
  readonly session: ReadonlySignal<SessionStatus>;
  readonly messages: ReadonlySignal<readonly ReadonlySignal<TranscriptItem>[]>;
  readonly hasLostConnection: ReadonlySignal<boolean>;
  readonly speaker: ReadonlySignal<Speaker | null>;
  readonly typing: ReadonlySignal<TypingStatus>;
  readonly queue: ReadonlySignal<QueueStatus | null>;
  readonly canCancelHandoff: ReadonlySignal<boolean>;
  readonly canStopAnswer: ReadonlySignal<boolean>;
  readonly canGiveFeedback: ReadonlySignal<boolean>;
  readonly canRequestContact: ReadonlySignal<boolean>;
  readonly survey: ReadonlySignal<Survey | null>;
  readonly suggestions: ReadonlySignal<readonly Suggestion[]>;
  readonly unread: ReadonlySignal<number>;
  readonly language: ReadonlySignal<string | null>;
  readonly unsent: ReadonlySignal<string>;
}
interface ClockPort {
  now(): number;
  setTimer(callback: () => void, delayMs: number): () => void;
}
interface StoragePort {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
}
interface TabStoragePort {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}
interface EnvironmentPort {
  isOnline(): boolean;
  isVisible(): boolean;
  onChange(callback: (change: EnvironmentChange) => void): () => void;
}
type EnvironmentChange =
    | 'online'
    | 'offline'
    | 'visible'
    | 'hidden'
    | 'suspended'
    | 'resumed';
interface TabsPort {
  lock(name: string, options: {
    readonly steal?: boolean;
    readonly signal?: AbortSignal;
  }, hold: () => Promise<void>): Promise<void>;
  openChannel(name: string, onMessage: (message: unknown) => void): TabChannel;
}
interface TabChannel {
  postMessage(message: unknown): void;
  close(): void;
}
type NextPaint = (callback: () => void) => void;
interface ClientPorts {
  readonly clock: ClockPort;
  readonly random: () => number;
  readonly createId: () => string;
  readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  readonly WebSocket: typeof WebSocket;
  readonly storage: StoragePort;
  readonly tabStorage: () => TabStoragePort | null;
  readonly environment: EnvironmentPort;
  readonly nextPaint: NextPaint | null;
  readonly tabs: TabsPort | null;
}
interface PastConversation {
  readonly sessionId: string;
  readonly owner: string;
  readonly title: string;
  readonly startedAtMs: number;
  readonly lastAtMs: number;
  readonly items: readonly TranscriptItem[];
}
interface PastConversations {
  list(): Promise<readonly PastConversation[]>;
  keep(): Promise<void>;
  forget(): Promise<void>;
  noteContinued(sessionId: string): Promise<void>;
  readContinued(): Promise<PastConversation | null>;
}
interface HelpArticle {
  readonly title: string;
  readonly url: string;
  readonly excerpt: string;
  readonly id?: string;
}
interface ArticleQuery extends Pick<HelpQuery, 'language' | 'signal'> {
  readonly id: string;
}
interface ArticleText {
  readonly title: string;
  readonly url: string;
  readonly text: string;
}
interface SearchLimits {
  readonly maxQueryCharacters: number;
}
interface HelpQuery {
  readonly query: string;
  readonly language: string;
  readonly signal: AbortSignal;
}
interface UploadRequest {
  readonly file: Blob;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly onProgress: (part: number) => void;
}
type UploadOutcome = {
  readonly status: 'uploaded';
  readonly url: string;
} | {
  readonly status: 'failed';
  readonly reason:
    | 'too_large'
    | 'wrong_type'
    | 'refused'
    | 'unavailable';
};
interface VisitorData {
  readonly platform: {
    readonly status: 'read';
    readonly data: Readonly<Record<string, unknown>>;
  } | {
    readonly status: 'none' | 'unavailable' | 'unreachable';
  };
  readonly browser: {
    readonly hasTicket: boolean;
    readonly undelivered: readonly string[];
    readonly hasTranscript: boolean;
    readonly hasUser: boolean;
    readonly past: readonly PastConversation[];
  } | null;
}
type EraseOutcome =
    | 'erased'
    | 'none'
    | 'unavailable'
    | 'unreachable';
interface FileLimits {
  readonly maxBytes: number;
  readonly types: readonly string[];
}
interface ChatServices {
  readonly visitors: ReadonlySignal<number>;
  readFileLimits(): Promise<FileLimits | null>;
  uploadFile(request: UploadRequest): Promise<UploadOutcome>;
  readSearchLimits(): Promise<SearchLimits | null>;
  searchHelp(query: HelpQuery): Promise<readonly HelpArticle[] | null>;
  readArticle(query: ArticleQuery): Promise<ArticleText | null>;
  readonly past: PastConversations;
  readVisitorData(): Promise<VisitorData>;
  eraseVisitorData(): Promise<EraseOutcome>;
}
interface ProxyAnswer {
  readonly status: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly delayMs: number;
}
interface ChatClientOptions {
  readonly endpoint: string;
  readonly connector?: string | undefined;
  readonly platform?:
    | 'web'
    | 'ios'
    | 'android'
    | 'custom'
    | 'ios-web'
    | 'android-web';
  readonly deviceType?: 'mobile' | 'tablet' | 'desktop';
  readonly streaming?: boolean;
  readonly vocabulary?: Vocabulary;
  readonly allowInsecure?: boolean;
  readonly idleTimeoutMs?: number;
  readonly unread?: number;
  readonly keepDraft?: boolean | undefined;
  readonly page?: ContextProvider;
  readonly onError?: (error: ChatError) => void;
  readonly onFrame?: (frame: FrameTrace) => void;
  readonly ports?: Partial<ClientPorts>;
}
type ChatErrorCode = 'BEFORE_JOIN_FAILED';
interface ChatError {
  readonly code: ChatErrorCode;
  readonly message: string;
  readonly cause: unknown;
}
interface ContextProvider {
  beforeJoin?(session: CurrentSession): Promise<CustomMap | undefined>;
  pageContext?(): CustomMap | undefined;
}
interface WidgetContextProvider extends ContextProvider {
  added?: readonly (() => CustomMap)[];
}
interface CurrentSession {
  readonly sessionId: string;
  readonly contextId: string | null;
  readonly owner: string;
  readonly isOwn: boolean;
  submit(token: string, signal: AbortSignal): Promise<ProxyAnswer>;
}
interface ChatDiagnosis {
  readonly missingAgent: string | null;
  readonly socket: {
    readonly url: string;
    readonly handshake: string;
    readonly status: number;
    readonly reason: string;
    readonly fault: string;
  } | null;
}
interface FrameTrace {
  readonly direction: 'in' | 'out' | 'local';
  readonly atMs: number;
  readonly text: string;
}
type ChatSnapshot = { readonly [Name in keyof ChatState]: Name extends 'messages' ? readonly TranscriptItem[] : ChatState[Name]['value']; };
interface ContactDetails {
  readonly name: string;
  readonly email: string;
  readonly text: string;
}
type SendOutcome = {
  readonly status: 'accepted';
  readonly localId: string;
} | {
  readonly status: 'refused';
  readonly reason: 'blank' | 'chat_ended';
};
interface Chat extends ChatState {
  start(): Promise<void>;
  hasStoredConversation(): Promise<boolean>;
  send(text: string): SendOutcome;
  retry(localId: string): void;
  discard(localId: string): void;
  answerSurvey(score: number | null, comment?: string): void;
  cancelHandoff(): void;
  stopAnswer(): void;
  feedback(messageId: string, rating: 'up' | 'down' | null, reason?: string): void;
  requestContact(request: ContactDetails): Promise<'sent' | 'refused' | 'failed'>;
  setUnsent(text: string, isTyped?: boolean): void;
  notifyTyping(): void;
  markRead(): void;
  reconnect(): void;
  endChat(): Promise<void>;
  newChat(): Promise<void>;
  logout(): Promise<void>;
  currentSession(): CurrentSession;
  claim(userId: string): Promise<string>;
  diagnose(): Promise<ChatDiagnosis>;
  services(): Promise<ChatServices>;
  destroy(): void;
}
interface ChatClient extends Chat {
  getSnapshot(): ChatSnapshot;
  getInitialSnapshot(): ChatSnapshot;
  subscribe(listener: (snapshot: ChatSnapshot) => void): () => void;
}
type PageFacts = Readonly<Record<string, string | number | boolean | null | undefined>>;
interface PageUser extends PageFacts {
  readonly id: string;
}
type ContextHandler = (session: {
  readonly sessionId: string;
  readonly contextId: string | undefined;
}) => unknown;
type ContextResult = {
  readonly status: 'accepted';
} | {
  readonly status: 'declined';
  readonly reason: 'no_token' | 'handler_failed' | 'timed_out';
} | {
  readonly status: 'failed';
  readonly reason:
    | 'not_enabled'
    | 'invalid_token'
    | 'token_too_large'
    | 'session_over'
    | 'service_unavailable';
};
interface PageContext extends Required<ContextProvider> {
  identify(user: PageUser): Promise<void>;
  setContext(facts: PageFacts): void;
  onContextRequired(handler: ContextHandler): void;
  refreshVerifiedContext(): Promise<void>;
  destroy(): void;
}
interface PageContextOptions {
  readonly chat: Pick<ChatClient, 'claim' | 'currentSession'>;
  readonly clock: ClockPort;
  readonly onResult: (result: ContextResult) => void;
  readonly added?: () => readonly CustomMap[];
}
declare function createPageContext({ chat, clock, onResult, added }: PageContextOptions): PageContext;
declare function readUser(given: unknown): CustomMap;
declare const readFacts: (given: unknown) => CustomMap;
declare function readHandler(given: unknown): ContextHandler;
declare function createChatClient(options: ChatClientOptions): ChatClient;
declare function createDefaultPorts(): ClientPorts;
declare const isBlank: (text: string) => boolean;
declare function isEqual(one: unknown, other: unknown): boolean;
interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly isComposing: boolean;
  readonly keyCode: number;
}
declare const isSendKey: ({ key, shiftKey, isComposing, keyCode }: KeyPress) => boolean;
declare function retryImport<Module>(load: () => Promise<Module>, importFrom?: (address: string) => Promise<Module>): Promise<Module>;
declare function isUrlAllowed(text: string, allowInsecure?: boolean): boolean;
declare function resolveEndpoint(endpoint: string): string;
declare function storageKey(endpoint: string, connector: string): string;
export {
  type ArticleQuery,
  type ArticleText,
  type Attachment,
  type CallAction,
  type Chat,
  type ChatClient,
  type ChatClientOptions,
  type ChatDiagnosis,
  type ChatError,
  type ChatErrorCode,
  type ChatServices,
  type ChatSnapshot,
  type ChatState,
  type ClientPorts,
  type ClockPort,
  type ConnectionStatus,
  type ContactDetails,
  type ContextHandler,
  type ContextProvider,
  type ContextResult,
  type CurrentSession,
  type DeliveryStatus,
  type EnvironmentChange,
  type EnvironmentPort,
  type EraseOutcome,
  type FailureReason,
  type Feedback,
  type FileLimits,
  type FrameTrace,
  type HelpArticle,
  type HelpQuery,
  type KeyPress,
  type PageContext,
  type PageContextOptions,
  type PageFacts,
  type PageUser,
  type PastConversation,
  type PastConversations,
  type QueueStatus,
  type SearchLimits,
  type SendOutcome,
  type SessionStatus,
  type Speaker,
  type StoragePort,
  type Suggestion,
  type Survey,
  type SystemNotice,
  type TabChannel,
  type TabStoragePort,
  type TabsPort,
  type TranscriptItem,
  type TypingStatus,
  type UploadOutcome,
  type UploadRequest,
  type VisitorData,
  type WidgetContextProvider,
  createChatClient,
  createDefaultPorts,
  createPageContext,
  isBlank,
  isEqual,
  isSendKey,
  isUrlAllowed,
  readFacts,
  readHandler,
  readUser,
  resolveEndpoint,
  retryImport,
  storageKey,
};
