import { afterEach, expect, it } from 'vitest';
import { type ChatHarness, settle, trackHarnesses, until } from '../../test/chat-harness.ts';
import type { PastConversations } from './index.ts';

const { greeted, harness, reload } = trackHarnesses(afterEach);

const pastOf = async ({ chat }: ChatHarness): Promise<PastConversations> => (await chat.services()).past;
const titles = async (one: ChatHarness): Promise<readonly string[]> =>
  (await (await pastOf(one)).list()).map(({ title }) => title);
const keyOf = ({ storage }: ChatHarness): string | undefined =>
  [...storage.values.keys()].find((key) => key.endsWith(':past'));

async function say(one: ChatHarness, text: string): Promise<void> {
  one.chat.send(text);
  await until(() => one.lines().at(-1) === `user: ${text}`);
}

/** Starts a conversation with a question, and keeps a copy. */
async function asked(text: string): Promise<ChatHarness> {
  const one = await greeted();
  await say(one, text);
  await (await pastOf(one)).keep();
  return one;
}

it('stores no copy of a conversation unless requested, nor before the visitor has written', async () => {
  const one = await greeted();
  await (await pastOf(one)).keep();
  expect(keyOf(one)).toBeUndefined();
  await say(one, 'Hello Ada');
  await settle();
  expect(keyOf(one)).toBeUndefined();
});

it('stores one copy per conversation, newest first, which cannot be resumed', async () => {
  const one = await asked('When does\n the ferry leave?');
  one.platform.session.say('At nine.');
  await until(() => one.lines().at(-1) === 'agent: At nine.');
  const past = await pastOf(one);
  await past.keep();
  const [kept] = await past.list();
  expect(kept).toMatchObject({ title: 'When does the ferry leave?', owner: '' });
  expect(kept?.items.map((item) => item.kind !== 'system' && item.text)).toEqual([
    'Hello',
    'When does\n the ferry leave?',
    'At nine.',
  ]);
  expect(JSON.stringify(one.storage.values.get(keyOf(one) ?? ''))).not.toMatch(/ticket|token/);

  await one.chat.endChat();
  await one.chat.newChat();
  await until(() => one.chat.session.value.status === 'active');
  one.clock.advance(1_000);
  await say(one, 'And back?');
  await past.keep();
  expect(await titles(reload(one))).toEqual(['And back?', 'When does the ferry leave?']);
});

it('keeps copies of ten conversations for thirty days', async () => {
  const one = await asked('First');
  const key = keyOf(one) ?? '';
  const [kept] = one.storage.values.get(key) as { lastAtMs: number }[];
  const older = Array.from({ length: 12 }, (_, at) => ({
    ...kept,
    sessionId: `old-${at}`,
    title: `Old ${at}`,
  }));
  one.storage.values.set(key, older);
  await (await pastOf(one)).keep();
  expect(await titles(one)).toHaveLength(10);
  one.clock.advance(31 * 86_400_000);
  expect(await titles(one)).toEqual([]);
});

it('drops stored entries with an unknown format', async () => {
  const one = await asked('Real');
  const key = keyOf(one) ?? '';
  const [kept] = one.storage.values.get(key) as object[];
  one.storage.values.set(key, [kept, { ...kept, version: 2 }, { ...kept, items: 'x' }, 1, null]);
  expect(await titles(one)).toEqual(['Real']);
  one.storage.values.set(key, 'x');
  expect(await titles(one)).toEqual([]);
});

it('removes copies of conversations after a logout, even on another page, and for another user', async () => {
  for (const leave of [
    (two: ChatHarness) => two.chat.logout(),
    async (two: ChatHarness) => {
      await two.chat.start();
      await two.chat.claim('other');
    },
  ]) {
    const one = await greeted();
    await one.chat.claim('maren');
    await say(one, 'Hello Ada');
    await (await pastOf(one)).keep();
    expect(await titles(one)).toEqual(['Hello Ada']);
    const two = reload(one);
    await leave(two);
    await until(() => keyOf(two) === undefined);
  }
});

it('shows copies of conversations to their own user only', async () => {
  const one = await greeted();
  await one.chat.claim('maren');
  await say(one, 'Hello Ada');
  await (await pastOf(one)).keep();
  // The conversation itself has expired.
  const key = keyOf(one) ?? '';
  const kept = one.storage.values.get(key);
  const other = harness();
  other.storage.values.set(key, kept);
  expect(await titles(other)).toEqual([]);
  await other.chat.claim('else');
  expect(await titles(other)).toEqual([]);
  await other.chat.claim('maren');
  expect(await titles(other)).toEqual(['Hello Ada']);
});

it('finds the copy that the conversation continues after a reload, for this conversation and this visitor only', async () => {
  const one = await asked('When does it leave?');
  const past = await pastOf(one);
  const [first] = await past.list();
  await one.chat.endChat();
  await one.chat.newChat();
  await until(() => one.chat.session.value.status === 'active');
  expect(await past.readContinued()).toBeNull();
  await say(one, 'And back?');
  await past.noteContinued(first?.sessionId ?? '');
  const two = reload(one);
  await two.chat.start();
  expect((await (await pastOf(two)).readContinued())?.title).toBe('When does it leave?');
  await two.chat.endChat();
  await two.chat.newChat();
  await until(() => two.chat.session.value.status === 'active');
  expect(await (await pastOf(two)).readContinued()).toBeNull();
  await (await pastOf(two)).forget();
  expect([...two.storage.values.keys()].filter((key) => key.includes(':past'))).toEqual([]);
});

it('stores no copy that was being made during a logout', async () => {
  const one = await asked('Hello Ada');
  const { storage } = one;
  const set = storage.set.bind(storage);
  let go = (): void => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  storage.set = async (key, value) => {
    if (key.endsWith(':past')) await held;
    return set(key, value);
  };
  const keeping = (await pastOf(one)).keep();
  await settle();
  await one.chat.logout();
  go();
  await keeping;
  expect(keyOf(one)).toBeUndefined();
});

it("lists copies among the visitor's data", async () => {
  const one = await asked('Hello Ada');
  const { browser } = await (await one.chat.services()).readVisitorData();
  expect(browser?.past.map(({ title }) => title)).toEqual(['Hello Ada']);
});

it('searches the help articles without a session, and distinguishes a failure from an empty result', async () => {
  const one = harness();
  const { signal } = new AbortController();
  const services = await one.chat.services();
  const query = { query: 'dog', language: 'en', signal };
  const answers = [
    { max_query_characters: 200 },
    { articles: [{ title: 'Pets', url: 'https://a.example/', excerpt: 'x', id: 'pets' }, { title: 1 }] },
    { title: 'Pets', url: 'https://a.example/', text: '**Dogs**' },
  ];
  one.platform.answer = async () => Response.json(answers.shift() ?? {}, { status: 200 });
  expect(await services.readSearchLimits()).toEqual({ maxQueryCharacters: 200 });
  expect(await services.searchHelp(query)).toEqual([
    { title: 'Pets', url: 'https://a.example/', excerpt: 'x', id: 'pets' },
  ]);
  expect(await services.readArticle({ id: 'pets', language: 'en', signal })).toEqual({
    title: 'Pets',
    url: 'https://a.example/',
    text: '**Dogs**',
  });
  expect(await services.readArticle({ id: 'pets', language: 'en', signal })).toBeNull();
  expect(await services.searchHelp(query)).toBeNull();
  expect(await services.readSearchLimits()).toBeNull();
});
