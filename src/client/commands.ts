/*
 * The actions of a visitor and their page in a conversation. All tabs share the conversation, and the leader tab executes
 * the actions. There are two kinds:
 *
 * KEPT       This tab shows the action at once. It is sent to every leader until the state names it as executed, once.
 * BY_LEADER  The current leader executes the action. Without a leader it is lost, because it has no meaning later.
 */
import { LIMITS } from '../protocol/index.ts';
import type { Chat, ContextProvider } from './chat-client.ts';
import type { ConversationConnection } from './connection/conversation-connection.ts';
import { type ConversationAction, isHandled } from './conversation/conversation-state.ts';
import type { ConversationStore } from './conversation/conversation-store.ts';
import { isBlank } from './is-blank.ts';
import type { Sessions } from './session/sessions.ts';
import type { ConversationStorage } from './storage/conversation-storage.ts';
import type { ChatStore } from './store/create-chat-store.ts';

/** The components with which the leader executes actions. */
export interface Leader {
  readonly store: ConversationStore;
  readonly connection: ConversationConnection;
  readonly sessions: Sessions;
  readonly storage: ConversationStorage;
}

type Run<Action> = (leader: Leader, action: Action, commandId?: string) => void;
type Table<Type extends ConversationAction['type']> = {
  readonly [Name in Type]: Run<Extract<ConversationAction, { type: Name }>>;
};

/** Applies an action that needs only the reducer. */
const reduce: Run<ConversationAction> = ({ store }, action, commandId) => store.dispatch(action, commandId);

const KEPT: Table<'written' | 'retried' | 'discarded' | 'read' | 'claimed' | 'user_ended' | 'session_left'> =
  {
    written: reduce,
    retried: reduce,
    discarded: reduce,
    read: reduce,
    user_ended: reduce,
    claimed(leader, action, commandId) {
      const { owner } = leader.store.conversation;
      if (owner && owner !== action.owner) removeOwner(leader);
      reduce(leader, action, commandId);
      leader.storage.save();
    },
    session_left(leader, { isLogout }, commandId) {
      leaveSession(leader, isLogout, commandId);
      if (!isLogout) connect(leader);
    },
  };

const BY_LEADER: Table<'rated' | 'handoff_cancelled' | 'answer_stopped' | 'expired' | 'tick'> & {
  readonly [Name in 'reconnect' | 'typing' | 'woke']: Run<unknown>;
} = {
  rated: reduce,
  handoff_cancelled: reduce,
  answer_stopped: reduce,
  expired: reduce,
  tick: reduce,
  reconnect: connect,
  typing: ({ connection }) => connection.notifyTyping(),
  woke: ({ connection }) => connection.wake(),
};

type KeptAction = Extract<ConversationAction, { type: keyof typeof KEPT }>;

/** An action that any tab may request. */
export type TabAction =
  | KeptAction
  | Extract<ConversationAction, { type: keyof typeof BY_LEADER }>
  | { readonly type: Exclude<keyof typeof BY_LEADER, ConversationAction['type']> };

/** A kept action. The state that includes it names its id. */
export interface TabCommand {
  readonly id: string;
  readonly action: KeptAction;
}

export const isKept = (action: TabAction): action is KeptAction => Object.hasOwn(KEPT, action.type);

/** Executes an action in the leader; ignores a command that was already executed, by this leader or the one before. */
export function execute(leader: Leader, action: TabAction, commandId?: string): void {
  if (commandId && isHandled(leader.store.conversation, commandId)) return;
  // Each type matches its own action, which the compiler cannot infer through a union. Undefined for foreign messages
  // from another script of the origin.
  const run = { ...KEPT, ...BY_LEADER }[action.type] as Run<TabAction> | undefined;
  run?.(leader, action, commandId);
}

/** Connects, unless the conversation is over. */
function connect({ store, connection }: Leader): void {
  if (!store.conversation.outcome) connection.dispatch({ type: 'connect' });
}

function leaveSession(
  { store, connection, sessions, storage }: Leader,
  isLogout: boolean,
  commandId?: string,
): void {
  connection.dispatch({ type: 'disconnect', isImmediate: true });
  sessions.forget();
  storage.clear();
  if (isLogout) storage.forgetPast();
  storage.setRestored(null);
  store.dispatch({ type: 'session_left', isLogout }, commandId);
}

/** Removes everything of another visitor's conversation. */
function removeOwner(leader: Leader): void {
  const { store, sessions } = leader;
  store.dispatch({ type: 'user_ended' });
  // An immediate end has already revoked the ticket.
  if (!store.conversation.outcome) sessions.credentials.revoke();
  leaveSession(leader, true);
  connect(leader);
}

/** The visitor's commands in a conversation. */
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

/** The conversation as known to this tab. */
interface Shared {
  readonly chatStore: ChatStore;
  readonly tabs: { run(action: TabAction): void };
  isOver(): boolean;
}

/** Creates the visitor's commands in this tab. `page` provides the metadata of messages. */
export function createVisitorCommands(
  shared: Shared,
  createId: () => string,
  page: ContextProvider | undefined,
): VisitorCommands {
  const { chatStore, tabs } = shared;
  return {
    send(input) {
      if (typeof input !== 'string') throw new TypeError('send takes a text.');
      const text = input.trim();
      const isNothing = isBlank(text);
      if (isNothing || shared.isOver())
        return { status: 'refused', reason: isNothing ? 'blank' : 'chat_ended' };
      const localId = createId();
      const custom = page?.pageContext?.() ?? null;
      tabs.run({
        type: 'written',
        localId,
        event: { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text }, custom },
      });
      return { status: 'accepted', localId };
    },
    retry: (localId) => tabs.run({ type: 'retried', localId, newLocalId: createId() }),
    discard: (localId) => tabs.run({ type: 'discarded', localId }),
    answerSurvey(score, comment = '') {
      const surveyId = chatStore.state.survey.peek()?.id ?? '';
      tabs.run({ type: 'rated', surveyId, score, comment: comment.trim() });
    },
    cancelHandoff: () => tabs.run({ type: 'handoff_cancelled' }),
    stopAnswer: () => tabs.run({ type: 'answer_stopped' }),
    feedback(messageId, rating, reason = '') {
      if (!isRatable(chatStore, messageId)) return;
      const reasonText = [...reason.trim()].slice(0, LIMITS.maxFeedbackReasonCharacters).join('') || null;
      const payload = { message_id: messageId, rating, reason: reasonText };
      const event = { type: 'EVENT_TYPE_X_FEEDBACK', payload, custom: null } as const;
      tabs.run({ type: 'written', localId: createId(), event });
    },
    notifyTyping: () => tabs.run({ type: 'typing' }),
    markRead: () => tabs.run({ type: 'read' }),
    reconnect: () => tabs.run({ type: 'reconnect' }),
  };
}

/** True for a complete answer in a conversation that accepts ratings. */
function isRatable({ state }: ChatStore, messageId: string): boolean {
  if (!messageId || !state.canGiveFeedback.peek()) return false;
  return state.messages.peek().some((entry) => {
    const item = entry.peek();
    return item.kind === 'agent' && item.messageId === messageId && !item.isStreaming;
  });
}
