import { effect } from '@preact/signals-core';
import { callSafely } from './call-safely.ts';
import type { Chat, ChatClient, ChatClientOptions, ChatSnapshot } from './chat-client.ts';
import { createChat } from './create-chat.ts';

/**
 * Makes a client for one conversation. Nothing happens before `start()`: no request, no storage, no socket.
 *
 * Faults of the network, the proxy and the platform never throw; they show in `connection`, `session` and in
 * the delivery status of a message. Throws a `TypeError` only for an `endpoint` that is not an encrypted
 * address (H-3), which no visitor could mend. `start()` rejects with a `TypeError` where there is no `WebSocket`.
 *
 * @example
 * const chat = createChatClient({ endpoint: 'https://chat.example.com' });
 * chat.subscribe(({ messages }) => console.log(messages.length));
 * await chat.start();
 * chat.send('When does the ferry leave?');
 */
export function createChatClient(options: ChatClientOptions): ChatClient {
  const chat = createChat(options);
  const { WebSocket } = { WebSocket: globalThis.WebSocket, ...options.ports };
  return {
    ...chat,
    async start() {
      // Not when the client is made: a server that renders a page makes one too, and never starts it.
      if (WebSocket === undefined) throw new TypeError(NO_WEB_SOCKET);
      await chat.start();
    },
    subscribe: (listener) => subscribe(chat, listener),
  };
}

const NO_WEB_SOCKET =
  'There is no WebSocket here. Browsers and Node 22 have one; elsewhere give one: createChatClient({ endpoint, ports: { WebSocket } }), with that of the package "ws" for example.';

function subscribe(
  { connection, session, messages, unread }: Chat,
  listener: (snapshot: ChatSnapshot) => void,
): () => void {
  let isNews = false;
  return effect(() => {
    const snapshot: ChatSnapshot = {
      connection: connection.value,
      session: session.value,
      messages: messages.value.map((entry) => entry.value),
      unread: unread.value,
    };
    if (isNews) callSafely(listener, snapshot);
    isNews = true;
  });
}
