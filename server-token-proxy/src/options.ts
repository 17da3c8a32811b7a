import type { ContactRequest, VisitorContext, VisitorFeedback } from './contact/visitor-hooks.ts';
import type { ReadEmbedFile } from './embed-files/serve-embed-file.ts';
import type { Limiter, LimitRule, RequestLimits } from './http/request-limits.ts';
import type { Clock } from './kit/clock.ts';
import type { Log } from './kit/log.ts';
import type { Handshake } from './probe/handshake.ts';
import type { OnArticle, OnSearch } from './search/search-route.ts';
import type { Revocations } from './sessions/revocations.ts';
import type { Uploads } from './uploads/upload-options.ts';

/** Access to the platform's turn-based chat, for visitors whose network blocks sockets. Source: rest.md 3. */
export interface ChatAccess {
  /** Base URL of the runtime service, `https` (or `http` on a loopback host). */
  readonly baseUrl: string;
  /** A secret API key of that service with the chat permission. */
  readonly apiKey: string;
  /** Slug or prefixed id. */
  readonly accountId: string;
  /** Slug or prefixed id. */
  readonly projectId: string;
}

/** A connector as the platform knows it. */
export interface Connector {
  /** The secret connector token (`X-Token`). */
  readonly token: string;
  /** The registered host or app namespace, exactly as registered (`X-Host`). Source: messaging.md 3.3. */
  readonly host: string;
  /** Default: none, and visitors without a socket see that the chat is unreachable. */
  readonly chat?: ChatAccess;
}

/** Arguments of the `authorize` hook besides the request. */
export interface AuthorizeContext {
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
  /** Name of the requested connector. */
  readonly connector: string;
  /** The page's origin; null when the caller sent none. */
  readonly origin: string | null;
  readonly signal: AbortSignal;
}

/** Settings of a token proxy. `createTokenProxy` refuses wrong ones, with all problems in one message. */
export interface TokenProxyOptions {
  /** The messaging host, `https` (or `http` on a loopback host, or with `allowHttpUpstream`). Source: H-1, H-3. */
  readonly upstreamUrl: string;
  /**
   * Allows `http` on any host for `upstreamUrl` and the connectors' `chat.baseUrl`. Only for a private network, such as
   * between containers, because tokens and keys are sent unencrypted. Then requires `websocketUrl`. Default false.
   */
  readonly allowHttpUpstream?: boolean;
  /** Address of the socket for browsers, without parameters. Default: `upstreamUrl` with `wss` and `/ws`. */
  readonly websocketUrl?: string;
  /** Connectors by the name that pages request; `default` serves pages that request none. */
  readonly connectors: Readonly<Record<string, Connector>>;
  /**
   * Keys that encrypt resume tickets: base64url of 32 bytes, see `createTicketKey`. The first encrypts, all decrypt.
   */
  readonly ticketKeys: readonly string[];
  /**
   * Pages that may use the proxy: exact origins, such as `https://www.example.com`. `null` stands for opaque origins
   * and requires `authorize`.
   */
  readonly allowedOrigins: readonly string[];
  /** Also serve callers that send no `Origin`, such as native apps. Default false. */
  readonly allowRequestsWithoutOrigin?: boolean;
  /**
   * Your own check for every session, resume, verified context, upload, search, data request and turn of a chat without
   * a socket, after the checks of origin, limits and body; false refuses. It gets the request's headers; the body has
   * been read already. With this hook, it also decides about callers without an `Origin`.
   */
  readonly authorize?: (request: Request, context: AuthorizeContext) => boolean | Promise<boolean>;
  /**
   * Returns the variant of the agent for a new conversation: its id on the platform, such as `brisk`. With `null` the
   * platform chooses by its weights. For your own experiments, based on a cookie or the signed-in user. Called after
   * `authorize`, on the routes `session` and `chat`; an exception fails the request with 500. Default: the platform
   * chooses. Source: SES-3.
   */
  readonly chooseVariant?: (
    request: Request,
    context: AuthorizeContext,
  ) => string | null | Promise<string | null>;
  /**
   * Receives a visitor's rating of an answer if the platform does not store ratings (it lacks the extension
   * `feedback`); the widget asks for ratings only if either does. May be called again for the same message with the
   * same rating. A failed call is repeated. Default: none. Source: messaging.md, EXT-6.
   */
  readonly onFeedback?: (feedback: VisitorFeedback, context: VisitorContext) => void | Promise<void>;
  /**
   * Receives a visitor's request for an answer by email, after a handoff without a person or outside business hours,
   * to send the mail or open a ticket. A platform with a desk stores it first, and a failed call is only logged;
   * otherwise your code stores it, and a failed call shows the visitor that nothing was sent. The widget offers the
   * form if either exists. Counted with a client's new sessions. Default: none. Source: messaging.md 3.8.
   */
  readonly onContactRequest?: (request: ContactRequest, context: VisitorContext) => void | Promise<void>;
  /** Request headers that pages may send for `authorize`, such as `X-CSRF-Token`. Never sent upstream. Default none. */
  readonly allowedHeaders?: readonly string[];
  /** Path under which the proxy is mounted, such as `/api/chat`. Default: the root. */
  readonly basePath?: string;
  /** Lifetime of a ticket; each resume renews it. Default 600, the platform's idle window (HB-3); 900 with a relay. */
  readonly ticketLifetimeSeconds?: number;
  /**
   * Accepts visitors' files and pictures, for pages whose widget has the feature `files`. Default: none are accepted.
   */
  readonly uploads?: Uploads;
  /**
   * Searches your help articles, for the home screen of pages whose widget has the feature `home`. Called while the
   * visitor types and without a session, so respond within a few hundred milliseconds and with public articles only. A
   * failed call shows the visitor that the search does not work. Default: none, and the home screen has no search.
   */
  readonly onSearch?: OnSearch;
  /**
   * Returns the text of an article that `onSearch` gave an `id`. The article then opens in the chat, with a link to its
   * page. Called without a session. Default: none, and articles open as pages.
   */
  readonly onArticle?: OnArticle;
  readonly limits?: Partial<RequestLimits>;
  /** Creates the counters of one limit, for a store shared by replicas. Default: this process's memory. */
  readonly createLimiter?: (rule: LimitRule) => Limiter;
  /** Stores who has logged out, for a store shared by replicas. Default: this process's memory. */
  readonly revocations?: Revocations;
  /**
   * Tries a handshake for a page that cannot see why its own was rejected. Default: none, and such pages start another
   * session if the messaging host responds at all. In Node, `nodeHandshake` of `@natter/token-proxy/node`.
   */
  readonly handshake?: Handshake;
  /** Number of your reverse proxies in front that append to `X-Forwarded-For`. Default 0: the header is not read. */
  readonly trustedProxyHops?: number;
  /** Time limit for a whole request. Default 20000. */
  readonly deadlineMs?: number;
  /** Time limit for one call to the platform, after which it is repeated. Default 6000. */
  readonly attemptTimeoutMs?: number;
  /** Default: nothing is logged. */
  readonly log?: Log;
  /** Serves `/natter.js` and its chunks from this reader. Default: those paths are not found. */
  readonly readEmbedFile?: ReadEmbedFile;
  /** Default: the runtime's `fetch`. */
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
}

/** Information from the host besides the request. */
export interface RequestInfo {
  /** Address of the connection's other end, for the limits per client. */
  readonly clientAddress?: string | undefined;
}

/** The proxy: answers every request, never rejects. */
export type TokenProxy = (request: Request, info?: RequestInfo) => Promise<Response>;
