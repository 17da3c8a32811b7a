// The widget as a component, and composables for a custom view.
export {
  type ChatRefs,
  type ComposerRefs,
  provideChat,
  useChat,
  useChatClient,
  useComposer,
  useMessages,
} from './composables.ts';
export type { NatterChatElementProps } from './element-types.ts';
export { NatterChat, type NatterChatEmits, type NatterChatExposed } from './natter-chat.ts';
