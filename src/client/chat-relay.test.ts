import { afterEach, describe, expect, it } from 'vitest';
import { type ChatHarness, isOpen, settle, trackHarnesses, until } from '../../test/chat-harness.ts';
import { aboard } from '../../test/turn-server.ts';
import type { FrameTrace } from './chat-client.ts';

const { greeted, harness, reload } = trackHarnesses(afterEach);

const RELAY = { relays: true };

const paths = ({ platform }: ChatHarness): string[] => platform.calls.map(({ path }) => path);

/** Records the addresses of all further sockets. */
function watchSockets(one: ChatHarness): string[] {
  const urls: string[] = [];
  const accept = one.platform.accept.bind(one.platform);
  one.platform.accept = (url) => {
    urls.push(url.href);
    return accept(url);
  };
  return urls;
}

async function lose(one: ChatHarness): Promise<void> {
  one.platform.session.drop();
  await until(() => one.chat.connection.value.status === 'reconnecting');
  one.clock.advance(1_000);
}

describe('a chat whose socket the proxy relays', () => {
  it('opens a relayed socket at the proxy, with a ticket and the cursor but without the session id', async () => {
    const one = harness(RELAY);
    const urls = watchSockets(one);
    await one.chat.start();
    await until(() => one.lines().includes('agent: Hello'));
    one.platform.session.say('News');
    await until(() => one.lines().includes('agent: News'));
    await lose(one);
    await until(() => isOpen(one) && urls.length === 2);
    expect(urls.map((url) => url.replace(/relay-\d+/, 'TICKET'))).toEqual([
      'wss://chat.test/v1/ws?ticket=TICKET',
      expect.stringMatching(/^wss:\/\/chat\.test\/v1\/ws\?ticket=TICKET&cursor=\d+$/),
    ]);
    expect(new Set(urls).size).toBe(2);
    expect(paths(one)).toEqual(['/v1/session', '/v1/relay']);
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('uses the vocabulary that the relaying proxy names', async () => {
    const out: string[] = [];
    const onFrame = ({ direction, text }: FrameTrace): void => void (direction === 'out' && out.push(text));
    await greeted({ ...RELAY, vocabulary: 'poly' }, { onFrame });
    expect(out[0]).toContain('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN');
  });

  it('sets no cookie before a relayed chat is used, however often it reconnects', async () => {
    const one = await greeted({ ...RELAY, keepsCookie: true });
    await lose(one);
    await until(() => isOpen(one));
    expect(one.platform.cookie).toBe('');
    one.chat.send('Hello Ada');
    await until(() => one.platform.cookie !== '' && one.storage.values.size === 1);
    await settle();
    const next = reload(one);
    await next.chat.start();
    await until(() => isOpen(next) && next.lines().includes('user: Hello Ada'));
    await lose(next);
    await until(() => isOpen(next));
    expect(next.platform.sessions).toHaveLength(1);
    expect(next.platform.calls.at(-1)).toMatchObject({ path: '/v1/relay', body: {} });
  });

  it('opens no relayed socket while the platform is down, and resumes its session', async () => {
    const one = await greeted(RELAY);
    const urls = watchSockets(one);
    one.platform.isDown = true;
    await lose(one);
    await until(() => paths(one).at(-1) === '/v1/relay');
    await settle();
    expect(urls).toEqual([]);
    one.platform.isDown = false;
    one.clock.advance(30_000);
    await until(() => isOpen(one));
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('starts another session when its relay ticket is no longer valid', async () => {
    const one = await greeted(RELAY);
    one.platform.loggedOut.push(one.platform.session.id);
    await lose(one);
    await until(() => isOpen(one) && one.platform.sessions.length === 2);
  });

  it('lets the proxy explain refused relay handshakes by the ticket', async () => {
    const one = await greeted(RELAY);
    one.platform.session.isGone = true;
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    for (const delayMs of [1_000, 2_000, 4_000]) {
      one.clock.advance(delayMs);
      await settle();
    }
    await until(() => isOpen(one) && one.platform.sessions.length === 2);
    const probe = one.platform.calls.find(({ path }) => path === '/v1/probe');
    expect(Object.keys(Object(probe?.body))).toEqual(['resume_ticket']);
  });

  it("includes the proxy's address in a diagnosis, without the ticket", async () => {
    const one = await greeted(RELAY);
    expect((await one.chat.diagnose()).socket).toMatchObject({
      url: 'wss://chat.test/v1/ws',
      handshake: 'accepted',
    });
  });

  it('switches from turns over HTTPS back to relayed sockets, each with a new ticket', async () => {
    const { one } = await aboard(harness(RELAY));
    one.platform.refusals = 1;
    const urls = watchSockets(one);
    one.clock.advance(15_000);
    await until(() => urls.length === 1);
    await settle();
    one.clock.advance(60_000);
    await until(() => urls.length === 2);
    await settle();
    one.clock.advance(5_000);
    await until(() => urls.length === 3 && isOpen(one));
    expect(new Set(urls).size).toBe(3);
    expect(one.platform.handshakes.slice(-3).map(({ isAccepted }) => isAccepted)).toEqual([
      false,
      true,
      true,
    ]);
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('refuses a session response with neither token nor ticket', async () => {
    const one = harness(RELAY);
    const answer = one.platform.answer.bind(one.platform);
    one.platform.answer = async (path, body) => {
      const fields = await (await answer(path, body)).json();
      return Response.json({ ...fields, relay_ticket: '' });
    };
    await one.chat.start();
    await until(() => one.chat.connection.value.status === 'failed');
    expect(one.platform.handshakes).toEqual([]);
  });
});
