// Compiles the types of `natter/react` with the types of React 18. Not run.

import { createChatClient } from '../../src/client/index.ts';
import { ChatProvider, MessageList, NatterChat } from '../../src/react/index.ts';

export const element = <natter-chat endpoint="https://chat.example.com" agent-name="Ada" theme="dark" />;
// @ts-expect-error There is no such theme.
export const wrong = <natter-chat theme="blue" />;

export const global: JSX.IntrinsicElements['natter-chat'] = { endpoint: 'https://chat.example.com' };

export const widget = (
  <NatterChat endpoint="https://chat.example.com" onMessage={({ text }) => text.length} />
);
export const view = (
  <ChatProvider client={createChatClient({ endpoint: 'https://chat.example.com' })}>
    <MessageList aria-label="Conversation">{({ key }) => key}</MessageList>
  </ChatProvider>
);
