import { type ChatClient, createChatClient, storageKey } from 'natter/client';
import { createIdbStorage } from '../../../src/client/storage/idb-storage.ts';
import { createDice } from '../dice.ts';
import { SoakClock } from '../soak-clock.ts';
import type { ShownItem, TabView } from './soak-tab.ts';

// What runs in the page of a tab in Chromium: the client on the browser's own sockets, storage and events, with a clock
// that goes after the soak's. Everything worth keeping is reported to the soak at once, because a reload forgets it.

/** Reports of a page to the soak. */
export type PageNote =
  | { readonly note: 'frame'; readonly text: string }
  | { readonly note: 'acknowledged'; readonly localId: string }
  | { readonly note: 'grant'; readonly sessionId: string; readonly secrets: readonly string[] };

/** Functions of a page that the soak calls. */
export interface SoakPage {
  /** The ticket that is stored, or the word for one that a cookie holds; empty for none. */
  storedTicket(endpoint: string): Promise<string>;
  open(options: PageOptions): void;
  /** The soak's clock shows this, and everything that lives by it has kept up. */
  markAnswered(nowMs: number): void;
  send(text: string): string | null;
  type(): void;
  reconnect(): void;
  view(): TabView;
  /** Removes the client from the page. */
  leave(): void;
  /** Calls and sockets that a client has asked for since then. */
  lateCalls(): number;
}

/** Options of a client in a page. */
interface PageOptions {
  readonly endpoint: string;
  readonly rate: number;
  readonly nowMs: number;
  /** Decides the client's jitter, so that a seed decides it too. */
  readonly seed: number;
}

declare global {
  interface Window {
    soakNote(note: PageNote): Promise<void>;
    soakPage: SoakPage;
  }
}

let chat: ChatClient | null = null;
let clock: SoakClock | null = null;
let hasLeft = false;
let lateCalls = 0;
const acknowledged = new Set<string>();
const tell = (note: PageNote): void => void window.soakNote(note);

const current = (): ChatClient => {
  if (!chat) throw new Error('The tab has not been opened.');
  return chat;
};

/** Counts requests after they should have stopped. */
function noteCall(): void {
  if (hasLeft) lateCalls += 1;
}

class CountedSocket extends WebSocket {
  constructor(url: string | URL) {
    noteCall();
    super(url);
  }
}

async function reportGrant(response: Response): Promise<void> {
  const body: unknown = await response.json().catch(() => null);
  if (typeof body !== 'object' || body === null) return;
  const fields: Readonly<Record<string, unknown>> = { ...body };
  const { session_id: sessionId, access_token: token, resume_ticket: ticket } = fields;
  // Empty where a cookie holds the ticket.
  const secrets = [token, ticket].filter((secret) => typeof secret === 'string').filter(Boolean);
  if (typeof sessionId === 'string') tell({ note: 'grant', sessionId, secrets });
}

function readItems(): readonly ShownItem[] {
  return current().messages.value.flatMap(({ value: item }): ShownItem[] => {
    if (item.kind === 'system') return [];
    const { text } = item;
    if (item.kind === 'agent') {
      return [{ author: 'agent', text, status: 'said', localId: null, isStreaming: item.isStreaming }];
    }
    return [
      { author: 'user', text, status: item.delivery.status, localId: item.localId, isStreaming: false },
    ];
  });
}

window.soakPage = {
  async storedTicket(endpoint) {
    const stored: unknown = await createIdbStorage().get(storageKey(endpoint, 'default'));
    return typeof stored === 'object' && stored !== null ? String(Reflect.get(stored, 'resumeTicket')) : '';
  },
  open({ endpoint, rate, nowMs, seed }) {
    clock = new SoakClock({ rate, startMs: nowMs });
    const dice = createDice(seed);
    chat = createChatClient({
      endpoint,
      allowInsecure: true,
      onFrame: ({ direction, atMs, text }) => tell({ note: 'frame', text: `${atMs} ${direction} ${text}` }),
      ports: {
        clock,
        random: () => dice.next(),
        WebSocket: CountedSocket,
        fetch: async (input, init) => {
          // A call that was cancelled before it began sends no request.
          if (!init.signal?.aborted) noteCall();
          const response = await fetch(input, init);
          await reportGrant(response.clone());
          return response;
        },
      },
    });
    chat.subscribe(({ messages }) => {
      for (const item of messages) {
        if (item.kind !== 'user' || item.localId === null || item.delivery.status !== 'sent') continue;
        if (acknowledged.has(item.localId)) continue;
        acknowledged.add(item.localId);
        tell({ note: 'acknowledged', localId: item.localId });
      }
    });
    void chat.start();
  },
  markAnswered: (nowMs) => clock?.markAnswered(nowMs),
  send(text) {
    const outcome = current().send(text);
    return outcome.status === 'accepted' ? outcome.localId : null;
  },
  type: () => current().notifyTyping(),
  reconnect: () => current().reconnect(),
  view: () => ({
    connection: current().connection.value.status,
    session: current().session.value.status,
    isTyping: current().typing.value !== null,
    items: readItems(),
  }),
  leave() {
    hasLeft = true;
    current().destroy();
  },
  lateCalls: () => lateCalls,
};
