import type { ChatClient, ChatClientOptions } from './chat-client.ts';
import { createSharedConversation } from './create-shared-conversation.ts';
import { createDefaultPorts } from './default-ports.ts';
import { isUrlAllowed } from './session/check-url.ts';

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
  const endpoint = options.endpoint.replace(/\/+$/, '');
  if (!isUrlAllowed(endpoint, options.allowInsecure)) {
    throw new TypeError('`endpoint` must be an https address.');
  }
  const ports = { ...createDefaultPorts(), ...options.ports };
  const { createId } = ports;
  const shared = createSharedConversation({ chat: options, endpoint, ports });
  const { store, ask, order, whole } = shared;
  return {
    ...store.state,
    ...whole,
    subscribe: store.subscribe,
    send(given) {
      if (typeof given !== 'string') throw new TypeError('send takes a text.');
      const text = given.trim();
      if (!text) return { status: 'refused', reason: 'blank' };
      if (shared.isOver()) return { status: 'refused', reason: 'chat_ended' };
      const localId = createId();
      ask({ type: 'written', localId, text, custom: options.page?.pageContext?.() });
      return { status: 'accepted', localId };
    },
    retry: (localId) => ask({ type: 'retried', localId, newLocalId: createId() }),
    discard: (localId) => ask({ type: 'discarded', localId }),
    answerSurvey: (score) => order({ type: 'rated', surveyId: store.state.survey.peek()?.id ?? '', score }),
    setUnsent: (text) => ask({ type: 'composed', text }),
    notifyTyping: () => order({ type: 'typing' }),
    markRead: () => ask({ type: 'read' }),
    reconnect: () => order({ type: 'reconnect' }),
    async newChat() {
      await whole.endChat();
      order({ type: 'new_chat' });
    },
  };
}
