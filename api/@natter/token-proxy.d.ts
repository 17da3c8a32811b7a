import {
  Vocabulary,
} from "natter/protocol";
interface Clock {
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}
type ReadEmbedFile = (path: string) => Promise<Uint8Array | null>;
type LogFields = Readonly<Record<string, string | number | boolean | null>>;
interface Log {
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}
interface RequestLimits {
  readonly sessionsPerClient: number;
  readonly resumesPerClient: number;
  readonly turnsPerClient: number;
  readonly uploadsPerClient: number;
  readonly searchesPerClient: number;
  readonly sessionsTotal: number;
  readonly resumesTotal: number;
  readonly turnsTotal: number;
  readonly uploadsTotal: number;
  readonly searchesTotal: number;
}
declare const DEFAULT_LIMITS: RequestLimits;
interface LimitRule {
  readonly name: keyof RequestLimits;
  readonly points: number;
  readonly seconds: number;
}
interface Limiter {
  take(key: string): Promise<number>;
}
interface HandshakeAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
}
type Handshake = (url: string, options: {
  readonly origin: string | null;
  readonly signal: AbortSignal;
}) => Promise<HandshakeAnswer>;
interface Revocations {
  add(sessionId: string, seconds: number): Promise<void>;
  has(sessionId: string): Promise<boolean>;
}
interface HelpQuery {
  readonly query: string;
  readonly language: string;
}
interface HelpContext {
  readonly connector: string;
  readonly origin: string | null;
  readonly signal: AbortSignal;
}
interface HelpArticle {
  readonly title: string;
  readonly url: string;
  readonly excerpt?: string;
  readonly id?: string;
}
type OnSearch = (query: HelpQuery, context: HelpContext) => readonly HelpArticle[] | Promise<readonly HelpArticle[]>;
interface ArticleRequest {
  readonly id: string;
  readonly language: string;
}
interface ArticleText {
  readonly title: string;
  readonly url: string;
  readonly text: string;
}
type OnArticle = (request: ArticleRequest, context: HelpContext) => ArticleText | null | Promise<ArticleText | null>;
interface IncomingFile {
  readonly name: string;
  readonly type: string;
  readonly body: ReadableStream<Uint8Array>;
  readonly sessionId: string;
  readonly connector: string;
  readonly origin: string | null;
  readonly signal: AbortSignal;
}
interface Uploads {
  readonly onUpload: (file: IncomingFile) => Promise<string | null>;
  readonly maxBytes?: number;
  readonly types?: readonly string[];
  readonly deadlineMs?: number;
}
interface ChatAccess {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly accountId: string;
  readonly projectId: string;
}
interface Connector {
  readonly token: string;
  readonly host: string;
  readonly chat?: ChatAccess;
}
interface AuthorizeContext {
  readonly route:
    | 'session'
    | 'resume'
    | 'contact'
    | 'context'
    | 'feedback'
    | 'chat'
    | 'upload'
    | 'data'
    | 'search'
    | 'article';
  readonly connector: string;
  readonly origin: string | null;
  readonly signal: AbortSignal;
}
interface TokenProxyOptions {
  readonly upstreamUrl: string;
  readonly allowHttpUpstream?: boolean;
  readonly websocketUrl?: string;
  readonly connectors: Readonly<Record<string, Connector>>;
  readonly ticketKeys: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly allowRequestsWithoutOrigin?: boolean;
  readonly authorize?: (request: Request, context: AuthorizeContext) => boolean | Promise<boolean>;
  readonly chooseVariant?: (request: Request, context: AuthorizeContext) => string | null | Promise<string | null>;
  readonly onFeedback?: (feedback: VisitorFeedback, context: VisitorContext) => void | Promise<void>;
  readonly onContactRequest?: (request: ContactRequest, context: VisitorContext) => void | Promise<void>;
  readonly allowedHeaders?: readonly string[];
  readonly basePath?: string;
  readonly ticketLifetimeSeconds?: number;
  readonly uploads?: Uploads;
  readonly onSearch?: OnSearch;
  readonly onArticle?: OnArticle;
  readonly limits?: Partial<RequestLimits>;
  readonly createLimiter?: (rule: LimitRule) => Limiter;
  readonly revocations?: Revocations;
  readonly handshake?: Handshake;
  readonly trustedProxyHops?: number;
  readonly deadlineMs?: number;
  readonly attemptTimeoutMs?: number;
  readonly log?: Log;
  readonly readEmbedFile?: ReadEmbedFile;
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>;
  readonly clock?: Clock;
}
interface RequestInfo {
  readonly clientAddress?: string | undefined;
}
type TokenProxy = (request: Request, info?: RequestInfo) => Promise<Response>;
interface VisitorContext {
  readonly sessionId: string;
  readonly connector: string;
  readonly origin: string | null;
  readonly signal: AbortSignal;
}
interface VisitorFeedback {
  readonly messageId: string;
  readonly rating: 'up' | 'down' | null;
  readonly reason: string | null;
}
interface ContactRequest {
  readonly name: string;
  readonly email: string;
  readonly text: string;
}
declare function createTokenProxy(options: TokenProxyOptions): TokenProxy;
interface WidgetSources {
  readonly endpoint: string;
  readonly platform?: string | undefined;
  readonly images?: readonly string[] | undefined;
  readonly code?: 'proxy' | 'page' | undefined;
}
type ContentSecurityDirectives = Readonly<Record<string, readonly string[]>>;
declare function contentSecurityDirectives(sources: WidgetSources): ContentSecurityDirectives;
declare function contentSecurityPolicy(sources: WidgetSources): string;
type ErrorCode =
    | 'INVALID_REQUEST'
    | 'ORIGIN_NOT_ALLOWED'
    | 'NOT_FOUND'
    | 'METHOD_NOT_ALLOWED'
    | 'CHAT_NOT_AVAILABLE'
    | 'RESUME_TICKET_INVALID'
    | 'RELAY_TICKET_INVALID'
    | 'SESSION_REFUSED'
    | 'SESSION_NOT_FOUND'
    | 'DATA_NOT_AVAILABLE'
    | 'CONTEXT_NOT_ENABLED'
    | 'CONTEXT_TOKEN_TOO_LARGE'
    | 'INVALID_CONTEXT_TOKEN'
    | 'CHAT_ENDED'
    | 'UPLOADS_NOT_ENABLED'
    | 'UPLOAD_REFUSED'
    | 'REQUEST_TIMEOUT'
    | 'UPGRADE_REQUIRED'
    | 'PAYLOAD_TOO_LARGE'
    | 'HEADERS_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'RATE_LIMITED'
    | 'CONNECTOR_REJECTED'
    | 'UPSTREAM_RATE_LIMITED'
    | 'UPSTREAM_UNAVAILABLE'
    | 'UPSTREAM_INVALID_RESPONSE'
    | 'INTERNAL';
interface ErrorCodeFacts {
  readonly status: number;
  readonly retryable: boolean;
}
declare const ERROR_CODES: Readonly<Record<ErrorCode, ErrorCodeFacts>>;
interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly correlation_id: string;
  readonly retry_after_seconds?: number;
}
interface SessionBody {
  readonly session_id: string;
  readonly access_token: string;
  readonly expires_at: string;
  readonly expires_in_seconds: number;
  readonly websocket_url: string;
  readonly resume_by: 'cookie' | 'ticket';
  readonly resume_ticket: string;
  readonly offers: readonly string[];
  readonly relay_ticket?: string;
  readonly vocabulary?: Vocabulary;
}
declare function createTicketKey(): string;
interface ChatBody {
  readonly chat: string;
  readonly resume_by: 'cookie' | 'ticket';
  readonly text: string;
  readonly is_over: boolean;
  readonly handoff?: {
    readonly destination: string;
    readonly reason: string;
  };
}
export {
  type ArticleRequest,
  type ArticleText,
  type AuthorizeContext,
  type ChatAccess,
  type ChatBody,
  type Clock,
  type Connector,
  type ContactRequest,
  type ContentSecurityDirectives,
  DEFAULT_LIMITS,
  ERROR_CODES,
  type ErrorBody,
  type ErrorCode,
  type Handshake,
  type HandshakeAnswer,
  type HelpArticle,
  type HelpContext,
  type HelpQuery,
  type IncomingFile,
  type LimitRule,
  type Limiter,
  type Log,
  type LogFields,
  type OnArticle,
  type OnSearch,
  type ReadEmbedFile,
  type RequestInfo,
  type RequestLimits,
  type Revocations,
  type SessionBody,
  type TokenProxy,
  type TokenProxyOptions,
  type Uploads,
  type VisitorContext,
  type VisitorFeedback,
  type WidgetSources,
  contentSecurityDirectives,
  contentSecurityPolicy,
  createTicketKey,
  createTokenProxy,
};
