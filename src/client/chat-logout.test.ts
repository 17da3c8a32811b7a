import { afterEach, describe, expect, it } from 'vitest';
import {
  type ChatHarness,
  isOpen,
  sentTypes,
  settle,
  trackHarnesses,
  until,
} from '../../test/chat-harness.ts';
import { FakeBrowser } from '../../test/fake-browser.ts';

const { greeted, reload, harness } = trackHarnesses(afterEach);

const SAME_SITE = { keepsCookie: true };

async function say(one: ChatHarness, text: string): Promise<void> {
  one.chat.send(text);
  await until(() => one.lines().at(-1) === `user: ${text}`);
  await settle();
}

const calls = ({ platform }: ChatHarness, path: string): readonly unknown[] =>
  platform.calls.filter((call) => call.path === path).map(({ body }) => body);

const stored = ({ storage }: ChatHarness): string => JSON.stringify([...storage.values.values()]);

describe('a ticket in a cookie', () => {
  it('requests the cookie with the first message, and stores nothing of the ticket', async () => {
    const one = await greeted(SAME_SITE);
    await settle();
    expect(calls(one, '/v1/resume')).toEqual([]);
    expect([one.platform.cookie, one.storage.values.size]).toEqual(['', 0]);
    await say(one, 'Hello Ada');
    expect(calls(one, '/v1/resume')).toEqual([{ resume_ticket: expect.stringContaining('ticket-') }]);
    expect(one.platform.cookie).toContain('ticket-');
    expect(stored(one)).toContain('"cookie"');
    expect(stored(one)).not.toContain('ticket-');
  });

  it('resumes the conversation from the cookie after a reload', async () => {
    const one = await greeted(SAME_SITE);
    await say(one, 'Hello Ada');
    const next = reload(one);
    await next.chat.start();
    await until(() => next.lines().includes('user: Hello Ada'));
    expect(calls(next, '/v1/resume').at(-1)).toEqual({});
    expect(next.platform.sessions).toHaveLength(1);
  });

  it('renews the cookie every 240 s without a visible effect', async () => {
    const one = await greeted({ ...SAME_SITE, capabilities: { heartbeat_interval_seconds: 0 } });
    await say(one, 'Hello Ada');
    const first = one.platform.cookie;
    one.clock.advance(240_000);
    await settle();
    expect(calls(one, '/v1/resume')).toHaveLength(2);
    expect(one.platform.cookie).not.toBe(first);
    expect(stored(one)).not.toContain('ticket-');
  });

  it('shares the ticket itself with other tabs until the first message sets the cookie', async () => {
    const browser = new FakeBrowser();
    const tab = browser.openTab();
    const one = harness(SAME_SITE, {}, {}, tab);
    const other = harness({}, {}, one, browser.openTab());
    for (const { chat, lines } of [one, other]) {
      await chat.start();
      await until(() => lines().includes('agent: Hello'));
    }
    tab.crash();
    await until(() => other.platform.handshakes.length === 2 && isOpen(other));
    expect(calls(other, '/v1/resume')).toEqual([{ resume_ticket: expect.stringContaining('ticket-') }]);
    expect(other.platform.sessions).toHaveLength(1);
  });

  it("does not use another visitor's cookie on a page without stored data", async () => {
    const one = await greeted(SAME_SITE);
    await say(one, 'Hello Ada');
    one.storage.values.clear();
    const next = reload(one);
    await next.chat.start();
    await until(() => isOpen(next));
    expect(next.platform.sessions).toHaveLength(2);
  });
});

describe.each([
  ['in a cookie', true],
  ['in storage', false],
])('logout with a ticket %s', (_, keepsCookie) => {
  it('ends the conversation on logout, and removes everything here and at the proxy', async () => {
    const one = await greeted({ keepsCookie });
    await say(one, 'My number is 42');
    await one.chat.logout();
    expect(sentTypes(one)).toContain('USER_END_SESSION');
    expect(one.platform.session.isEnded).toBe(true);
    expect(one.platform.loggedOut).toEqual([one.platform.session.id]);
    expect([one.platform.cookie, one.storage.values.size]).toEqual(['', 0]);
    expect([one.lines(), one.chat.session.value.status]).toEqual([[], 'unknown']);
    await settle();
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('starts the next visitor with an empty conversation after a logout', async () => {
    const one = await greeted({ keepsCookie });
    await say(one, 'My number is 42');
    await one.chat.logout();
    await one.chat.start();
    await until(() => one.lines().includes('agent: Hello'));
    expect(one.lines()).not.toContain('user: My number is 42');
    expect(one.platform.sessions).toHaveLength(2);
  });

  it('completes a logout before anything that is started meanwhile', async () => {
    const one = await greeted({ keepsCookie });
    await say(one, 'My number is 42');
    const done = one.chat.logout();
    await one.chat.start();
    await done;
    await until(() => one.lines().includes('agent: Hello'));
    expect(one.chat.session.value.status).toBe('active');
    expect(one.lines()).not.toContain('user: My number is 42');
    expect(one.platform.sessions).toHaveLength(2);
  });

  it('logs out on a page where the chat was not opened', async () => {
    const one = await greeted({ keepsCookie });
    await say(one, 'My number is 42');
    const next = reload(one);
    await next.chat.logout();
    expect(next.platform.loggedOut).toEqual([next.platform.session.id]);
    expect(next.storage.values.size).toBe(0);
    expect(await next.chat.hasStoredConversation()).toBe(false);
  });

  it('removes local data at once on logout, and notifies the proxy as soon as it responds again', async () => {
    const one = await greeted({ keepsCookie });
    await say(one, 'My number is 42');
    one.platform.faults.push('unreachable', { status: 503 });
    const done = one.chat.logout();
    await settle();
    expect([one.lines(), one.storage.values.size]).toEqual([[], 0]);
    for (const delayMs of [1_000, 2_000]) {
      one.clock.advance(delayMs);
      await settle();
    }
    await done;
    expect(one.platform.loggedOut).toEqual([one.platform.session.id]);
  });
});

it('sends nothing to the proxy for the logout of a conversation that was never used', async () => {
  const one = harness();
  await one.chat.logout();
  expect(one.platform.calls).toEqual([]);
});

it('empties the composer on a logout without a session', async () => {
  const one = harness();
  one.chat.setUnsent('Half a thought');
  await one.chat.logout();
  await one.chat.start();
  await until(() => one.lines().includes('agent: Hello'));
  expect(one.chat.unsent.value).toBe('');
});

it('does not end a chat that is started during a logout without a conversation', async () => {
  const one = harness();
  const done = one.chat.logout();
  await one.chat.start();
  await done;
  await until(() => one.lines().includes('agent: Hello'));
  expect(one.chat.session.value.status).toBe('active');
});

it('revokes the ticket at the end of a conversation', async () => {
  const one = await greeted();
  await say(one, 'Hello Ada');
  one.platform.session.end('REASON_NATURAL_END');
  await until(() => one.chat.session.value.status === 'ended');
  await settle();
  expect(one.platform.loggedOut).toEqual([one.platform.session.id]);
});
