import type { DecodedFrame } from '../../protocol/index.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import type { ClockPort } from '../ports.ts';
import type { Command, Conversation, ConversationAction, ConversationStep } from './conversation-state.ts';
import { reduceConversation } from './transition.ts';

/**
 * An action with the conversation before and after it. For frames that were read together: the last frame's action, and
 * the conversation before the first.
 */
export interface ConversationChange extends ConversationStep {
  readonly before: Conversation;
  readonly action: ConversationAction;
}

/** Holds the conversation of this tab. Only actions change it. */
export interface ConversationStore {
  readonly conversation: Conversation;
  readonly isClosed: boolean;
  /** `commandId` is the id of another tab's command that the action completes. */
  dispatch(action: ConversationAction, commandId?: string): void;
  /** Applies frames that arrived together, each as its own action, in one change. */
  read(frames: readonly DecodedFrame[]): void;
  /** Ignores every later action. */
  close(): void;
}

export interface ConversationStoreOptions {
  readonly start: Conversation;
  readonly clock: ClockPort;
  /** Called for one change at a time; actions that a subscriber dispatches are handled after the current change. */
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
    read(frames) {
      const [last] = frames.slice(-1);
      if (isClosed || !last) return;
      const before = conversation;
      const commands: Command[] = [];
      const ignored: string[] = [];
      for (const frame of frames) {
        const step = reduceConversation(conversation, { type: 'frame', frame }, clock.now());
        conversation = step.conversation;
        commands.push(...step.commands);
        // The connection reports a completely dropped frame, with the reason.
        if (frame.kind !== 'drop') ignored.push(...step.ignored);
      }
      onChange({ conversation, commands, ignored, before, action: { type: 'frame', frame: last } });
    },
    close() {
      isClosed = true;
    },
  };
}
