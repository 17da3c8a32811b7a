import { LIMITS } from '../protocol/index.ts';
import type { Chat, ContextProvider } from './chat-client.ts';
import type { SharedConversation } from './shared-conversation.ts';
import type { ChatStore } from './store/create-chat-store.ts';

/** What a visitor does in a conversation. */
export type VisitorCommands = Pick<
  Chat,
  | 'send'
  | 'retry'
  | 'discard'
  | 'answerSurvey'
  | 'cancelHandoff'
  | 'stopAnswer'
  | 'feedback'
  | 'notifyTyping'
  | 'markRead'
  | 'reconnect'
>;

/** Creates the commands of the visitor in this tab. `page` gives the metadata of messages. */
export function createVisitorCommands(
  shared: Pick<SharedConversation, 'chatStore' | 'tabs' | 'isOver'>,
  createId: () => string,
  page: ContextProvider | undefined,
): VisitorCommands {
  const { chatStore, tabs } = shared;
  return {
    send(given) {
      if (typeof given !== 'string') throw new TypeError('send takes a text.');
      const text = given.trim();
      if (!text || shared.isOver()) return { status: 'refused', reason: text ? 'chat_ended' : 'blank' };
      const localId = createId();
      tabs.dispatch({ type: 'written', localId, text, custom: page?.pageContext?.() });
      return { status: 'accepted', localId };
    },
    retry: (localId) => tabs.dispatch({ type: 'retried', localId, newLocalId: createId() }),
    discard: (localId) => tabs.dispatch({ type: 'discarded', localId }),
    answerSurvey(score, comment = '') {
      const surveyId = chatStore.state.survey.peek()?.id ?? '';
      tabs.notify({ type: 'rated', surveyId, score, comment: comment.trim() });
    },
    cancelHandoff: () => tabs.notify({ type: 'handoff_cancelled' }),
    stopAnswer: () => tabs.notify({ type: 'answer_stopped' }),
    feedback(messageId, rating, reason = '') {
      if (!isRatable(chatStore, messageId)) return;
      const words = [...reason.trim()].slice(0, LIMITS.maxFeedbackReasonCharacters).join('') || null;
      const payload = { message_id: messageId, rating, reason: words };
      tabs.dispatch({ type: 'written', localId: createId(), text: '', feedback: payload });
    },
    notifyTyping: () => tabs.notify({ type: 'typing' }),
    markRead: () => tabs.dispatch({ type: 'read' }),
    reconnect: () => tabs.notify({ type: 'reconnect' }),
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
