import type { CustomMap, Vocabulary } from '../protocol/index.ts';
import type { ChatState, TranscriptItem } from './chat-state.ts';
import type { ClientPorts } from './ports.ts';
import type { ChatServices } from './services/chat-services.ts';
import type { ProxyAnswer } from './session/proxy-calls.ts';

/** What a client needs to know before it can start. */
export interface ChatClientOptions {
  /** Base URL of the token proxy, for instance `https://chat.example.com`. */
  readonly endpoint: string;
  /** Name of the connector at the proxy. Default `default`. */
  readonly connector?: string | undefined;
  readonly platform?: 'web' | 'ios' | 'android' | 'custom' | 'ios-web' | 'android-web';
  readonly deviceType?: 'mobile' | 'tablet' | 'desktop';
  /** Ask for answers in pieces as they are made. Default true. */
  readonly streaming?: boolean;
  /** Overrides the choice by host name. Source: V-4. */
  readonly vocabulary?: Vocabulary;
  /** Allow `http:` and `ws:` on loopback hosts. Default false. Source: H-3. */
  readonly allowInsecure?: boolean;
  /** End the conversation locally after this long without activity; 0 never. Default 600000. Source: ST-2. */
  readonly idleTimeoutMs?: number;
  /** How many messages an earlier page of this tab left unread; counts when that page's conversation is resumed. Default 0. */
  readonly unread?: number;
  /**
   * Keep the words in the composer in `sessionStorage`, so that a navigation and a reload in the tab leave them there. They are
   * gone with the conversation, with `logout()`, and for another user. Default true.
   */
  readonly keepDraft?: boolean | undefined;
  /** Callbacks of the page. May be filled in after the client was made. */
  readonly page?: ContextProvider;
  /** Called when a callback of the page fails, with the consequence. Default: a warning in the console. */
  readonly onError?: (error: ChatError) => void;
  /** Sees every frame in both directions, tokens removed; for inspectors. */
  readonly onFrame?: (frame: FrameTrace) => void;
  /** Replaces parts of the outside world in tests and unusual hosts. */
  readonly ports?: Partial<ClientPorts>;
}

/** `BEFORE_JOIN_FAILED`: `beforeJoin` threw, rejected, took longer than 6 s, or gave no map of texts. */
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
   * Called once for a session, when its history has been read and before the agent is asked in; not where one has joined. The
   * agent is asked in when it resolves, with its result as metadata (MET-1); at once where it is missing. When it
   * rejects, or takes longer than 6 s, the agent is asked in without, and `onError` is called. Source: JOIN-2, VCI-3, VCI-5.
   */
  beforeJoin?(session: CurrentSession): Promise<CustomMap | undefined>;
  /**
   * Asked for with every message and sent along with it (MET-1). Messages that are written before the conversation has begun
   * get what it gives when it begins.
   */
  pageContext?(): CustomMap | undefined;
}

/** The running session, as those need it who say something about its visitor. */
export interface CurrentSession {
  /** Empty while there is none. */
  readonly sessionId: string;
  /** What a verified-context token has to name; null while it is not known. Source: VCI-1. */
  readonly contextId: string | null;
  /** Hash of the user id that `claim` was given; empty for a conversation without a user. */
  readonly owner: string;
  /** False where another tab has named another user since this tab's last `claim`. True without a user. */
  readonly isOwn: boolean;
  /** Hands a verified-context token in through the proxy. Never rejects; status 0 is no answer. Source: VCI-6. */
  submit(token: string, signal: AbortSignal): Promise<ProxyAnswer>;
}

/** What a client knows of faults that only the site's operator can mend. Holds no secret. */
export interface ChatDiagnosis {
  /** The agent that the project names and the platform does not have; null for no such fault. */
  readonly missingAgent: string | null;
  /** How the token proxy fares with the socket of the running session; null where this tab has none. */
  readonly socket: {
    /** Where browsers open the socket, without parameters. */
    readonly url: string;
    /** As the proxy says it: `accepted`, `refused`, `busy`, `unreachable` or `unknown`; empty where it says nothing. */
    readonly handshake: string;
    /** HTTP status of the handshake; 0 for none. */
    readonly status: number;
    /** `origin` where the platform takes the session and not this page; else empty. */
    readonly reason: string;
    /** Name of the network's fault, such as `ECONNREFUSED`; else empty. */
    readonly fault: string;
  } | null;
}

/** One frame as an inspector sees it. `text` never holds a token. */
export interface FrameTrace {
  readonly direction: 'in' | 'out' | 'local';
  readonly atMs: number;
  readonly text: string;
}

/** The whole state as plain values: each signal's value under its name, and the transcript as a list of its entries. */
export type ChatSnapshot = {
  readonly [Name in keyof ChatState]: Name extends 'messages'
    ? readonly TranscriptItem[]
    : ChatState[Name]['value'];
};

/** A visitor who asks for an answer by e-mail. */
export interface ContactDetails {
  readonly name: string;
  readonly email: string;
  readonly text: string;
}

/** What became of a call to `send`. */
export type SendOutcome =
  | { readonly status: 'accepted'; readonly localId: string }
  | { readonly status: 'refused'; readonly reason: 'blank' | 'chat_ended' };

/** A conversation with the platform: state to read as signals, commands to give. */
export interface Chat extends ChatState {
  /** Connects: resumes the stored conversation if there is one, else starts a new one. Safe to call twice. */
  start(): Promise<void>;
  /** True when a conversation is stored that `start()` would resume. Reads storage only. */
  hasStoredConversation(): Promise<boolean>;
  /** Sends the visitor's text, trimmed; shown at once, delivered once. */
  send(text: string): SendOutcome;
  /** Sends a failed draft again as a new message. Source: DEL-7. */
  retry(localId: string): void;
  /** Removes a draft that failed, or that waits to be sent, from the transcript. */
  discard(localId: string): void;
  /**
   * Answers the survey with 1 to 5, or skips it with null; nothing while none is open. The comment, of at most 1,024 bytes,
   * goes along where the survey's `canComment` is true. Source: TBD-3, EXT-7, MET-2.
   */
  answerSurvey(score: number | null, comment?: string): void;
  /** Withdraws the request for a person; nothing happens unless `canCancelHandoff` is true. Source: EXT-5. */
  cancelHandoff(): void;
  /**
   * Ends the answer that streams with the text received so far, here at once, and at a platform that can stop. Of another one the
   * whole answer is there when the transcript is read anew. Nothing happens unless `canStopAnswer` is true. Source: EXT-4, EXT-6.
   */
  stopAnswer(): void;
  /**
   * Rates a message of the automated agent, or takes the rating back with null; the reason has at most 1,000 characters. The
   * last one per message counts. Delivered like a message, also after a reload, and shown as `feedback` of the message.
   * Nothing happens unless `canGiveFeedback` is true, or for a message that streams. Source: EXT-3, EXT-6.
   */
  feedback(messageId: string, rating: 'up' | 'down' | null, reason?: string): void;
  /**
   * Asks for an answer by e-mail, through the token proxy. Resolves with `sent` when the site has taken it, with
   * `refused` for an address or a text that it does not take, with `failed` when it may be tried again. Never rejects, and
   * keeps nothing. The name may be empty; it has at most 100 characters, the text 2,000.
   */
  requestContact(request: ContactDetails): Promise<'sent' | 'refused' | 'failed'>;
  /**
   * Stores the draft of this tab's composer, until `logout()` or another user; sends nothing. With `isTyped`, which is the
   * default, it is kept for the next page of the tab (`keepDraft`); a text of the page's own is not.
   */
  setUnsent(text: string, isTyped?: boolean): void;
  /** Sends a typing indicator to the live agent; paced by the client. Source: messaging.md 6.3. */
  notifyTyping(): void;
  /** Resets `unread`. */
  markRead(): void;
  /** Tries to connect again at once, also after `failed`. */
  reconnect(): void;
  /**
   * Ends the conversation for good; resolves when the platform has said so or after 2 s, and a reload would not come back to
   * it. Source: messaging.md 6.4.
   */
  endChat(): Promise<void>;
  /** Leaves an ended conversation behind and starts another, where what did not arrive can be tried again. */
  newChat(): Promise<void>;
  /**
   * For a visitor who leaves, on a computer that others use: ends the conversation, forgets it here and at the proxy,
   * and empties the transcript. Nothing connects until `start()` is called again.
   */
  logout(): Promise<void>;
  /** The session as this tab knows it. */
  currentSession(): CurrentSession;
  /**
   * Says whose conversation this is, in all tabs and for the next page. A conversation of another user is ended and
   * forgotten, here and at the proxy, and a new one begins; one without a user becomes this user's. May come before `start()`.
   * `userId` is any name that stays the same; kept is a SHA-256 hash of it with `endpoint` and `connector`, which is what
   * it resolves to when the proxy has received it.
   */
  claim(userId: string): Promise<string>;
  /** Asks the token proxy to try the socket. For a diagnosis: changes nothing, never rejects. */
  diagnose(): Promise<ChatDiagnosis>;
  /** Loads the rarely used services of the token proxy. Rejects where their code cannot be loaded. */
  services(): Promise<ChatServices>;
  /** Closes the socket and removes every timer and listener; the conversation itself stays resumable. */
  destroy(): void;
}

/** The same with the state as plain values for those who do not use signals. Made by `createChatClient`. */
export interface ChatClient extends Chat {
  /** Returns the state now. Frozen, and the same object until something changes. */
  getSnapshot(): ChatSnapshot;
  /** Returns the state as it was when the client was made: what a server renders, and a page hydrates with. */
  getInitialSnapshot(): ChatSnapshot;
  /** Calls `listener` with the snapshot after every change, until the returned function is called. */
  subscribe(listener: (snapshot: ChatSnapshot) => void): () => void;
}
