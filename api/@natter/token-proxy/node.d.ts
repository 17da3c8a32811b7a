interface Clock {
  now(): number;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}
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
declare const nodeHandshake: Handshake;
interface RelayOptions {
  readonly relay?: boolean;
  readonly relaySocketsPerClient?: number;
  readonly relaySocketsTotal?: number;
}
interface StartOptions extends Omit<TokenProxyOptions, 'readEmbedFile'>, RelayOptions {
  readonly host?: string;
  readonly port?: number;
  readonly embedDir?: string;
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly keepAliveMs?: number;
  readonly maxHeaderBytes?: number;
  readonly maxUnfinishedRequests?: number;
  readonly logLevel?: string;
}
interface RunningTokenProxy {
  readonly url: string;
  close(): Promise<void>;
}
declare function startTokenProxy(options: StartOptions): Promise<RunningTokenProxy>;
export {
  RunningTokenProxy,
  StartOptions,
  nodeHandshake,
  startTokenProxy,
};
