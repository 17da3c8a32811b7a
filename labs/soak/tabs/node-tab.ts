import { randomUUID } from 'node:crypto';
import {
  type ChatClient,
  type ChatSnapshot,
  type ClockPort,
  createChatClient,
  type TranscriptItem,
} from 'natter/client';
import { FakeDevice, FakeStorage } from '../../../test/chat-harness.ts';
import { FakeBrowser, type FakeTab } from '../../../test/fake-browser.ts';
import type { Dice } from '../dice.ts';
import type { ShownItem, SoakTab, TabTrace, TabView } from './soak-tab.ts';

/** Options of a tab in this process. */
export interface NodeTabOptions {
  readonly endpoint: string;
  readonly clock: ClockPort;
  /** Decides the client's jitter, so that a seed decides it too. */
  readonly dice: Dice;
  readonly storage?: FakeStorage;
  /** Default: Node's own. */
  readonly webSocket?: typeof WebSocket;
  /** Called with each change of the connection. */
  readonly onConnection?: (status: string) => void;
  /** The tabs that this one shares its conversation with; without them it has its own socket. */
  readonly visitor?: SoakVisitor;
}

/** State shared by the tabs of one browser. */
export interface SoakVisitor {
  readonly browser: FakeBrowser;
  readonly storage: FakeStorage;
  /** Sessions that any of them was given, in order. */
  readonly sessionIds: string[];
}

export const createVisitor = (): SoakVisitor => ({
  browser: new FakeBrowser(),
  storage: new FakeStorage(),
  sessionIds: [],
});

function toShownItem(item: TranscriptItem): ShownItem | null {
  switch (item.kind) {
    case 'user': {
      const { text, localId, delivery } = item;
      return { author: 'user', text, status: delivery.status, localId, isStreaming: false };
    }
    case 'agent': {
      const { text, isStreaming } = item;
      return { author: 'agent', text, status: 'said', localId: null, isStreaming };
    }
    case 'system':
      return null;
  }
}

/** The headless client over real sockets and a real proxy, on a fast clock. */
export class NodeTab implements SoakTab {
  readonly storage: FakeStorage;
  readonly #options: NodeTabOptions;
  readonly #device = new FakeDevice();
  readonly #sessionIds: string[];
  readonly #secrets = new Set<string>();
  readonly #acknowledged = new Set<string>();
  readonly #frames: string[] = [];
  #page = 0;
  #tab: FakeTab;
  #renewals = 0;
  #mayChangeSession = true;
  #lateCalls = 0;
  #chat: ChatClient;

  constructor(options: NodeTabOptions) {
    this.#options = options;
    this.storage = options.visitor?.storage ?? options.storage ?? new FakeStorage();
    this.#sessionIds = options.visitor?.sessionIds ?? [];
    this.#tab = this.#openTab();
    this.#chat = this.#open();
  }

  /** Another tab of the same browser: it finds the conversation, but not this tab's drafts. */
  copyStorage(): FakeStorage {
    const copy = new FakeStorage();
    for (const [key, value] of this.storage.values) {
      copy.values.set(key, { ...structuredClone(value as object), drafts: [] });
    }
    return copy;
  }

  async send(text: string): Promise<string | null> {
    // A visitor who writes looks at the tab, and a browser resumes it for that.
    this.#tab.thaw();
    const outcome = this.#chat.send(text);
    return outcome.status === 'accepted' ? outcome.localId : null;
  }

  async type(): Promise<void> {
    this.#chat.notifyTyping();
  }

  async setFrozen(isFrozen: boolean): Promise<void> {
    if (isFrozen) this.#tab.freeze();
    else this.#tab.thaw();
  }

  async setOnline(isOnline: boolean): Promise<void> {
    this.#device.setOnline(isOnline);
  }

  async reload(): Promise<void> {
    // A browser lets a storage transaction that has begun run to its end.
    await new Promise((resolve) => setTimeout(resolve, 1));
    this.#tab.thaw();
    this.#chat.destroy();
    this.#page += 1;
    this.#tab = this.#openTab();
    // A page that finds no session stored, because the visitor said nothing in it or it had none, begins anew.
    this.#mayChangeSession = !this.#hasStoredSession();
    this.#note('reloaded');
    this.#chat = this.#open();
  }

  async leave(): Promise<void> {
    this.#chat.destroy();
    this.#page += 1;
  }

  async reconnect(): Promise<void> {
    this.#chat.reconnect();
  }

  async view(): Promise<TabView> {
    const { connection, session, messages, typing } = this.#chat;
    return {
      connection: connection.value.status,
      session: session.value.status,
      isTyping: typing.value !== null,
      items: messages.value.map(({ value }) => toShownItem(value)).filter((item) => item !== null),
    };
  }

  async trace(): Promise<TabTrace> {
    return {
      sessionIds: this.#sessionIds,
      secrets: [...this.#secrets],
      acknowledged: [...this.#acknowledged],
      renewals: this.#renewals,
      lateCalls: this.#lateCalls,
      frames: this.#frames,
    };
  }

  async close(): Promise<void> {
    this.#chat.destroy();
  }

  #hasStoredSession(): boolean {
    return [...this.storage.values.values()].some(
      (value) => typeof value === 'object' && value !== null && Boolean(Reflect.get(value, 'resumeTicket')),
    );
  }

  #openTab(): FakeTab {
    return (this.#options.visitor?.browser ?? new FakeBrowser()).openTab();
  }

  #open(): ChatClient {
    const { endpoint, clock, dice, visitor } = this.#options;
    const tab = this.#tab;
    const page = this.#page;
    const chat = createChatClient({
      endpoint,
      allowInsecure: true,
      onFrame: ({ direction, atMs, text }) => this.#frames.push(`${atMs} ${direction} ${text}`),
      ports: {
        clock: tab.clock(clock),
        random: () => dice.next(),
        createId: () => randomUUID(),
        storage: this.storage,
        environment: this.#device,
        fetch: async (input, init) => {
          // A call that was cancelled before it began sends no request.
          if (page !== this.#page && !init.signal?.aborted) this.#lateCalls += 1;
          const response = await fetch(input, init);
          if (page === this.#page) await this.#noteGrant(response.clone());
          return response;
        },
        WebSocket: tab.webSocket(this.#options.webSocket ?? WebSocket),
        tabs: visitor ? tab : null,
      },
    });
    chat.subscribe((snapshot) => this.#noteAcknowledged(snapshot));
    const { onConnection } = this.#options;
    if (onConnection) chat.connection.subscribe(({ status }) => onConnection(status));
    void chat.start();
    return chat;
  }

  #noteAcknowledged({ messages }: ChatSnapshot): void {
    for (const item of messages) {
      if (item.kind === 'user' && item.localId !== null && item.delivery.status === 'sent') {
        this.#acknowledged.add(item.localId);
      }
    }
  }

  async #noteGrant(response: Response): Promise<void> {
    const body: unknown = await response.json().catch(() => null);
    if (typeof body !== 'object' || body === null) return;
    const fields: Readonly<Record<string, unknown>> = { ...body };
    for (const name of ['access_token', 'resume_ticket']) {
      const secret = fields[name];
      // Empty where a cookie holds the ticket.
      if (typeof secret === 'string' && secret !== '') this.#secrets.add(secret);
    }
    const sessionId = fields['session_id'];
    if (typeof sessionId !== 'string' || sessionId === this.#sessionIds.at(-1)) return;
    if (!this.#mayChangeSession) this.#renewals += 1;
    this.#mayChangeSession = false;
    this.#sessionIds.push(sessionId);
    this.#note(`session ${sessionId}`);
  }

  #note(text: string): void {
    this.#frames.push(`${this.#options.clock.now()} soak ${text}`);
  }
}
