import type { AdmittedRequest, RouteAnswer } from './admitted-request.ts';
import { handleChatClose, handleChatCreate, handleChatRespond } from './chat-routes.ts';
import { handleContact } from './contact-route.ts';
import { handleContext } from './context-route.ts';
import { handleFeedback } from './feedback-route.ts';
import { reportHealth } from './health-route.ts';
import { handleProbe } from './probe-route.ts';
import type { ProxyContext } from './proxy-context.ts';
import type { LimitedKind } from './request-limits.ts';
import { describeSearch, handleSearch } from './search-route.ts';
import { handleLogout, handleResume, handleSession } from './session-routes.ts';
import { DEFAULT_UPLOADS } from './upload-options.ts';
import { describeUploads, handleUpload, requireFileContentType, UPLOAD_HEADERS } from './upload-route.ts';
import { handleData, handleErase } from './visitor-data-routes.ts';

/** One path of the API. */
export interface ApiRoute {
  /** For log lines and spans, which hold no path. */
  readonly name: string;
  /** The methods, besides OPTIONS. */
  readonly methods: readonly string[];
  /** Answers a POST. */
  readonly post?: PostRoute;
  /** Returns the body of the answer to a GET. Throws a `ProxyFailure`. */
  readonly get?: (proxy: ProxyContext) => object | Promise<object>;
  /** Whether a GET needs no origin, because monitors have none. An origin that is there has to be listed. */
  readonly mayOmitOrigin?: boolean;
}

/** How a POST is counted, bounded and answered. */
export interface PostRoute {
  /** The limit under which it is counted. */
  readonly limit: LimitedKind;
  /** Answers it. Throws a `ProxyFailure`, or the signal's reason. */
  readonly handle: (proxy: ProxyContext, admitted: AdmittedRequest) => Promise<RouteAnswer>;
  /** How long it may take in all. Default: the proxy's `deadlineMs`. */
  readonly deadlineMs?: (proxy: ProxyContext) => number;
  /** Throws `UNSUPPORTED_MEDIA_TYPE`. Default: the body has to be JSON. */
  readonly requireContentType?: (headers: Headers) => void;
  /** Headers that a page may send besides those of every route. */
  readonly requestHeaders?: readonly string[];
}

// An agent may need a model's whole answer; the client gives a message up after 35 s (DEL-4).
const TURN_DEADLINE_MS = 30_000;
// The agent is asked in after 5 s, with verified context or without (VCI-5).
const CONTEXT_DEADLINE_MS = 5_000;

const turnDeadlineMs = ({ deadlineMs }: ProxyContext): number => Math.max(deadlineMs, TURN_DEADLINE_MS);
const contextDeadlineMs = ({ deadlineMs }: ProxyContext): number => Math.min(deadlineMs, CONTEXT_DEADLINE_MS);
const uploadDeadlineMs = ({ options }: ProxyContext): number =>
  options.uploads?.deadlineMs ?? DEFAULT_UPLOADS.deadlineMs;

const POST = ['POST'];
const GET_AND_POST = ['GET', 'POST'];

/** The routes, by their paths below the mount point. */
const ROUTES: Readonly<Record<string, ApiRoute>> = {
  '/v1/session': { name: 'session', methods: POST, post: { limit: 'session', handle: handleSession } },
  '/v1/resume': { name: 'resume', methods: POST, post: { limit: 'resume', handle: handleResume } },
  '/v1/logout': { name: 'logout', methods: POST, post: { limit: 'resume', handle: handleLogout } },
  '/v1/probe': { name: 'probe', methods: POST, post: { limit: 'resume', handle: handleProbe } },
  '/v1/context': {
    name: 'context',
    methods: POST,
    post: { limit: 'resume', handle: handleContext, deadlineMs: contextDeadlineMs },
  },
  '/v1/upload': {
    name: 'upload',
    methods: GET_AND_POST,
    get: ({ options }) => describeUploads(options.uploads),
    post: {
      limit: 'upload',
      handle: handleUpload,
      deadlineMs: uploadDeadlineMs,
      requireContentType: requireFileContentType,
      requestHeaders: UPLOAD_HEADERS,
    },
  },
  '/v1/feedback': { name: 'feedback', methods: POST, post: { limit: 'resume', handle: handleFeedback } },
  '/v1/data': { name: 'data', methods: POST, post: { limit: 'resume', handle: handleData } },
  '/v1/erase': { name: 'erase', methods: POST, post: { limit: 'resume', handle: handleErase } },
  '/v1/contact': { name: 'contact', methods: POST, post: { limit: 'session', handle: handleContact } },
  '/v1/search': {
    name: 'search',
    methods: GET_AND_POST,
    get: ({ options }) => describeSearch(options.onSearch),
    post: { limit: 'search', handle: handleSearch },
  },
  '/v1/chat/create': {
    name: 'chatCreate',
    methods: POST,
    post: { limit: 'session', handle: handleChatCreate, deadlineMs: turnDeadlineMs },
  },
  '/v1/chat/respond': {
    name: 'chatRespond',
    methods: POST,
    post: { limit: 'turn', handle: handleChatRespond, deadlineMs: turnDeadlineMs },
  },
  '/v1/chat/close': { name: 'chatClose', methods: POST, post: { limit: 'turn', handle: handleChatClose } },
  '/v1/health': { name: 'health', methods: ['GET', 'HEAD'], get: reportHealth, mayOmitOrigin: true },
};

/** Returns the route at a path below the mount point, null for none. */
export const findRoute = (path: string): ApiRoute | null =>
  Object.hasOwn(ROUTES, path) ? (ROUTES[path] ?? null) : null;
