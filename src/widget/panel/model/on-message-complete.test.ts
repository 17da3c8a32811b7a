import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { createFakeChat } from '../../../../test/widget/fake-chat.ts';
import { onMessageComplete } from './on-message-complete.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

it('keeps no entry of a conversation that is over', async () => {
  const chat = createFakeChat();
  const stop = onMessageComplete(chat, () => {});
  // In a separate function, so that no variable holds the entry afterwards.
  const entry = (() => new WeakRef(chat.says('Hello')))();
  chat.messages.value = [];
  const isGone = (): boolean => {
    collectGarbage();
    return entry.deref() === undefined;
  };
  await expect.poll(isGone).toBe(true);
  stop();
});
