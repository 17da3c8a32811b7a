import {
  type ChangeEvent,
  type ComponentPropsWithoutRef,
  createElement,
  Fragment,
  forwardRef,
  type KeyboardEvent,
  memo,
  type NamedExoticComponent,
  type ReactNode,
  type Ref,
} from 'react';
import { readText } from '../bindings/index.ts';
import type { Speaker, Suggestion, TranscriptItem } from '../client/index.ts';
import { useChat, useComposer, useMessages } from './hooks.ts';

type Part<Props, Node> = NamedExoticComponent<Props & { readonly ref?: Ref<Node> | undefined }>;

/** Props of a `div`; `children` renders one entry of the transcript. */
export interface MessageListProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Renders one entry. Default: `<Message>`. */
  readonly children?: (message: TranscriptItem) => ReactNode;
}

/**
 * The transcript: a `div` that screen readers follow (`role="log"`) and that can have the focus, so that the keyboard
 * scrolls it. It is `aria-busy` while an answer streams, so that the answer is read once and complete. Give it an
 * `aria-label`.
 */
export const MessageList: Part<MessageListProps, HTMLDivElement> = /* @__PURE__ */ forwardRef(
  function MessageList({ children: draw = drawMessage, ...rest }, ref) {
    const messages = useMessages();
    const isBusy = messages.some((message) => message.kind === 'agent' && message.isStreaming);
    return createElement(
      'div',
      { role: 'log', tabIndex: 0, 'aria-busy': isBusy, ...rest, ref },
      messages.map((message) => createElement(Fragment, { key: message.key }, draw(message))),
    );
  },
);

const drawMessage = (message: TranscriptItem): ReactNode => createElement(Message, { message });

/** Props of an `article`, and the entry that it shows. */
export interface MessageProps extends ComponentPropsWithoutRef<'article'> {
  readonly message: TranscriptItem;
}

/**
 * One entry of the transcript: an `article` with `data-kind` (`user`, `agent`, `system`), `data-speaker` (`agent`,
 * `live_agent`), `data-streaming` and `data-delivery` (`queued`, `pending`, `sent`, `failed`) for style sheets. Without
 * children it shows the text as it was written, including Markdown, and renders again only when the entry or another
 * property changes: a chunk of an answer renders one of thousands. For a notice that is only a code it renders nothing
 * without children.
 */
export const Message: Part<MessageProps, HTMLElement> = /* @__PURE__ */ memo(
  /* @__PURE__ */ forwardRef(function Message({ message, children, ...rest }, ref) {
    const content = children ?? readText(message);
    if (content === '') return null;
    const data = {
      'data-kind': message.kind,
      'data-speaker': message.kind === 'agent' ? message.speaker.kind : undefined,
      'data-streaming': message.kind === 'agent' ? message.isStreaming : undefined,
      'data-delivery': message.kind === 'user' ? message.delivery.status : undefined,
      'aria-label': (message.kind === 'agent' && message.speaker.name) || undefined,
    };
    return createElement('article', { ...data, ...rest, ref }, content);
  }),
);

/** Props of a `form`. */
export type ComposerProps = ComponentPropsWithoutRef<'form'>;

/** The argument of `onSubmit`, which differs between the types of React 18 and 19. */
type SubmitEvent = Parameters<NonNullable<ComposerProps['onSubmit']>>[0];

/**
 * The form around `<ComposerInput>` and `<ComposerSend>`. Your `onSubmit` is called first; if it prevents the default,
 * nothing is sent.
 */
export const Composer: Part<ComposerProps, HTMLFormElement> = /* @__PURE__ */ forwardRef(function Composer(
  { onSubmit, ...rest },
  ref,
) {
  const { handleSubmit } = useComposer();
  return createElement('form', {
    ...rest,
    ref,
    onSubmit: (event: SubmitEvent) => {
      onSubmit?.(event);
      if (!event.defaultPrevented) handleSubmit(event);
    },
  });
});

/** Props of a `textarea`, whose value is the client's. */
export type ComposerInputProps = Omit<ComponentPropsWithoutRef<'textarea'>, 'value' | 'defaultValue'>;

/**
 * The field of a composer, a `textarea`. Enter sends, Shift+Enter makes a new line, Enter that ends a composition does
 * neither. Your `onKeyDown` is called first; if it prevents the default, nothing is sent. Disabled after the end of the
 * conversation. Give it an `aria-label`, or a `label`.
 */
export const ComposerInput: Part<ComposerInputProps, HTMLTextAreaElement> = /* @__PURE__ */ forwardRef(
  function ComposerInput({ onChange, onKeyDown, ...rest }, ref) {
    const { text, isDisabled, setText, handleKeyDown } = useComposer();
    return createElement('textarea', {
      rows: 1,
      enterKeyHint: 'send',
      autoComplete: 'off',
      disabled: isDisabled,
      ...rest,
      ref,
      value: text,
      onChange: (event: ChangeEvent<HTMLTextAreaElement>) => {
        setText(event.currentTarget.value);
        onChange?.(event);
      },
      onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => {
        onKeyDown?.(event);
        if (!event.defaultPrevented) handleKeyDown(event);
      },
    });
  },
);

/** Props of a `button`. */
export type ComposerSendProps = ComponentPropsWithoutRef<'button'>;

/**
 * The send button of a composer. `aria-disabled` while there is nothing to send, so that it keeps the focus after
 * sending; disabled after the end of the conversation.
 */
export const ComposerSend: Part<ComposerSendProps, HTMLButtonElement> = /* @__PURE__ */ forwardRef(
  function ComposerSend(props, ref) {
    const { canSend, isDisabled } = useComposer();
    return createElement('button', {
      type: 'submit',
      disabled: isDisabled,
      'aria-disabled': !canSend,
      ...props,
      ref,
    });
  },
);

const readSuggestion = ({ text }: Suggestion): ReactNode => text;

/** Props of a `ul`; `children` renders the content of one button. */
export interface SuggestionsProps extends Omit<ComponentPropsWithoutRef<'ul'>, 'children'> {
  /** Renders the content of the button. Default: the text. */
  readonly children?: (suggestion: Suggestion) => ReactNode;
}

/**
 * The agent's suggestions: a list with a button for each, which sends it. Renders nothing without suggestions. Sending
 * removes the focused button with the list: use `onClick` of the list to move the focus to the field.
 */
export const Suggestions: Part<SuggestionsProps, HTMLUListElement> = /* @__PURE__ */ forwardRef(
  function Suggestions({ children: draw = readSuggestion, ...rest }, ref) {
    const { suggestions, send } = useChat();
    if (suggestions.length === 0) return null;
    const items = suggestions.map((suggestion, index) =>
      createElement(
        'li',
        // Two suggestions may have the same text.
        { key: `${index} ${suggestion.text}` },
        createElement('button', { type: 'button', onClick: () => send(suggestion.text) }, draw(suggestion)),
      ),
    );
    return createElement('ul', { ...rest, ref }, items);
  },
);

/** Props of a `div`; `children` may be a function of the speaker who is typing. */
export interface TypingIndicatorProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Shown while the other side is typing. Default: an ellipsis. */
  readonly children?: ReactNode | ((speaker: Speaker) => ReactNode);
}

/**
 * Shows that the agent is typing: a `div` with `role="status"` that stays in the page while it is empty, because screen
 * readers only follow elements that stay.
 */
export const TypingIndicator: Part<TypingIndicatorProps, HTMLDivElement> = /* @__PURE__ */ forwardRef(
  function TypingIndicator({ children = '…', ...rest }, ref) {
    const { typing } = useChat();
    const draw = typeof children === 'function' ? children : () => children;
    return createElement('div', { role: 'status', ...rest, ref }, typing && draw(typing.speaker));
  },
);
