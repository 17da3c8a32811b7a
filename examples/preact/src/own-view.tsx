/** @jsxImportSource preact */
import { useChat, useChatClient, useComposer } from 'natter/preact';
import type { VNode } from 'preact';

/** A chat with a custom view. Its client lives as long as this component. */
export function OwnView({ endpoint }: { endpoint: string }): VNode {
  // `allowInsecure` allows a token proxy on the developer's own machine.
  const client = useChatClient({ endpoint, allowInsecure: endpoint.startsWith('http:') });
  const { connection, messages, typing, start } = useChat(client);
  const { text, canSend, isDisabled, setText, handleKeyDown, handleSubmit } = useComposer(client);

  // Nothing connects before the visitor starts the chat.
  if (connection.status === 'idle') {
    return (
      <button type="button" onClick={() => start()}>
        Talk to us
      </button>
    );
  }
  return (
    <section aria-label="Chat">
      <div role="log" aria-label="Conversation">
        {messages.map(
          (message) =>
            message.kind !== 'system' && (
              <article key={message.key} aria-label={message.kind === 'user' ? 'You' : 'Assistant'}>
                {message.text}
              </article>
            ),
        )}
      </div>
      <div role="status">{typing && `${typing.speaker.name ?? 'The assistant'} is typing…`}</div>
      <form onSubmit={handleSubmit}>
        <textarea
          aria-label="Message"
          value={text}
          disabled={isDisabled}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={handleKeyDown}
        />
        <button type="submit" disabled={isDisabled} aria-disabled={!canSend}>
          Send
        </button>
      </form>
    </section>
  );
}
