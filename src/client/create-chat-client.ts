import type { ChatClient, ChatClientOptions, SendOutcome } from './chat-client.ts';
import { LiveChat } from './live-chat.ts';

/**
 * Makes a client for one conversation. Nothing happens before `start()`: no request, no storage, no socket.
 *
 * Faults of the network, the proxy and the platform never throw; they show in `connection`, `session` and in
 * the delivery status of a message. Throws a `TypeError` only for an `endpoint` that is not an encrypted
 * address (H-3), which no visitor could mend.
 *
 * @example
 * const chat = createChatClient({ endpoint: 'https://chat.example.com' });
 * chat.subscribe(({ messages }) => console.log(messages.length));
 * await chat.start();
 * chat.send('When does the ferry leave?');
 */
export function createChatClient(options: ChatClientOptions): ChatClient {
  const chat = new LiveChat(options);
  const { store } = chat;
  return {
    ...store.state,
    start: () => chat.start(),
    hasStoredConversation: () => chat.hasStoredConversation(),
    send: (text: string): SendOutcome => chat.send(text),
    retry: (localId) => chat.retry(localId),
    discard: (localId) => chat.discard(localId),
    notifyTyping: () => chat.notifyTyping(),
    markRead: () => chat.markRead(),
    reconnect: () => chat.reconnect(),
    endChat: () => chat.endChat(),
    newChat: () => chat.newChat(),
    subscribe: (listener) => store.subscribe(listener),
    destroy: () => chat.destroy(),
  };
}
