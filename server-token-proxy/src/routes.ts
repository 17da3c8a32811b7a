import { handleContact } from './contact/contact-route.ts';
import { handleFeedback } from './contact/feedback-route.ts';
import type { AdmittedRequest, RouteAnswer } from './http/admitted-request.ts';
import type { LimitedKind } from './http/request-limits.ts';
import { handleProbe } from './probe/probe-route.ts';
import type { ProxyContext } from './proxy-context.ts';
import { handleRelay, refusePlainRequest } from './relay/relay-route.ts';
import { describeSearch, handleArticle, handleSearch } from './search/search-route.ts';
import { handleContext } from './sessions/context-route.ts';
import { handleLogout, handleResume, handleSession } from './sessions/session-routes.ts';
import { handleData, handleErase } from './sessions/visitor-data-routes.ts';
import { handleChatClose, handleChatCreate, handleChatRespond } from './turns/chat-routes.ts';
import { DEFAULT_UPLOADS } from './uploads/upload-options.ts';
import {
  describeUploads,
  handleUpload,
  requireFileContentType,
  UPLOAD_HEADERS,
} from './uploads/upload-route.ts';
import { reportHealth } from './upstream/health.ts';

/** One path of the API. */
export interface ApiRoute {
  /** For log lines and spans, which contain no path. */
  readonly name: string;
  /** Answers a POST. */
  readonly post?: PostRoute;
  /** Returns the body of the response to a GET. Throws a `ProxyFailure`. */
  readonly get?: (proxy: ProxyContext) => object | Promise<object>;
  /** Whether a GET needs no origin, because monitors send none. An origin that is sent must be listed. */
  readonly mayOmitOrigin?: boolean;
  /** Whether HEAD is accepted besides GET. */
  readonly takesHead?: boolean;
}

/** How a POST is counted, limited and handled. */
export interface PostRoute {
  /** The limit that it counts against. */
  readonly limit: LimitedKind;
  /** Handles it. Throws a `ProxyFailure`, or the signal's reason. */
  readonly handle: (proxy: ProxyContext, admitted: AdmittedRequest) => Promise<RouteAnswer>;
  /** Time limit. Default: the proxy's `deadlineMs`. */
  readonly deadlineMs?: (proxy: ProxyContext) => number;
  /** Throws `UNSUPPORTED_MEDIA_TYPE`. Default: the body must be JSON. */
  readonly requireContentType?: (headers: Headers) => void;
  /** Headers that a page may send in addition to every route's. */
  readonly requestHeaders?: readonly string[];
}

// An agent may need a model's whole answer; the client gives up a message after 35 s (DEL-4).
const TURN_DEADLINE_MS = 30_000;
// The client requests the agent after 5 s, with or without verified context (VCI-5).
const CONTEXT_DEADLINE_MS = 5_000;

const turnDeadlineMs = ({ deadlineMs }: ProxyContext): number => Math.max(deadlineMs, TURN_DEADLINE_MS);
const contextDeadlineMs = ({ deadlineMs }: ProxyContext): number => Math.min(deadlineMs, CONTEXT_DEADLINE_MS);
const uploadDeadlineMs = ({ options }: ProxyContext): number =>
  options.uploads?.deadlineMs ?? DEFAULT_UPLOADS.deadlineMs;

/** The routes, by their paths below the mount point. */
export const ROUTES: Readonly<Record<string, ApiRoute>> = {
  '/v1/session': { name: 'session', post: { limit: 'session', handle: handleSession } },
  '/v1/resume': { name: 'resume', post: { limit: 'resume', handle: handleResume } },
  '/v1/relay': { name: 'relay', post: { limit: 'resume', handle: handleRelay } },
  // Handshakes are handled elsewhere.
  '/v1/ws': { name: 'socket', get: refusePlainRequest, mayOmitOrigin: true },
  '/v1/logout': { name: 'logout', post: { limit: 'resume', handle: handleLogout } },
  '/v1/probe': { name: 'probe', post: { limit: 'resume', handle: handleProbe } },
  '/v1/context': {
    name: 'context',

    post: { limit: 'resume', handle: handleContext, deadlineMs: contextDeadlineMs },
  },
  '/v1/upload': {
    name: 'upload',
    get: ({ options }) => describeUploads(options.uploads),
    post: {
      limit: 'upload',
      handle: handleUpload,
      deadlineMs: uploadDeadlineMs,
      requireContentType: requireFileContentType,
      requestHeaders: UPLOAD_HEADERS,
    },
  },
  '/v1/feedback': { name: 'feedback', post: { limit: 'resume', handle: handleFeedback } },
  '/v1/data': { name: 'data', post: { limit: 'resume', handle: handleData } },
  '/v1/erase': { name: 'erase', post: { limit: 'resume', handle: handleErase } },
  '/v1/contact': { name: 'contact', post: { limit: 'session', handle: handleContact } },
  '/v1/search': {
    name: 'search',
    get: ({ options }) => describeSearch(options.onSearch),
    post: { limit: 'search', handle: handleSearch },
  },
  '/v1/article': { name: 'article', post: { limit: 'search', handle: handleArticle } },
  '/v1/chat/create': {
    name: 'chatCreate',

    post: { limit: 'session', handle: handleChatCreate, deadlineMs: turnDeadlineMs },
  },
  '/v1/chat/respond': {
    name: 'chatRespond',

    post: { limit: 'turn', handle: handleChatRespond, deadlineMs: turnDeadlineMs },
  },
  '/v1/chat/close': { name: 'chatClose', post: { limit: 'turn', handle: handleChatClose } },
  '/v1/health': { name: 'health', get: reportHealth, mayOmitOrigin: true, takesHead: true },
};

/** The methods that a route accepts besides OPTIONS. */
export const methodsOf = ({ get, post, takesHead }: ApiRoute): readonly string[] => [
  ...(get === undefined ? [] : ['GET']),
  ...(takesHead === true ? ['HEAD'] : []),
  ...(post === undefined ? [] : ['POST']),
];
