import { hydrate, render } from 'preact';
import { useEffect } from 'preact/hooks';
import { renderToString } from 'preact-render-to-string';
import { afterEach, expect, it, vi } from 'vitest';
import { trackHarnesses } from '../../test/chat-harness.ts';
import { testOwnView } from '../../test/own-view-cases.ts';
import { type ChatClient, createChatClient } from '../client/index.ts';
import { ChatProvider, useChat, useChatClient, useComposer, useMessages } from './index.ts';

const ENDPOINT = 'https://chat.example';

function Messages() {
  return (
    <div role="log">
      {useMessages().map(
        (message) => message.kind !== 'system' && <article key={message.key}>{message.text}</article>,
      )}
    </div>
  );
}

function Waiting() {
  const { typing, suggestions, send } = useChat();
  return (
    <>
      <div role="status">{typing && '…'}</div>
      {suggestions.length > 0 && (
        <ul>
          {suggestions.map(({ text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two may say the same
            <li key={index}>
              <button type="button" onClick={() => send(text)}>
                {text}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Composer() {
  const { text, canSend, isDisabled, setText, handleKeyDown, handleSubmit } = useComposer();
  return (
    <form onSubmit={handleSubmit}>
      <textarea
        value={text}
        disabled={isDisabled}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={handleKeyDown}
      />
      <button type="submit" disabled={isDisabled} aria-disabled={!canSend}>
        Send
      </button>
    </form>
  );
}

const view = (client: ChatClient) => (
  <ChatProvider client={client}>
    <Messages />
    <Waiting />
    <Composer />
  </ChatProvider>
);

testOwnView((client, place) => {
  render(view(client), place);
  return () => render(null, place);
});

const { greeted } = trackHarnesses(afterEach);

it('hydrates server-rendered Preact, whatever has happened in the conversation since', async () => {
  const place = document.createElement('main');
  place.innerHTML = renderToString(view(createChatClient({ endpoint: ENDPOINT })));
  const log = place.querySelector('[role=log]');
  expect(log?.childElementCount).toBe(0);
  const { chat } = await greeted();
  hydrate(view(chat), place);
  await vi.waitFor(() => expect(log?.textContent).toBe('Hello'));
  expect(place.querySelector('[role=log]')).toBe(log);
  render(null, place);
});

function Owner({ clients }: { clients: ChatClient[] }) {
  const client = useChatClient({ endpoint: ENDPOINT });
  useEffect(() => void clients.push(client));
  return null;
}

it('creates a client that lives as long as the Preact component', async () => {
  const place = document.createElement('main');
  const clients: ChatClient[] = [];
  for (const draws of [1, 2]) {
    render(<Owner clients={clients} />, place);
    await vi.waitFor(() => expect(clients).toHaveLength(draws));
  }
  expect(clients[1]).toBe(clients[0]);
  expect(clients[0]?.send('Anybody?').status).toBe('accepted');
  render(null, place);
  await vi.waitFor(() => expect(clients[0]?.send('Anybody?').status).toBe('refused'));
});

it('follows another client in Preact', async () => {
  const place = document.createElement('main');
  const [one, other] = [await greeted(), await greeted({ greeting: 'Hello' })];
  other.chat.setUnsent('Mine');
  render(view(one.chat), place);
  render(view(other.chat), place);
  const field = () => place.querySelector('textarea')?.value;
  await vi.waitFor(() => expect(field()).toBe('Mine'));
  one.chat.setUnsent('Not mine');
  other.chat.setUnsent('Mine still');
  await vi.waitFor(() => expect(field()).toBe('Mine still'));
  place.querySelector('textarea')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
  await vi.waitFor(() => expect(other.platform.session.userTexts).toEqual(['Mine still']));
  expect(one.platform.session.userTexts).toEqual([]);
  render(null, place);
});

function Lost() {
  return useChat().messages.length;
}

it('names the missing provider if a Preact component has no client', () => {
  expect(() => renderToString(<Lost />)).toThrow('Use <ChatProvider client={client}> around the component');
});
