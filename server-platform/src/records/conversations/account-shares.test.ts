import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RestFixture, startRestFixture } from '../../../test/api/rest/rest-fixture.ts';
import { recorded, said } from '../../../test/records/conversations/recorded.ts';
import { addAccount, addProject } from '../../accounts/index.ts';
import { writeConversations } from '../../realtime/event-log/index.ts';
import { createConcurrencyFamily } from '../concurrency/index.ts';
import { startConversationsFamily } from './conversations-family.ts';

const LIST = '/v3/acme/shop/conversations?limit=100';
const PEAKS =
  '/v1/acme/shop/conversations/concurrency?client_env=live&start_time=2026-01-01T00:00:00Z&end_time=2026-01-02T00:00:00Z';
const ANSWERS_AT_ONCE = 8;

let rest: RestFixture;
let otherKey = '';
/** Searches of the account that wait for the test. */
let hanging: (() => void)[] | null = null;
beforeAll(async () => {
  rest = await startRestFixture({
    families: async (services) => {
      const inShare: typeof services.searchInShare = (accountId, work) =>
        services.searchInShare(accountId, async () => {
          if (hanging !== null && accountId === rest.account.id)
            await new Promise<void>((resolve) => hanging?.push(resolve));
          return await work();
        });
      const slow = { ...services, searchInShare: inShare };
      return [await startConversationsFamily(slow), createConcurrencyFamily(slow)];
    },
  });
  const { database, clock } = rest;
  // More than is sent before anything is read.
  const text = 'word '.repeat(20_000);
  for (let nr = 0; nr < 40; nr += 1)
    await writeConversations(database, [
      recorded(rest, `CONV-${nr}`, { start: { atMs: clock.now() }, turns: [said(text, 'At nine.')] }),
    ]);
  const other = await addAccount(database, { slug: 'other' }, clock.now());
  const project = await addProject(database, other, { slug: 'web' }, clock.now());
  const permissions = ['conversations', 'analytics'] as const;
  otherKey = await rest.addKey({ account: other, project, permissions: [...permissions] });
});
afterAll(() => rest.stop());

const other = (path: string) => rest.call(`GET ${path.replace('acme/shop', 'other/web')}`, { key: otherKey });
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("keeps a list that is not read in its account's share, and delays no other account", async () => {
  const list = () => rest.fetch(`GET ${LIST}`, { key: rest.keys.runtime });
  const unread = await Promise.all(Array.from({ length: ANSWERS_AT_ONCE }, list));
  let isAnswered = false;
  const waits = list().then((answer) => {
    isAnswered = true;
    return answer;
  });
  expect((await other(LIST)).status).toBe(200);
  await nextTurn();
  expect(isAnswered).toBe(false);
  expect(await unread[0]?.json()).toMatchObject({ conversations: { length: 40 } });
  expect((await waits).status).toBe(200);
  for (const answer of [...unread.slice(1), await waits]) await answer.body?.cancel();
});

it("limits an account's searches and peaks together, and delays no other account", async () => {
  hanging = [];
  const ask = (path: string) => rest.fetch(`GET ${path}`, { key: rest.keys.runtime });
  const asked = [ask(PEAKS), ask(LIST), ask(PEAKS), ask(LIST), ask(PEAKS)];
  await expect.poll(() => hanging?.length).toBe(3);
  expect((await other(PEAKS)).status).toBe(200);
  expect((await other(LIST)).status).toBe(200);
  expect(hanging).toHaveLength(3);
  const begun = hanging;
  hanging = null;
  for (const go of begun) go();
  for (const answer of await Promise.all(asked)) {
    expect(answer.status).toBe(200);
    await answer.body?.cancel();
  }
});
