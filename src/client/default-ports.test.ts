import { expect, it } from 'vitest';
import { createChatClient } from './index.ts';

it('can be imported, made and destroyed where there is no page', () => {
  const chat = createChatClient({ endpoint: 'https://chat.test' });
  expect(chat.connection.value).toEqual({ status: 'idle' });
  expect(chat.messages.value).toEqual([]);
  chat.destroy();
});
