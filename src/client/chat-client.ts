import type { CustomMap, Vocabulary } from '../protocol/index.ts';
import type { ChatState, TranscriptItem } from './chat-state.ts';
import type { ClientPorts } from './ports.ts';
import type { ChatServices } from './services/chat-services.ts';
import type { ProxyAnswer } from './session/proxy-calls.ts';

/** Options of a client. */
export interface ChatClientOptions {
  /** Base URL of the token proxy, for instance `https://chat.example.com`. */
  readonly endpoint: string;
  /** Name of the connector at the proxy. Default `default`. */
  readonly connector?: string | undefined;
  readonly platform?: 'web' | 'ios' | 'android' | 'custom' | 'ios-web' | 'android-web';
  readonly deviceType?: 'mobile' | 'tablet' | 'desktop';
  /** Request answers in chunks while they are generated. Default true. */
  readonly streaming?: boolean;
  /** Overrides the choice by host name. Source: V-4. */
  readonly vocabulary?: Vocabulary;
  /** Allow `http:` and `ws:` on loopback hosts. Default false. Source: H-3. */
  readonly allowInsecure?: boolean;
  /** End the conversation locally after this long without activity; 0 never. Default 600000. Source: ST-2. */
  readonly idleTimeoutMs?: number;
  /**
   * Number of unread messages from an earlier page of this tab; used when that page's conversation is resumed. Default
   * 0.
   */
  readonly unread?: number;
  /**
   * Store the composer's text in `sessionStorage`, so that it survives navigation and reload in this tab. It is removed
   * with the conversation, with `logout()`, and for another user. Default true.
   */
  readonly keepDraft?: boolean | undefined;
  /** Callbacks of the page. May be set after the client was created. */
  readonly page?: ContextProvider;
  /** Called when a callback of the page fails, with the consequence. Default: a warning in the console. */
  readonly onError?: (error: ChatError) => void;
  /** Receives every frame in both directions, without tokens; for inspectors. */
  readonly onFrame?: (frame: FrameTrace) => void;
  /** Replaces external interfaces in tests and unusual hosts. */
  readonly ports?: Partial<ClientPorts>;
}

/** `BEFORE_JOIN_FAILED`: `beforeJoin` threw, rejected, took longer than 6 s, or did not return a map of strings. */
export type ChatErrorCode = 'BEFORE_JOIN_FAILED';

/** A callback of the page failed; the conversation continues without it. */
export interface ChatError {
  readonly code: ChatErrorCode;
  readonly message: string;
  /** The error or value that was thrown. */
  readonly cause: unknown;
}

/** Callbacks with which a page supplies metadata about its visitor. */
export interface ContextProvider {
  /**
   * Called once per session, after its history was read and before the agent joins; not if one has joined already. The
   * agent is requested when it resolves, with its result as metadata (MET-1), or at once if there is no callback. If it
   * rejects or takes longer than 6 s, the agent is requested without metadata, and `onError` is called. Source: JOIN-2,
   * VCI-3, VCI-5.
   */
  beforeJoin?(session: CurrentSession): Promise<CustomMap | undefined>;
  /**
   * Called for every message, whose metadata it returns (MET-1). Messages written before the conversation has started
   * get its result at that start.
   */
  pageContext?(): CustomMap | undefined;
}

/** Callbacks of a page, with what the widget itself adds to their result. */
export interface WidgetContextProvider extends ContextProvider {
  /** Read with each join and message. Facts of the same name that the page has given count instead. */
  added?: readonly (() => CustomMap)[];
}

/** The current session, for code that provides verified data about its visitor. */
export interface CurrentSession {
  /** Empty while there is none. */
  readonly sessionId: string;
  /** Context id for a verified-context token; null while unknown. Source: VCI-1. */
  readonly contextId: string | null;
  /** Hash of the user id passed to `claim`; empty for a conversation without a user. */
  readonly owner: string;
  /** False if another tab has claimed another user since this tab's last `claim`. True without a user. */
  readonly isOwn: boolean;
  /** Submits a verified-context token through the proxy. Never rejects; status 0 means no response. Source: VCI-6. */
  submit(token: string, signal: AbortSignal): Promise<ProxyAnswer>;
}

/** Faults known to a client that only the site's operator can fix. Contains no secret. */
export interface ChatDiagnosis {
  /** The project's agent if the platform lacks it; null without this fault. */
  readonly missingAgent: string | null;
  /** The token proxy's test of the current session's socket; null if this tab has none. */
  readonly socket: {
    /** Where browsers open the socket, without parameters. */
    readonly url: string;
    /** As reported by the proxy: `accepted`, `refused`, `busy`, `unreachable` or `unknown`; empty if not reported. */
    readonly handshake: string;
    /** HTTP status of the handshake; 0 for none. */
    readonly status: number;
    /** `origin` if the platform accepts the session but not this page; otherwise empty. */
    readonly reason: string;
    /** Network error code, such as `ECONNREFUSED`; otherwise empty. */
    readonly fault: string;
  } | null;
}

/** One frame for an inspector. `text` never contains a token. */
export interface FrameTrace {
  readonly direction: 'in' | 'out' | 'local';
  readonly atMs: number;
  readonly text: string;
}

/** The whole state as plain values: each signal's value under its name, and the transcript as a list of entries. */
export type ChatSnapshot = {
  readonly [Name in keyof ChatState]: Name extends 'messages'
    ? readonly TranscriptItem[]
    : ChatState[Name]['value'];
};

/** A visitor's request for an answer by email. */
export interface ContactDetails {
  readonly name: string;
  readonly email: string;
  readonly text: string;
}

/** Result of `send`. */
export type SendOutcome =
  | { readonly status: 'accepted'; readonly localId: string }
  | { readonly status: 'refused'; readonly reason: 'blank' | 'chat_ended' };

/** A conversation with the platform: state as signals, and commands. */
export interface Chat extends ChatState {
  /** Connects: resumes the stored conversation if there is one, otherwise starts a new one. Safe to call repeatedly. */
  start(): Promise<void>;
  /** True when a conversation is stored that `start()` would resume. Reads storage only. */
  hasStoredConversation(): Promise<boolean>;
  /** Sends the visitor's text, trimmed; shown at once, delivered once. */
  send(text: string): SendOutcome;
  /** Sends a failed draft again as a new message. Source: DEL-7. */
  retry(localId: string): void;
  /** Removes a failed or waiting draft from the transcript. */
  discard(localId: string): void;
  /**
   * Answers the survey with 1 to 5, or skips it with null; has no effect without an open survey. The comment, of at
   * most 1,024 bytes, is sent if the survey's `canComment` is true. Source: TBD-3, EXT-7, MET-2.
   */
  answerSurvey(score: number | null, comment?: string): void;
  /** Withdraws the request for a person; has no effect unless `canCancelHandoff` is true. Source: EXT-5. */
  cancelHandoff(): void;
  /**
   * Ends the streaming answer with the text received so far: here at once, and on platforms that support it. On others
   * the whole answer appears when the transcript is loaded again. Has no effect unless `canStopAnswer` is true. Source:
   * EXT-4, EXT-6.
   */
  stopAnswer(): void;
  /**
   * Rates a message of the automated agent, or withdraws the rating with null; the reason has at most 1,000 characters.
   * The last rating per message counts. Delivered like a message, also after a reload, and shown as `feedback` of the
   * message. Has no effect unless `canGiveFeedback` is true, or for a streaming message. Source: EXT-3, EXT-6.
   */
  feedback(messageId: string, rating: 'up' | 'down' | null, reason?: string): void;
  /**
   * Requests an answer by email through the token proxy. Resolves with `sent` when the site has accepted it, with
   * `refused` for an invalid address or text, and with `failed` when it may be tried again. Never rejects, and stores
   * nothing. The name may be empty and has at most 100 characters, the text 2,000.
   */
  requestContact(request: ContactDetails): Promise<'sent' | 'refused' | 'failed'>;
  /**
   * Stores the draft of this tab's composer until `logout()` or another user; sends nothing. With `isTyped`, the
   * default, it is stored for the next page of the tab (`keepDraft`); a text set by the page is not.
   */
  setUnsent(text: string, isTyped?: boolean): void;
  /** Sends a typing indicator to the live agent; paced by the client. Source: messaging.md 6.3. */
  notifyTyping(): void;
  /** Resets `unread`. */
  markRead(): void;
  /** Reconnects immediately, even after `failed`. */
  reconnect(): void;
  /**
   * Ends the conversation permanently; resolves when the platform has confirmed, or after 2 s, and when a reload would
   * not resume it. Source: messaging.md 6.4.
   */
  endChat(): Promise<void>;
  /** Leaves an ended conversation and starts another one, in which undelivered messages can be sent again. */
  newChat(): Promise<void>;
  /**
   * For visitors who leave a shared computer: ends the conversation, removes it here and at the proxy, and empties the
   * transcript. Nothing connects until `start()` is called again.
   */
  logout(): Promise<void>;
  /** Returns the session as known to this tab. */
  currentSession(): CurrentSession;
  /**
   * Sets the conversation's user, in all tabs and for the next page. A conversation of another user is ended and
   * removed, here and at the proxy, and a new one starts; one without a user is assigned to this user. May be called
   * before `start()`. `userId` is any stable name; only its SHA-256 hash with `endpoint` and `connector` is stored,
   * which the promise resolves with once the proxy has received it.
   */
  claim(userId: string): Promise<string>;
  /** Lets the token proxy test the socket, for diagnostics: changes nothing, never rejects. */
  diagnose(): Promise<ChatDiagnosis>;
  /** Loads the rarely used services of the token proxy. Rejects if their code cannot be loaded. */
  services(): Promise<ChatServices>;
  /** Closes the socket and removes every timer and listener; the conversation itself stays resumable. */
  destroy(): void;
}

/** The client with its state as plain values, for users without signals. Created by `createChatClient`. */
export interface ChatClient extends Chat {
  /** Returns the current state. Frozen, and the same object until something changes. */
  getSnapshot(): ChatSnapshot;
  /** Returns the initial state, which a server renders and a page hydrates with. */
  getInitialSnapshot(): ChatSnapshot;
  /** Calls `listener` with the snapshot after every change. Returns a function that unsubscribes. */
  subscribe(listener: (snapshot: ChatSnapshot) => void): () => void;
}
