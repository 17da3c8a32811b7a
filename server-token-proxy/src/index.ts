// The customer's server as a library; `node.ts` serves it. `app.ts` passes a request to its route in `routes.ts`. Folders are
// named after groups of routes. Others: `turns` is chat without a socket, `probe` explains failed handshakes, `upstream`
// calls the platform, and `http` and `kit` serve all routes.
export type { ContactRequest, VisitorContext, VisitorFeedback } from './contact/visitor-hooks.ts';
export { createTokenProxy } from './create-token-proxy.ts';
export {
  type ContentSecurityDirectives,
  contentSecurityDirectives,
  contentSecurityPolicy,
  type WidgetSources,
} from './embed-files/content-security-policy.ts';
export type { ReadEmbedFile } from './embed-files/serve-embed-file.ts';
export { ERROR_CODES, type ErrorBody, type ErrorCode } from './error-codes.ts';
export { DEFAULT_LIMITS, type Limiter, type LimitRule, type RequestLimits } from './http/request-limits.ts';
export type { Clock } from './kit/clock.ts';
export type { Log, LogFields } from './kit/log.ts';
export type {
  AuthorizeContext,
  ChatAccess,
  Connector,
  RequestInfo,
  TokenProxy,
  TokenProxyOptions,
} from './options.ts';
export type { Handshake, HandshakeAnswer } from './probe/handshake.ts';
export type {
  ArticleRequest,
  ArticleText,
  HelpArticle,
  HelpContext,
  HelpQuery,
  OnArticle,
  OnSearch,
} from './search/search-route.ts';
export type { Revocations } from './sessions/revocations.ts';
export type { SessionBody } from './sessions/session-routes.ts';
export { createTicketKey } from './sessions/ticket-key.ts';
export type { ChatBody } from './turns/chat-routes.ts';
export type { IncomingFile, Uploads } from './uploads/upload-options.ts';
