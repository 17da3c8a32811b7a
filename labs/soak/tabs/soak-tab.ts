/** One entry of a transcript, as a reader of the page sees it. */
export interface ShownItem {
  readonly author: 'user' | 'agent';
  readonly text: string;
  /** Delivery of a user's message; `said` for the agent's. */
  readonly status: 'queued' | 'pending' | 'sent' | 'failed' | 'said';
  /** The draft's id when this tab wrote it. */
  readonly localId: string | null;
  readonly isStreaming: boolean;
}

/** Content of a tab at one moment. */
export interface TabView {
  readonly connection: string;
  readonly session: string;
  readonly items: readonly ShownItem[];
  readonly isTyping: boolean;
}

/** A tab of the visitor's browser, in any runtime: the actions of a schedule on it, and its state. */
export interface SoakTab {
  /** The id of the accepted draft; null when the client refused it. */
  send(text: string): Promise<string | null>;
  type(): Promise<void>;
  setOnline(isOnline: boolean): Promise<void>;
  /** The browser puts the tab to sleep, or wakes it. */
  setFrozen(isFrozen: boolean): Promise<void>;
  /** The page reloads with its stored data. */
  reload(): Promise<void>;
  /** The site removes the widget from the page; the page stays, and `trace` counts remaining requests. */
  leave(): Promise<void>;
  /** The visitor's button after the client has given up. */
  reconnect(): Promise<void>;
  view(): Promise<TabView>;
  /** Events since it was opened, reloads included. */
  trace(): Promise<TabTrace>;
  close(): Promise<void>;
}

/** The history of one tab. */
export interface TabTrace {
  /** Sessions it was given, in order; repeats left out. */
  readonly sessionIds: readonly string[];
  /** Access tokens and resume tickets it was given: nothing it shows or traces may hold one. */
  readonly secrets: readonly string[];
  /** Ids of drafts that it has shown as sent at any time. */
  readonly acknowledged: readonly string[];
  /** Number of new sessions that it received although it could have resumed one. */
  readonly renewals: number;
  /** Requests made by pages that were gone, and by clients that were taken off theirs. */
  readonly lateCalls: number;
  /** Every frame and note of the client's inspector. */
  readonly frames: readonly string[];
}
