import {
  ChatClient,
  ChatClientOptions,
  ChatSnapshot,
  ChatState,
  KeyPress,
  SendOutcome,
  TranscriptItem,
} from "natter/client";
import {
  ComponentChildren,
  HTMLAttributes,
} from "preact";
import {
  NatterChatAttributes,
  NatterChatElement,
} from "natter";
type ChatValues = ChatSnapshot & Omit<ChatClient, keyof ChatState>;
interface ComposerActions {
  setText(text: string): void;
  send(): SendOutcome;
  handleKeyDown(event: ComposerKeyEvent): void;
  handleSubmit(event: {
    preventDefault(): void;
  }): void;
}
interface Composer extends ComposerActions {
  readonly text: string;
  readonly canSend: boolean;
  readonly isDisabled: boolean;
}
type ComposerKeyEvent = {
  preventDefault(): void;
} & (KeyPress | {
  readonly nativeEvent: KeyPress;
});
type NatterChatElementProps = HTMLAttributes<NatterChatElement> & NatterChatAttributes;
declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'natter-chat': NatterChatElementProps;
    }
  }
}
interface ChatProviderProps {
  readonly client: ChatClient;
  readonly children?: ComponentChildren;
}
declare const ChatProvider: ({ client, children }: ChatProviderProps) => ComponentChildren;
declare const useChatClient: (options: ChatClientOptions) => ChatClient;
declare const useChat: (client?: ChatClient) => ChatValues;
declare const useMessages: (client?: ChatClient) => readonly TranscriptItem[];
declare const useComposer: (client?: ChatClient) => Composer;
export {
  ChatProvider,
  type ChatProviderProps,
  type ChatValues,
  type Composer,
  type NatterChatElementProps,
  useChat,
  useChatClient,
  useComposer,
  useMessages,
};
