import { oneAtATime } from '../one-at-a-time.ts';
import type { ClockPort } from '../ports.ts';
import type { Conversation, ConversationAction, ConversationStep } from './conversation-state.ts';
import { reduceConversation } from './transition.ts';

/** One action and what it has led to. */
export interface ConversationChange extends ConversationStep {
  readonly before: Conversation;
  readonly action: ConversationAction;
}

/** Holds the conversation of this tab. Only actions change it. */
export interface ConversationStore {
  readonly conversation: Conversation;
  readonly isClosed: boolean;
  /** `commandId` names the command of another tab that the action completes. */
  dispatch(action: ConversationAction, commandId?: string): void;
  /** Ignores every later action. */
  close(): void;
}

export interface ConversationStoreOptions {
  readonly start: Conversation;
  readonly clock: ClockPort;
  /** Called for one change at a time: what a subscriber dispatches is handled when the change before it is complete. */
  readonly onChange: (change: ConversationChange) => void;
}

export function createConversationStore(options: ConversationStoreOptions): ConversationStore {
  const { clock } = options;
  const onChange = oneAtATime(options.onChange);
  let conversation = options.start;
  let isClosed = false;
  return {
    get conversation() {
      return conversation;
    },
    get isClosed() {
      return isClosed;
    },
    dispatch(action, commandId) {
      if (isClosed) return;
      const before = conversation;
      const step = reduceConversation(before, action, clock.now(), commandId);
      conversation = step.conversation;
      onChange({ ...step, before, action });
    },
    close() {
      isClosed = true;
    },
  };
}
