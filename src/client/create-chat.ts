import type { Chat, ChatClientOptions } from './chat-client.ts';
import { createSharedConversation } from './create-shared-conversation.ts';
import { createDefaultPorts } from './default-ports.ts';
import { isUrlAllowed, resolveEndpoint } from './session/check-url.ts';

/** The client of `createChatClient` for those who read signals: without `subscribe`, for which the widget has no use. */
export function createChat(options: ChatClientOptions): Chat {
  const endpoint = resolveEndpoint(`${options.endpoint}`).replace(/\/+$/, '');
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
    send(given) {
      if (typeof given !== 'string') throw new TypeError('send takes a text.');
      const text = given.trim();
      if (!text || shared.isOver()) return { status: 'refused', reason: text ? 'chat_ended' : 'blank' };
      const localId = createId();
      ask({ type: 'written', localId, text, custom: options.page?.pageContext?.() });
      return { status: 'accepted', localId };
    },
    retry: (localId) => ask({ type: 'retried', localId, newLocalId: createId() }),
    discard: (localId) => ask({ type: 'discarded', localId }),
    answerSurvey: (score) => order({ type: 'rated', surveyId: store.state.survey.peek()?.id ?? '', score }),
    setUnsent: store.setUnsent,
    notifyTyping: () => order({ type: 'typing' }),
    markRead: () => ask({ type: 'read' }),
    reconnect: () => order({ type: 'reconnect' }),
    async newChat() {
      await whole.endChat();
      // There may have been nothing to end.
      if (shared.isOver()) order({ type: 'new_chat' });
      else await whole.start();
    },
  };
}
