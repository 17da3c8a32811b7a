import type { ContactRequest, VisitorContext, VisitorFeedback } from './contact/visitor-hooks.ts';
import type { ReadEmbedFile } from './embed-files/serve-embed-file.ts';
import type { Limiter, LimitRule, RequestLimits } from './http/request-limits.ts';
import type { Clock } from './kit/clock.ts';
import type { Log } from './kit/log.ts';
import type { Handshake } from './probe/handshake.ts';
import type { OnSearch } from './search/search-route.ts';
import type { Revocations } from './sessions/revocations.ts';
import type { Uploads } from './uploads/upload-options.ts';

/** The way to the platform's turn-based chat, for visitors whose network lets no socket through. Source: rest.md 3. */
export interface ChatAccess {
  /** Base URL of the runtime service, `https` (or `http` on a loopback host). */
  readonly baseUrl: string;
  /** A secret API key of that service, permitted for chat. */
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
  /** Default: none, and visitors without a socket see that the chat cannot be reached. */
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
    | 'search';
  /** Name of the connector asked for. */
  readonly connector: string;
  /** The page's origin; null when the caller sent none. */
  readonly origin: string | null;
  readonly signal: AbortSignal;
}

/** Settings of a token proxy. Wrong ones are refused by `createTokenProxy`, all of them in one message. */
export interface TokenProxyOptions {
  /** The messaging host, `https` (or `http` on a loopback host, or with `allowHttpUpstream`). Source: H-1, H-3. */
  readonly upstreamUrl: string;
  /**
   * Let `upstreamUrl` and the connectors' `chat.baseUrl` be `http` on any host. For a private network only, such as between
   * containers: tokens and keys are sent there unencrypted. Needs `websocketUrl` then. Default false.
   */
  readonly allowHttpUpstream?: boolean;
  /** Where browsers open the socket, without parameters. Default: `upstreamUrl` with `wss` and `/ws`. */
  readonly websocketUrl?: string;
  /** Connectors by the name pages ask for; the one called `default` serves pages that ask for none. */
  readonly connectors: Readonly<Record<string, Connector>>;
  /** Keys that seal resume tickets: base64url of 32 bytes, see `createTicketKey`. The first seals, all open. */
  readonly ticketKeys: readonly string[];
  /** Pages that may use the proxy: exact origins, such as `https://www.example.com`. `null` stands for opaque origins and needs `authorize`. */
  readonly allowedOrigins: readonly string[];
  /** Also serve callers that send no `Origin`, such as native apps. Default false. */
  readonly allowRequestsWithoutOrigin?: boolean;
  /**
   * Your own say over every session, resume, verified context, upload, search, request of a visitor for their data and turn of a chat without a socket, after the origin, the limits and the body have passed; false refuses. It sees
   * the request's headers; the body has been read already. With a hook, callers without an `Origin` are its to decide.
   */
  readonly authorize?: (request: Request, context: AuthorizeContext) => boolean | Promise<boolean>;
  /**
   * Names the variant of the agent that a new conversation is in: its id on the platform, such as `brisk`. With `null` the
   * platform chooses by its weights. For experiments of your own, by a cookie or the signed-in user. Called after `authorize`, on the
   * routes `session` and `chat`; a call that throws fails the request with 500. Default: the platform chooses. Source: SES-3.
   */
  readonly chooseVariant?: (
    request: Request,
    context: AuthorizeContext,
  ) => string | null | Promise<string | null>;
  /**
   * Gets a visitor's rating of an answer where the platform takes none (it names no extension `feedback`); the widget asks
   * for one only where either does. May be called again for the same message, and with the same rating. A call that fails is
   * made again. Default: none. Source: messaging.md, EXT-6.
   */
  readonly onFeedback?: (feedback: VisitorFeedback, context: VisitorContext) => void | Promise<void>;
  /**
   * Gets the request of a visitor for an answer by e-mail: after a hand-off without a person, and outside business hours, to
   * send the mail or open a ticket. A platform with a desk has stored it before, and a call that fails is a line in the log;
   * elsewhere your code stores it, and a call that fails shows the visitor that nothing was sent. The widget offers it where
   * either is there. Counted with the new sessions of a client. Default: none. Source: messaging.md 3.8.
   */
  readonly onContactRequest?: (request: ContactRequest, context: VisitorContext) => void | Promise<void>;
  /** Request headers that pages may send for `authorize`, such as `X-CSRF-Token`. Never sent upstream. Default none. */
  readonly allowedHeaders?: readonly string[];
  /** Path under which the proxy is mounted, such as `/api/chat`. Default: the root. */
  readonly basePath?: string;
  /** How long a ticket lives; each resume renews it. Default 600, the platform's idle window (HB-3); 900 with a relay. */
  readonly ticketLifetimeSeconds?: number;
  /** Takes files and pictures of visitors, for pages whose widget has the feature `files`. Default: none are taken. */
  readonly uploads?: Uploads;
  /**
   * Searches your help articles for a visitor, on the home screen of pages whose widget has the feature `home`. Called while
   * the visitor types and without a session, so answer in a few hundred milliseconds and from public articles only. A call
   * that fails shows the visitor that the search does not work. Default: none, and the home screen has no search.
   */
  readonly onSearch?: OnSearch;
  readonly limits?: Partial<RequestLimits>;
  /** Makes the counters of one limit, for a store that replicas share. Default: this process's memory. */
  readonly createLimiter?: (rule: LimitRule) => Limiter;
  /** Remembers who has logged out, for a store that replicas share. Default: this process's memory. */
  readonly revocations?: Revocations;
  /**
   * Tries a handshake for a page that cannot find out why its own was rejected. Default: none, and such pages start another session when
   * the messaging host answers at all. In Node, `nodeHandshake` of `@natter/token-proxy/node`.
   */
  readonly handshake?: Handshake;
  /** Number of your proxies in front that append to `X-Forwarded-For`. Default 0: the header is not read. */
  readonly trustedProxyHops?: number;
  /** Longest time one request may take in all. Default 20000. */
  readonly deadlineMs?: number;
  /** Longest time one call to the platform may take before it is tried again. Default 6000. */
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

/** What the host knows about a request beside the request. */
export interface RequestInfo {
  /** Address of the connection's other end, for the limits per client. */
  readonly clientAddress?: string | undefined;
}

/** The proxy: answers every request, never rejects. */
export type TokenProxy = (request: Request, info?: RequestInfo) => Promise<Response>;
