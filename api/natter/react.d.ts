import {
  ChatClient,
  ChatClientOptions,
  ChatSnapshot,
  ChatState,
  KeyPress,
  SendOutcome,
  Speaker,
  Suggestion,
  TranscriptItem,
} from "natter/client";
import {
  ComponentPropsWithoutRef,
  DetailedHTMLProps,
  ForwardRefExoticComponent,
  HTMLAttributes,
  NamedExoticComponent,
  ReactElement,
  ReactNode,
  Ref,
  RefAttributes,
} from "react";
import {
  NatterChatAttributes,
  NatterChatElement,
  NatterWidget,
  WidgetEventName,
  WidgetEvents,
  WidgetOptions,
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
interface Composer$1 extends ComposerActions {
  readonly text: string;
  readonly canSend: boolean;
  readonly isDisabled: boolean;
}
type ComposerKeyEvent = {
  preventDefault(): void;
} & (KeyPress | {
  readonly nativeEvent: KeyPress;
});
type NatterChatElementProps = DetailedHTMLProps<HTMLAttributes<NatterChatElement>, NatterChatElement> & NatterChatAttributes;
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'natter-chat': NatterChatElementProps;
    }
  }
}
declare global {
  namespace JSX {
    interface IntrinsicElements {
      'natter-chat': NatterChatElementProps;
    }
  }
}
interface ChatProviderProps {
  readonly client: ChatClient;
  readonly children?: ReactNode;
}
declare const ChatProvider: ({ client, children }: ChatProviderProps) => ReactElement;
declare const useChatClient: (options: ChatClientOptions) => ChatClient;
declare const useChat: (client?: ChatClient) => ChatValues;
declare const useMessages: (client?: ChatClient) => readonly TranscriptItem[];
declare const useComposer: (client?: ChatClient) => Composer$1;
type WidgetHandlers = { readonly [Name in WidgetEventName as `on${Capitalize<Name>}`]?: (value: WidgetEvents[Name]) => void; };
type NatterChatProps = WidgetOptions & WidgetHandlers;
declare const NatterChat: ForwardRefExoticComponent<NatterChatProps & RefAttributes<NatterWidget>>;
type Part<Props, Node> = NamedExoticComponent<Props & {
  readonly ref?: Ref<Node> | undefined;
}>;
interface MessageListProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  readonly children?: (message: TranscriptItem) => ReactNode;
}
declare const MessageList: Part<MessageListProps, HTMLDivElement>;
interface MessageProps extends ComponentPropsWithoutRef<'article'> {
  readonly message: TranscriptItem;
}
declare const Message: Part<MessageProps, HTMLElement>;
type ComposerProps = ComponentPropsWithoutRef<'form'>;
declare const Composer: Part<ComposerProps, HTMLFormElement>;
type ComposerInputProps = Omit<ComponentPropsWithoutRef<'textarea'>, 'value' | 'defaultValue'>;
declare const ComposerInput: Part<ComposerInputProps, HTMLTextAreaElement>;
type ComposerSendProps = ComponentPropsWithoutRef<'button'>;
declare const ComposerSend: Part<ComposerSendProps, HTMLButtonElement>;
interface SuggestionsProps extends Omit<ComponentPropsWithoutRef<'ul'>, 'children'> {
  readonly children?: (suggestion: Suggestion) => ReactNode;
}
declare const Suggestions: Part<SuggestionsProps, HTMLUListElement>;
interface TypingIndicatorProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  readonly children?: ReactNode | ((speaker: Speaker) => ReactNode);
}
declare const TypingIndicator: Part<TypingIndicatorProps, HTMLDivElement>;
export {
  ChatProvider,
  type ChatProviderProps,
  type ChatValues,
  Composer,
  ComposerInput,
  type ComposerInputProps,
  type ComposerProps,
  ComposerSend,
  type ComposerSendProps,
  type Composer$1 as ComposerState,
  Message,
  MessageList,
  type MessageListProps,
  type MessageProps,
  NatterChat,
  type NatterChatElementProps,
  type NatterChatProps,
  Suggestions,
  type SuggestionsProps,
  TypingIndicator,
  type TypingIndicatorProps,
  type WidgetHandlers,
  useChat,
  useChatClient,
  useComposer,
  useMessages,
};
