import { afterEach, expect, it } from 'vitest';
import { type ChatHarness, holdAnswers, settle, trackHarnesses, until } from '../../test/chat-harness.ts';

const { greeted } = trackHarnesses(afterEach);

/** A used chat, whose ticket must be revoked. */
async function used(): Promise<ChatHarness> {
  const one = await greeted();
  await one.chat.claim('ana');
  one.chat.send('My number is 42');
  await until(() => one.lines().includes('user: My number is 42'));
  await settle();
  return one;
}

it.each([
  { what: 'a logout', leave: ({ chat }: ChatHarness): Promise<unknown> => chat.logout() },
  { what: 'a claim for another user', leave: ({ chat }: ChatHarness): Promise<unknown> => chat.claim('ben') },
])('completes $what when the proxy has revoked the ticket', async ({ leave }) => {
  const one = await used();
  const proxy = holdAnswers(one);
  let isOver = false;
  const left = leave(one).then(() => {
    isOver = true;
  });
  await until(() => proxy.asked.includes('/v1/logout'));
  await settle();
  expect(isOver).toBe(false);
  proxy.release();
  await left;
  expect(one.platform.loggedOut).toHaveLength(1);
});
