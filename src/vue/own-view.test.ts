import { afterEach, expect, it, vi } from 'vitest';
import {
  type App,
  createApp,
  createSSRApp,
  defineComponent,
  effectScope,
  type GlobalComponents,
  h,
} from 'vue';
import { renderToString } from 'vue/server-renderer';
import { trackHarnesses } from '../../test/chat-harness.ts';
import { testOwnView } from '../../test/own-view-cases.ts';
import { type ChatClient, createChatClient } from '../client/index.ts';
import { type ChatRefs, provideChat, useChat, useChatClient, useComposer, useMessages } from './index.ts';

const ENDPOINT = 'https://chat.example';
const { greeted } = trackHarnesses(afterEach);

const Messages = defineComponent(() => {
  const messages = useMessages();
  return () =>
    h(
      'div',
      { role: 'log' },
      messages.value.map(
        (message) => message.kind !== 'system' && h('article', { key: message.key }, message.text),
      ),
    );
});

const Waiting = defineComponent(() => {
  const { typing, suggestions, send } = useChat();
  return () => [
    h('div', { role: 'status' }, typing.value ? '…' : ''),
    suggestions.value.length > 0 &&
      h(
        'ul',
        suggestions.value.map(({ text }) =>
          h('li', h('button', { type: 'button', onClick: () => send(text) }, text)),
        ),
      ),
  ];
});

const Composer = defineComponent(() => {
  const { text, canSend, isDisabled, handleKeyDown, handleSubmit } = useComposer();
  return () =>
    h('form', { onSubmit: handleSubmit }, [
      h('textarea', {
        value: text.value,
        disabled: isDisabled.value,
        onInput: ({ currentTarget }: Event) => {
          text.value = (currentTarget as HTMLTextAreaElement).value;
        },
        onKeydown: handleKeyDown,
      }),
      h('button', { type: 'submit', disabled: isDisabled.value, 'aria-disabled': !canSend.value }, 'Send'),
    ]);
});

const view = (client: ChatClient) =>
  defineComponent(() => {
    provideChat(client);
    return () => [h(Messages), h(Waiting), h(Composer)];
  });

testOwnView((client, place) => {
  const app = createApp(view(client));
  app.mount(place);
  return () => app.unmount();
});

let app: App | undefined;
afterEach(() => {
  app?.unmount();
  app = undefined;
  vi.restoreAllMocks();
});

it('returns refs, not signals, which follow the client until the scope is disposed of', async () => {
  const { chat } = await greeted();
  const scope = effectScope();
  const refs = scope.run(() => useChat(chat)) as ChatRefs;
  expect(Object.keys(chat.getSnapshot()).filter((name) => !('value' in Reflect.get(refs, name)))).toEqual([]);
  expect(Object.values(refs).filter((value) => typeof Object(value).peek === 'function')).toEqual([]);
  expect(refs.messages.value).toBe(chat.getSnapshot().messages);
  expect(refs.send).toBe(chat.send);
  chat.setUnsent('Is the');
  expect(refs.unsent.value).toBe('Is the');
  scope.stop();
  chat.setUnsent('Is the ferry');
  expect(refs.unsent.value).toBe('Is the');
});

it('creates a client that lives as long as the Vue scope', () => {
  const scope = effectScope();
  const client = scope.run(() => useChatClient({ endpoint: ENDPOINT })) as ChatClient;
  expect(client.send('Anybody?').status).toBe('accepted');
  scope.stop();
  expect(client.send('Anybody?').status).toBe('refused');
});

it('hydrates server-rendered Vue, whatever has happened in the conversation since', async () => {
  const place = document.createElement('main');
  // On a server a client is created and never started.
  place.innerHTML = await renderToString(createSSRApp(view(createChatClient({ endpoint: ENDPOINT }))));
  const log = place.querySelector('[role=log]');
  const { chat } = await greeted();
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const error = vi.spyOn(console, 'error').mockReturnValue();
  app = createSSRApp(view(chat));
  app.mount(place);
  await vi.waitFor(() => expect(log?.textContent).toBe('Hello'));
  expect(place.querySelector('[role=log]')).toBe(log);
  expect([...warn.mock.calls, ...error.mock.calls]).toEqual([]);
});

it('names the missing provider if a Vue component has no client', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  app = createApp(Messages);
  expect(() => app?.mount(document.createElement('main'))).toThrow(
    'Use provideChat(client) in a component around',
  );
  app = undefined;
  warn.mockRestore();
});

it('has <natter-chat> among the components of templates, with its attributes only', () => {
  type Props = InstanceType<GlobalComponents['natter-chat']>['$props'];
  const given: Props = { endpoint: ENDPOINT, 'agent-name': 'Ada', theme: 'dark', class: 'help' };
  // @ts-expect-error There is no such theme.
  const wrong: Props = { theme: 'blue' };
  expect({ ...given, ...wrong }).toMatchObject({ endpoint: ENDPOINT, theme: 'blue' });
});
