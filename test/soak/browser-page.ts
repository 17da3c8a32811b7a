import { type ChatClient, createChatClient } from '../../src/client/index.ts';
import type { ShownItem, TabView } from './soak-tab.ts';

// What runs in the page of a tab in Chromium: the client on the browser's own sockets, storage and events, with a clock
// that runs fast. Everything worth keeping is told to the soak at once, because a reload forgets it.

/** What a page tells the soak. */
export type PageNote =
  | { readonly note: 'frame'; readonly text: string }
  | { readonly note: 'acknowledged'; readonly localId: string }
  | { readonly note: 'grant'; readonly sessionId: string; readonly secrets: readonly string[] };

/** What the soak calls in a page. */
export interface SoakPage {
  open(endpoint: string, speed: number): void;
  send(text: string): string | null;
  type(): void;
  reconnect(): void;
  view(): TabView;
}

declare global {
  interface Window {
    soakNote(note: PageNote): Promise<void>;
    soakPage: SoakPage;
  }
}

let chat: ChatClient | null = null;
const acknowledged = new Set<string>();
const tell = (note: PageNote): void => void window.soakNote(note);

const current = (): ChatClient => {
  if (!chat) throw new Error('The tab has not been opened.');
  return chat;
};

async function tellGrant(response: Response): Promise<void> {
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
  open(endpoint, speed) {
    const startedAtMs = Date.now();
    const startedAt = performance.now();
    chat = createChatClient({
      endpoint,
      allowInsecure: true,
      onFrame: ({ direction, atMs, text }) => tell({ note: 'frame', text: `${atMs} ${direction} ${text}` }),
      ports: {
        clock: {
          now: () => Math.round(startedAtMs + (performance.now() - startedAt) * speed),
          setTimer(callback, delayMs) {
            const timer = setTimeout(callback, delayMs / speed);
            return () => clearTimeout(timer);
          },
        },
        fetch: async (input, init) => {
          const response = await fetch(input, init);
          await tellGrant(response.clone());
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
};
