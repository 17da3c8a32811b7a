/** @jsxImportSource react */
import axe from 'axe-core';
import { Profiler, type ReactNode, StrictMode, useEffect } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { trackHarnesses } from '../../test/chat-harness.ts';
import { type ChatClient, createChatClient, type TranscriptItem } from '../client/index.ts';
import {
  ChatProvider,
  type ChatValues,
  Composer,
  ComposerInput,
  ComposerSend,
  Message,
  MessageList,
  Suggestions,
  TypingIndicator,
  useChat,
  useChatClient,
  useMessages,
} from './index.ts';

const { harness, greeted } = trackHarnesses(afterEach);
const ENDPOINT = 'https://chat.example';
let place: HTMLElement;
let root: Root | undefined;
beforeEach(() => {
  place = document.body.appendChild(document.createElement('main'));
});
afterEach(() => {
  root?.unmount();
  root = undefined;
  place.remove();
});

function draw(view: ReactNode): void {
  root ??= createRoot(place);
  root.render(<StrictMode>{view}</StrictMode>);
}

const frame = () => new Promise(requestAnimationFrame);
const list = () => place.querySelector('[role=log]');
const articles = () => [...place.querySelectorAll<HTMLElement>('article')];

function Values({ client, onDraw }: { client?: ChatClient; onDraw?: (values: ChatValues) => void }) {
  const values = useChat(client);
  onDraw?.(values);
  return null;
}

it('returns values, not signals, and the same functions for as long as the client lives', async () => {
  const { chat } = await greeted();
  const seen: ChatValues[] = [];
  draw(<Values client={chat} onDraw={(values) => seen.push(values)} />);
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(0));
  chat.setUnsent('Is the');
  await vi.waitFor(() => expect(seen.at(-1)?.unsent).toBe('Is the'));
  const [first, last] = [seen[0], seen.at(-1)] as [ChatValues, ChatValues];
  expect(last).toMatchObject(chat.getSnapshot());
  expect([last.send, last.start, last.retry]).toEqual([first.send, first.start, first.retry]);
  // A signal has a `peek`.
  expect(Object.values(last).filter((value) => typeof Object(value).peek === 'function')).toEqual([]);
});

function Count({ client }: { client: ChatClient }) {
  return useMessages(client).length;
}

it('renders a view of the messages only when these change', async () => {
  const { chat } = await greeted();
  let draws = 0;
  draw(
    <Profiler
      id="count"
      onRender={() => {
        draws += 1;
      }}
    >
      <Count client={chat} />
    </Profiler>,
  );
  await vi.waitFor(() => expect(place.textContent).toBe('2'));
  const before = draws;
  chat.setUnsent('Is the');
  chat.markRead();
  await frame();
  await frame();
  expect(chat.getSnapshot()).toMatchObject({ unsent: 'Is the', unread: 0 });
  expect(draws).toBe(before);
  chat.send('Is the ferry late?');
  await vi.waitFor(() => expect(place.textContent).toBe('3'));
  expect(draws).toBeGreaterThan(before);
});

function Owner({ clients }: { clients: Set<ChatClient> }) {
  const client = useChatClient({ endpoint: ENDPOINT });
  useEffect(() => {
    clients.add(client);
  }, [client, clients]);
  return (
    <ChatProvider client={client}>
      <ComposerInput />
    </ChatProvider>
  );
}

it('creates a client that lives as long as the React component, in strict mode too', async () => {
  const clients = new Set<ChatClient>();
  draw(<Owner clients={clients} />);
  // Strict mode unmounts the component and mounts it again; a destroyed client is not reused.
  await vi.waitFor(() => expect(clients.size).toBe(2));
  const [first, second] = [...clients] as [ChatClient, ChatClient];
  second.setUnsent('Is the');
  await vi.waitFor(() => expect(place.querySelector('textarea')?.value).toBe('Is the'));
  expect([first, second].map((client) => client.send('Anybody?').status)).toEqual(['refused', 'accepted']);
  draw(null);
  await vi.waitFor(() => expect(second.send('Anybody?').status).toBe('refused'));
  expect(clients.size).toBe(2);
});

function View({ client }: { client: ChatClient }) {
  return (
    <ChatProvider client={client}>
      <MessageList aria-label="Conversation" />
      <Composer>
        <ComposerInput aria-label="Message" />
        <ComposerSend>Send</ComposerSend>
      </Composer>
    </ChatProvider>
  );
}

it('hydrates server-rendered React, whatever has happened in the conversation since', async () => {
  // On a server a client is created and never started.
  place.innerHTML = renderToString(<View client={createChatClient({ endpoint: ENDPOINT })} />);
  expect(list()?.childElementCount).toBe(0);
  const { chat } = await greeted();
  const faults: unknown[] = [];
  root = hydrateRoot(place, <View client={chat} />, { onRecoverableError: (fault) => faults.push(fault) });
  await vi.waitFor(() => expect(list()?.textContent).toBe('Hello'));
  expect(faults).toEqual([]);
});

it('names the missing provider if a React component has no client', () => {
  expect(() => renderToString(<Values />)).toThrow('Use <ChatProvider client={client}> around the component');
});

it('passes properties and refs on, and calls handlers of the page first', async () => {
  const { chat, platform } = await greeted();
  const refs = new Set<Element>();
  const ref = (element: Element | null) => void (element && refs.add(element));
  const stop = (event: { preventDefault(): void }) => event.preventDefault();
  draw(
    <ChatProvider client={chat}>
      <MessageList ref={ref} className="list" tabIndex={-1}>
        {(message) => (
          <Message ref={ref} className="entry" lang="en" message={message}>
            {message.kind}
          </Message>
        )}
      </MessageList>
      <TypingIndicator ref={ref} className="typing">
        {({ kind }) => `${kind} is typing`}
      </TypingIndicator>
      <Composer ref={ref} className="composer" onSubmit={stop}>
        <ComposerInput ref={ref} className="field" rows={3} onKeyDown={stop} />
        <ComposerSend ref={ref} className="send" />
      </Composer>
    </ChatProvider>,
  );
  await vi.waitFor(() =>
    expect(articles().map(({ dataset }) => dataset['kind'])).toEqual(['system', 'agent']),
  );
  const elements = [...place.querySelectorAll<HTMLElement>('*')];
  expect(elements.map(({ className }) => className)).toEqual([
    'list',
    'entry',
    'entry',
    'typing',
    'composer',
    'field',
    'send',
  ]);
  expect(refs).toEqual(new Set(elements));
  expect([elements[0]?.tabIndex, elements[1]?.lang, place.querySelector('textarea')?.rows]).toEqual([
    -1,
    'en',
    3,
  ]);
  platform.session.emit('EVENT_TYPE_AGENT_THINKING', {}, { isTransient: true });
  await vi.waitFor(() => expect(place.querySelector('.typing')?.textContent).toBe('agent is typing'));
  chat.setUnsent('Not yet');
  const enter = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
  place.querySelector('textarea')?.dispatchEvent(enter);
  place.querySelector<HTMLElement>('.send')?.click();
  expect([enter.defaultPrevented, chat.getSnapshot().unsent]).toEqual([true, 'Not yet']);
});

it('is busy while an answer streams, so that it is read once', async () => {
  const { chat, platform } = await greeted();
  draw(<View client={chat} />);
  await vi.waitFor(() => expect(list()?.ariaBusy).toBe('false'));
  const chunk = (chunk_index: number, text: string, is_complete: boolean) =>
    platform.session.emit('EVENT_TYPE_AGENT_MESSAGE_CHUNK', {
      message_id: 'm',
      chunk_index,
      text,
      is_complete,
    });
  chunk(0, 'At ', false);
  await vi.waitFor(() => expect(list()?.ariaBusy).toBe('true'));
  chunk(1, '21:40.', true);
  await vi.waitFor(() => expect(list()?.ariaBusy).toBe('false'));
  expect(articles().at(-1)?.textContent).toBe('At 21:40.');
  expect({ ...articles().at(-1)?.dataset }).toEqual({ kind: 'agent', speaker: 'agent', streaming: 'false' });
});

it('shows the delivery state of a message', async () => {
  const { chat } = harness();
  draw(<View client={chat} />);
  const deliveries = () => articles().flatMap(({ dataset }) => dataset['delivery'] ?? []);
  chat.send('Anybody?');
  await vi.waitFor(() => expect(deliveries()).toEqual(['queued']));
  await chat.start();
  await vi.waitFor(() => expect(deliveries()).toEqual(['sent']));
});

it('shows a notice with the platform’s text, and nothing for a notice that is only a code', async () => {
  const { chat, platform } = await greeted();
  draw(<View client={chat} />);
  const payload = { level: 'SYSTEM_MESSAGE_LEVEL_INFO', message: 'The line is recorded.' };
  platform.session.emit('EVENT_TYPE_SYSTEM_MESSAGE', payload);
  await vi.waitFor(() => expect(articles().at(-1)?.textContent).toBe('The line is recorded.'));
  expect(chat.getSnapshot().messages.map(({ kind }) => kind)).toEqual(['system', 'agent', 'system']);
  expect(articles().map(({ dataset }) => dataset['kind'])).toEqual(['agent', 'system']);
});

it('has no violation that axe finds, before and during a conversation', async () => {
  const { chat, platform } = harness();
  draw(
    <ChatProvider client={chat}>
      <MessageList aria-label="Conversation" />
      <TypingIndicator />
      <Suggestions aria-label="Suggested replies" />
      <Composer>
        <ComposerInput aria-label="Message" />
        <ComposerSend>Send</ComposerSend>
      </Composer>
    </ChatProvider>,
  );
  await vi.waitFor(() => expect(place.querySelector('form')).not.toBeNull());
  const faults = async () => (await axe.run(place)).violations.map(({ id }) => id);
  expect(await faults()).toEqual([]);
  await chat.start();
  await vi.waitFor(() => expect(articles()).toHaveLength(1));
  platform.session.say('Anything else?', { response_suggestions: [{ message_text: 'Yes' }] });
  await vi.waitFor(() => expect(place.querySelectorAll('ul button')).toHaveLength(1));
  expect(await faults()).toEqual([]);
});

it('renders an entry again only when it has changed', async () => {
  const { chat } = await greeted();
  let reads = 0;
  const [, hello] = chat.getSnapshot().messages as [TranscriptItem, TranscriptItem];
  const watched = Object.defineProperty({ ...hello }, 'text', {
    get() {
      reads += 1;
      return 'Hello';
    },
  });
  const view = (title: string) => (
    <main title={title}>
      <Message message={watched} aria-label="Assistant" />
    </main>
  );
  draw(view('one'));
  await vi.waitFor(() => expect(articles()).toHaveLength(1));
  const before = reads;
  expect(before).toBeGreaterThan(0);
  draw(view('other'));
  await vi.waitFor(() => expect(place.querySelector('main')?.title).toBe('other'));
  expect(reads).toBe(before);
});
