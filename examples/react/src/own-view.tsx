import {
  ChatProvider,
  Composer,
  ComposerInput,
  ComposerSend,
  Message,
  MessageList,
  Suggestions,
  TypingIndicator,
  useChat,
  useChatClient,
} from 'natter/react';
import { type ReactNode, useRef } from 'react';

/** A chat with a custom view. Its client lives as long as this component. */
export function OwnView({ endpoint }: { endpoint: string }): ReactNode {
  // `allowInsecure` allows a token proxy on the developer's own machine.
  const client = useChatClient({ endpoint, allowInsecure: endpoint.startsWith('http:') });
  return (
    <ChatProvider client={client}>
      <Conversation />
    </ChatProvider>
  );
}

function Conversation(): ReactNode {
  const { connection, session, start, newChat } = useChat();
  const input = useRef<HTMLTextAreaElement>(null);

  // Nothing connects before the visitor starts the chat.
  if (connection.status === 'idle') {
    return (
      <button type="button" onClick={() => start()}>
        Talk to us
      </button>
    );
  }
  const isOver = session.status === 'ended' || session.status === 'expired';
  return (
    <section aria-label="Chat">
      <MessageList aria-label="Conversation">
        {(message) => (
          <Message message={message} aria-label={message.kind === 'user' ? 'You' : 'Assistant'} />
        )}
      </MessageList>
      <TypingIndicator>{({ name }) => `${name ?? 'The assistant'} is typing…`}</TypingIndicator>
      {connection.status === 'reconnecting' && <p role="status">Reconnecting…</p>}
      <Suggestions aria-label="Suggested replies" onClick={() => input.current?.focus()} />
      {isOver ? (
        <button type="button" onClick={() => newChat()}>
          Start another chat
        </button>
      ) : (
        <Composer>
          <ComposerInput ref={input} aria-label="Message" />
          <ComposerSend>Send</ComposerSend>
        </Composer>
      )}
    </section>
  );
}
