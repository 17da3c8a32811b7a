// Hooks for a custom view in Preact.
export type { ChatValues, Composer } from '../bindings/index.ts';
export type { NatterChatElementProps } from './element-types.ts';
export {
  ChatProvider,
  type ChatProviderProps,
  useChat,
  useChatClient,
  useComposer,
  useMessages,
} from './hooks.ts';
