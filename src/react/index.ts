'use client';

// The widget as a component, and hooks and components for a custom view.
export type { ChatValues, Composer as ComposerState } from '../bindings/index.ts';
export type { NatterChatElementProps } from './element-types.ts';
export {
  ChatProvider,
  type ChatProviderProps,
  useChat,
  useChatClient,
  useComposer,
  useMessages,
} from './hooks.ts';
export { NatterChat, type NatterChatProps, type WidgetHandlers } from './natter-chat.ts';
export {
  Composer,
  ComposerInput,
  type ComposerInputProps,
  type ComposerProps,
  ComposerSend,
  type ComposerSendProps,
  Message,
  MessageList,
  type MessageListProps,
  type MessageProps,
  Suggestions,
  type SuggestionsProps,
  TypingIndicator,
  type TypingIndicatorProps,
} from './parts.ts';
