import { h as preactH } from 'preact';
import { renderToString as renderPreact } from 'preact-render-to-string';
import { createElement } from 'react';
import { renderToString as renderReact } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createSSRApp, defineComponent, h } from 'vue';
import { renderToString as renderVue } from 'vue/server-renderer';
import { type ChatClient, createChatClient } from '../src/client/index.ts';
import * as preact from '../src/preact/index.ts';
import * as react from '../src/react/index.ts';
import * as vue from '../src/vue/index.ts';

const OPTIONS = { endpoint: 'https://chat.example' };

/**
 * Creates a client like a module of a server, and records its subscribers: there must be none, because no component is
 * ever removed there.
 */
function createWatchedClient(): { readonly client: ChatClient; readonly followers: unknown[] } {
  const client = createChatClient(OPTIONS);
  const followers: unknown[] = [];
  const subscribe: ChatClient['subscribe'] = (listener) => {
    followers.push(listener);
    return client.subscribe(listener);
  };
  return { client: { ...client, subscribe }, followers };
}

const VIEW = 'idle 0  false';

function ReactView() {
  const { connection } = react.useChat();
  const { text, canSend } = react.useComposer();
  return `${connection.status} ${react.useMessages().length} ${text} ${canSend}`;
}

function PreactView() {
  const { connection } = preact.useChat();
  const { text, canSend } = preact.useComposer();
  return `${connection.status} ${preact.useMessages().length} ${text} ${canSend}`;
}

const ReactOwner = () => react.useChat(react.useChatClient(OPTIONS)).connection.status;
const PreactOwner = () => preact.useChat(preact.useChatClient(OPTIONS)).connection.status;

it('renders a custom view of React on a server', () => {
  const { client, followers } = createWatchedClient();
  const view = createElement(react.ChatProvider, { client }, createElement(ReactView));
  expect(renderReact(view)).toBe(VIEW);
  const parts = [
    react.MessageList,
    react.TypingIndicator,
    react.Suggestions,
    react.ComposerInput,
    react.ComposerSend,
  ];
  const drawn = parts.map((part) =>
    renderReact(
      createElement(react.ChatProvider, { client }, createElement(part as typeof react.ComposerSend)),
    ),
  );
  expect(drawn.map((html) => /^<(\w+)/.exec(html)?.[1])).toEqual([
    'div',
    'div',
    undefined,
    'textarea',
    'button',
  ]);
  expect(followers).toEqual([]);
});

it('renders a custom view of Preact on a server', () => {
  const { client, followers } = createWatchedClient();
  expect(renderPreact(preactH(preact.ChatProvider, { client }, preactH(PreactView, null)))).toBe(VIEW);
  expect(followers).toEqual([]);
});

it('renders a custom view of Vue on a server', async () => {
  const { client, followers } = createWatchedClient();
  const View = defineComponent(() => {
    const { connection } = vue.useChat();
    const { text, canSend } = vue.useComposer();
    const messages = vue.useMessages();
    return () => `${connection.value.status} ${messages.value.length} ${text.value} ${canSend.value}`;
  });
  const Root = defineComponent(() => {
    vue.provideChat(client);
    return () => h(View);
  });
  expect(await renderVue(createSSRApp(Root))).toBe(VIEW);
  expect(followers).toEqual([]);
});

it('creates a client of the component on a server, and does not use it', async () => {
  const VueView = defineComponent(() => {
    const { connection } = vue.useChat(vue.useChatClient(OPTIONS));
    return () => connection.value.status;
  });
  expect(renderReact(createElement(ReactOwner))).toBe('idle');
  expect(renderPreact(preactH(PreactOwner, null))).toBe('idle');
  expect(await renderVue(createSSRApp(VueView))).toBe('idle');
});
