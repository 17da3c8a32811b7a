import { type ChatClient, isSendKey, type KeyPress, type SendOutcome } from '../client/index.ts';

/** Actions of the visitor in a composer. The functions stay the same for a client. */
export interface ComposerActions {
  /** Updates the draft as the visitor types, and notifies a live agent about typing. */
  setText(text: string): void;
  /** Sends the text and empties the composer; a refused text stays. */
  send(): SendOutcome;
  /** For `keydown` of the field: Enter sends, Shift+Enter makes a new line, and Enter that ends a composition does neither. */
  handleKeyDown(event: ComposerKeyEvent): void;
  /** For `submit` of the form: sends, and keeps the page where it is. */
  handleSubmit(event: { preventDefault(): void }): void;
}

/** A composer: its draft, and the actions on it. */
export interface Composer extends ComposerActions {
  readonly text: string;
  /** True if there is a text to send, and the conversation accepts it. */
  readonly canSend: boolean;
  /** True after the end of the conversation: nothing can be sent until `newChat()`. */
  readonly isDisabled: boolean;
}

/** A keyboard event of the DOM, or React's event around one. */
export type ComposerKeyEvent = { preventDefault(): void } & (KeyPress | { readonly nativeEvent: KeyPress });

export function createComposerActions(
  client: Pick<ChatClient, 'getSnapshot' | 'notifyTyping' | 'send' | 'setUnsent'>,
): ComposerActions {
  const send = (): SendOutcome => {
    const outcome = client.send(client.getSnapshot().unsent);
    if (outcome.status === 'accepted') client.setUnsent('');
    return outcome;
  };
  return {
    setText(text) {
      client.setUnsent(text);
      client.notifyTyping();
    },
    send,
    handleKeyDown(event) {
      if (!isSendKey('nativeEvent' in event ? event.nativeEvent : event)) return;
      event.preventDefault();
      send();
    },
    handleSubmit(event) {
      event.preventDefault();
      send();
    },
  };
}
