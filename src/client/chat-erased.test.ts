import { afterEach, expect, it } from 'vitest';
import { settle, trackHarnesses, until } from '../../test/chat-harness.ts';

const { greeted } = trackHarnesses(afterEach);

it('completes a logout when the socket of an erased session closes without an end event', async () => {
  const one = await greeted();
  one.chat.send('Forget me');
  await until(() => one.lines().at(-1) === 'user: Forget me');
  const { session } = one.platform;
  session.end = () => {};
  const left = one.chat.logout();
  await until(() => session.received.some(({ type }) => type === 'EVENT_TYPE_USER_END_SESSION'));
  for (const peer of [...session.peers]) peer.close(4001);
  await settle();
  await left;
  expect([one.lines(), one.storage.values.size]).toEqual([[], 0]);
  expect(one.chat.connection.value).toEqual({ status: 'closed' });
});
