import { afterEach, expect, it } from 'vitest';
import { type ChatHarness, createHarness, settle, trackHarnesses, until } from '../../test/chat-harness.ts';
import type { ChatClientOptions } from './index.ts';

const { harness, greeted, keep } = trackHarnesses(afterEach);

/** Starts the next page of the tab. */
async function goOn(one: ChatHarness, options?: Partial<ChatClientOptions>): Promise<ChatHarness> {
  one.chat.destroy();
  const next = keep(one.reload(options));
  await next.chat.start();
  await until(() => next.lines().includes('agent: Hello'));
  return next;
}
const isKept = ({ tabStorage }: ChatHarness): boolean => tabStorage.values.size > 0;

it("restores typed text on the tab's next page, before and after the first message", async () => {
  const one = await greeted();
  one.chat.setUnsent('Is the\nferry ');
  expect(one.storage.values.size).toBe(0);
  const two = await goOn(one);
  expect(two.chat.unsent.value).toBe('Is the\nferry ');
  two.chat.send('When does it leave?');
  two.chat.setUnsent('And wh');
  await until(() => two.storage.values.size === 1);
  const three = await goOn(two);
  expect(three.chat.unsent.value).toBe('And wh');
  three.chat.setUnsent('');
  expect(isKept(three)).toBe(false);
  expect((await goOn(three)).chat.unsent.value).toBe('');
});

it('stores typed text in the tab only, and nothing before the visitor types', async () => {
  const one = await greeted();
  expect(isKept(one)).toBe(false);
  one.chat.setUnsent('Mine');
  const { platform, clock, storage } = one;
  const other = keep(createHarness({}, {}, { platform, clock, storage }));
  await other.chat.start();
  await until(() => other.lines().includes('agent: Hello'));
  expect(other.chat.unsent.value).toBe('');
  expect(JSON.stringify([...storage.values])).not.toContain('Mine');
});

it("restores typed text over the page's own text, but not over newly typed text", async () => {
  const one = await greeted();
  one.chat.setUnsent('Earlier');
  one.chat.destroy();
  const two = keep(one.reload());
  two.chat.setUnsent('From the page', false);
  await two.chat.start();
  expect(two.chat.unsent.value).toBe('Earlier');
  two.chat.destroy();
  const three = keep(two.reload());
  three.chat.setUnsent('Later');
  await three.chat.start();
  await until(() => three.lines().includes('agent: Hello'));
  expect(three.chat.unsent.value).toBe('Later');
});

it('stores no text set by the page', async () => {
  const one = await greeted();
  one.chat.setUnsent('From the page', false);
  expect(isKept(one)).toBe(false);
  expect((await goOn(one)).chat.unsent.value).toBe('');
});

it('removes typed text with the conversation', async () => {
  const one = await greeted();
  one.chat.send('Hello');
  await until(() => one.storage.values.size === 1);
  one.chat.setUnsent('Unsaid');
  await one.chat.endChat();
  expect([one.chat.unsent.value, isKept(one)]).toEqual(['Unsaid', false]);
  expect((await goOn(one)).chat.unsent.value).toBe('');

  const two = await greeted();
  two.chat.send('Hello');
  await until(() => two.storage.values.size === 1);
  two.chat.setUnsent('Too late');
  two.clock.advance(600_000);
  two.chat.destroy();
  expect((await goOn(two)).chat.unsent.value).toBe('');
});

it('removes typed text on logout, and shows it to no other user', async () => {
  const one = await greeted();
  one.chat.setUnsent('Private');
  await one.chat.logout();
  expect([one.chat.unsent.value, isKept(one)]).toEqual(['', false]);

  const two = harness();
  await two.chat.claim('ana');
  await two.chat.start();
  await until(() => two.lines().includes('agent: Hello'));
  two.chat.setUnsent('Of Ana');
  two.chat.destroy();
  const three = keep(two.reload());
  await three.chat.claim('ben');
  await three.chat.start();
  await until(() => three.lines().includes('agent: Hello'));
  await settle();
  expect(three.chat.unsent.value).toBe('');
});

it('stores no typed text if the site disables it, and works with blocked storage', async () => {
  const one = await greeted({}, { keepDraft: false });
  one.chat.setUnsent('Unkept');
  expect(isKept(one)).toBe(false);

  const ports = {
    ...harness().ports,
    tabStorage: () => {
      throw new DOMException('blocked', 'SecurityError');
    },
  };
  const two = await greeted({}, { ports });
  two.chat.setUnsent('Typed');
  expect(two.chat.unsent.value).toBe('Typed');
});

it('restores typed text of a user whom the page names only after the start', async () => {
  const one = harness();
  await one.chat.claim('ana');
  await one.chat.start();
  await until(() => one.lines().includes('agent: Hello'));
  one.chat.setUnsent('Of Ana');
  const two = await goOn(one);
  expect(two.chat.unsent.value).toBe('');
  await two.chat.claim('ana');
  expect(two.chat.unsent.value).toBe('Of Ana');
});
