import {
  ComputedRef,
  DefineComponent,
  DefineSetupFnComponent,
  HTMLAttributes,
  WritableComputedRef,
} from "vue";
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
  NatterChatAttributes,
  NatterWidget,
  WidgetEventName,
  WidgetEvents,
  WidgetOptions,
} from "natter";
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
type ChatRefs = { readonly [Name in keyof ChatSnapshot]: ComputedRef<ChatSnapshot[Name]>; } & Omit<ChatClient, keyof ChatState>;
type ComposerRefs = ComposerActions & { readonly [Name in 'canSend' | 'isDisabled']: ComputedRef<Composer[Name]>; } & {
  readonly text: WritableComputedRef<string>;
};
declare function useChatClient(options: ChatClientOptions): ChatClient;
declare function provideChat(client: ChatClient): void;
declare function useChat(client?: ChatClient): ChatRefs;
declare function useMessages(client?: ChatClient): ComputedRef<readonly TranscriptItem[]>;
declare function useComposer(client?: ChatClient): ComposerRefs;
type NatterChatElementProps = HTMLAttributes & NatterChatAttributes;
declare module 'vue' {
  interface GlobalComponents {
    'natter-chat': DefineComponent<NatterChatElementProps>;
  }
}
type NatterChatEmits = { [Name in WidgetEventName]: (value: WidgetEvents[Name]) => void; };
interface NatterChatExposed {
  readonly widget: NatterWidget | null;
}
declare const NatterChat: DefineSetupFnComponent<WidgetOptions, NatterChatEmits>;
export {
  type ChatRefs,
  type ComposerRefs,
  NatterChat,
  type NatterChatElementProps,
  type NatterChatEmits,
  type NatterChatExposed,
  provideChat,
  useChat,
  useChatClient,
  useComposer,
  useMessages,
};
