export type { ChatBody } from './chat-routes.ts';
export type { Clock } from './clock.ts';
export {
  type ContentSecurityDirectives,
  contentSecurityDirectives,
  contentSecurityPolicy,
  type WidgetSources,
} from './content-security-policy.ts';
export { createTokenProxy } from './create-token-proxy.ts';
export type { ReadEmbedFile } from './embed-files.ts';
export { ERROR_CODES, type ErrorBody, type ErrorCode } from './error-codes.ts';
export type { Handshake, HandshakeAnswer } from './handshake.ts';
export type { Log, LogFields } from './log.ts';
export type {
  AuthorizeContext,
  ChatAccess,
  Connector,
  RequestInfo,
  TokenProxy,
  TokenProxyOptions,
} from './options.ts';
export { DEFAULT_LIMITS, type Limiter, type LimitRule, type RequestLimits } from './request-limits.ts';
export type { Revocations } from './revocations.ts';
export type { HelpArticle, HelpContext, HelpQuery, OnSearch } from './search-route.ts';
export type { SessionBody } from './session-routes.ts';
export { createTicketKey } from './ticket-key.ts';
export type { IncomingFile, Uploads } from './upload-options.ts';
export type { ContactRequest, VisitorContext, VisitorFeedback } from './visitor-hooks.ts';
