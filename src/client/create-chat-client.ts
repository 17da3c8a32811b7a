import { LIMITS } from '../protocol/index.ts';
import type { ChatClient, ChatClientOptions } from './chat-client.ts';
import { createDefaultPorts } from './default-ports.ts';
import { isUrlAllowed, resolveEndpoint } from './session/check-url.ts';
import { SharedConversation } from './shared-conversation.ts';
import type { ChatStore } from './store/create-chat-store.ts';
import { createSnapshots } from './store/create-snapshots.ts';

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
  const endpoint = resolveEndpoint(`${options.endpoint}`).replace(/\/+$/, '');
  if (!isUrlAllowed(endpoint, options.allowInsecure)) {
    throw new TypeError('`endpoint` must be an https address.');
  }
  const ports = { ...createDefaultPorts(), ...options.ports };
  const { createId } = ports;
  const shared = new SharedConversation({ chat: options, endpoint, ports });
  const { chatStore: store, tabs, lifecycle } = shared;
  return {
    ...store.state,
    async start() {
      // Not when the client is made: a server that renders a page makes one too, and never starts it.
      if (ports.WebSocket === undefined) throw new TypeError(NO_WEB_SOCKET);
      await lifecycle.start();
    },
    send(given) {
      if (typeof given !== 'string') throw new TypeError('send takes a text.');
      const text = given.trim();
      if (!text || shared.isOver()) return { status: 'refused', reason: text ? 'chat_ended' : 'blank' };
      const localId = createId();
      tabs.dispatch({ type: 'written', localId, text, custom: options.page?.pageContext?.() });
      return { status: 'accepted', localId };
    },
    hasStoredConversation: () => lifecycle.hasStoredConversation(),
    endChat: () => lifecycle.endChat(),
    newChat: () => lifecycle.newChat(),
    logout: () => lifecycle.logout(),
    claim: (userId) => lifecycle.claim(userId),
    currentSession: () => shared.currentSession(),
    diagnose: () => lifecycle.diagnose(),
    services: () => shared.services(),
    destroy: () => lifecycle.destroy(),
    retry: (localId) => tabs.dispatch({ type: 'retried', localId, newLocalId: createId() }),
    discard: (localId) => tabs.dispatch({ type: 'discarded', localId }),
    answerSurvey: (score, comment = '') =>
      tabs.notify({
        type: 'rated',
        surveyId: store.state.survey.peek()?.id ?? '',
        score,
        comment: comment.trim(),
      }),
    cancelHandoff: () => tabs.notify({ type: 'handoff_cancelled' }),
    stopAnswer: () => tabs.notify({ type: 'answer_stopped' }),
    feedback(messageId, rating, reason = '') {
      if (!isRatable(store, messageId)) return;
      const words = [...reason.trim()].slice(0, LIMITS.maxFeedbackReasonCharacters).join('') || null;
      const payload = { message_id: messageId, rating, reason: words };
      tabs.dispatch({ type: 'written', localId: createId(), text: '', feedback: payload });
    },
    requestContact: (details) => shared.requestContact(details),
    setUnsent: store.setUnsent,
    notifyTyping: () => tabs.notify({ type: 'typing' }),
    markRead: () => tabs.dispatch({ type: 'read' }),
    reconnect: () => tabs.notify({ type: 'reconnect' }),
    ...createSnapshots(store.state),
  };
}

/** True for a complete answer of a conversation that takes ratings. */
function isRatable({ state }: ChatStore, messageId: string): boolean {
  if (!messageId || !state.canGiveFeedback.peek()) return false;
  return state.messages.peek().some((entry) => {
    const item = entry.peek();
    return item.kind === 'agent' && item.messageId === messageId && !item.isStreaming;
  });
}

const NO_WEB_SOCKET =
  'There is no WebSocket here. Browsers and Node 22 have one; elsewhere give one: ports: { WebSocket }, that of the package "ws".';
