import { afterEach, describe, expect, it } from 'vitest';
import {
  type ChatHarness,
  holdAnswers,
  isOpen,
  settle,
  trackHarnesses,
  until,
} from '../../test/chat-harness.ts';
import { FakeClock } from '../../test/fake-clock.ts';

const { greeted, harness, reload } = trackHarnesses(afterEach);

const A_DAY_MS = 86_400_000;

const probes = ({ platform }: ChatHarness): number =>
  platform.calls.filter(({ path }) => path === '/v1/probe').length;

/** Refuses all further sockets; runs until the browser was refused three times. */
async function refuseSockets(one: ChatHarness, probe: object): Promise<void> {
  one.platform.refusals = 99;
  one.platform.probe = probe;
  one.platform.session.drop();
  await until(() => one.chat.connection.value.status === 'reconnecting');
  for (const [delayMs, tries] of [
    [1_000, 2],
    [2_000, 3],
    [4_000, 4],
  ] as const) {
    one.clock.advance(delayMs);
    await until(() => one.platform.handshakes.length >= tries);
    await settle();
  }
}

const waitMs = ({ chat, clock }: ChatHarness): number => {
  const { value } = chat.connection;
  return value.status === 'reconnecting' ? (value.nextAttemptAtMs ?? 0) - clock.now() : -1;
};

describe('a handshake that the browser cannot explain', () => {
  it('asks the proxy for the reason after the third refused handshake, and not before', async () => {
    const one = await greeted();
    one.platform.refusals = 2;
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    for (const delayMs of [1_000, 2_000, 4_000]) {
      one.clock.advance(delayMs);
      await settle();
    }
    await until(() => isOpen(one));
    expect(probes(one)).toBe(0);
    const pair = { session_id: one.platform.session.id, access_token: one.platform.session.token };
    await refuseSockets(one, { handshake: 'accepted', status: 101 });
    expect(one.platform.calls.findLast(({ path }) => path === '/v1/probe')?.body).toEqual(pair);
  });

  it.each([
    ['the session is no good', { handshake: 'refused', status: 401 }],
    ['nobody can tell and the platform is up', { handshake: 'unknown' }],
  ])('starts another session after refused handshakes when %s', async (_, probe) => {
    const one = await greeted();
    await refuseSockets(one, probe);
    one.platform.refusals = 0;
    await until(() => one.platform.sessions.length === 2);
  });

  it.each([
    ['sockets are blocked on the way', { handshake: 'accepted', status: 101 }],
    ['the platform is away', { handshake: 'unreachable' }],
    ['the answer says nothing', {}],
  ])('keeps the session after refused handshakes when %s', async (_, probe) => {
    const one = await greeted({ capabilities: { max_reconnect_attempts: 0 } });
    await refuseSockets(one, probe);
    expect(one.chat.connection.value.status).toBe('reconnecting');
    one.platform.refusals = 0;
    one.clock.advance(30_000);
    await until(() => isOpen(one));
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('waits as long as a busy platform requests', async () => {
    const one = await greeted();
    await refuseSockets(one, { handshake: 'busy', status: 429, retry_after_seconds: 17 });
    await until(() => waitMs(one) === 17_000);
    one.platform.refusals = 0;
    one.clock.advance(17_000);
    await until(() => isOpen(one));
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('lets the visitor try again after the handshakes failed', async () => {
    const one = await greeted();
    await refuseSockets(one, { handshake: 'accepted', status: 101 });
    for (let step = 0; step < 40 && one.chat.connection.value.status !== 'failed'; step++) {
      await settle();
      one.clock.advance(30_000);
    }
    expect(one.chat.connection.value).toEqual({ status: 'failed', reason: 'reconnect_budget_spent' });
    one.platform.refusals = 0;
    one.chat.reconnect();
    await until(() => isOpen(one));
    expect(one.platform.sessions).toHaveLength(1);
  });
});

describe('a page that the chat is not set up for', () => {
  const tried = ({ platform }: ChatHarness, path: string): number =>
    platform.calls.filter((call) => call.path === path).length;

  /** Opens a chat whose handshakes are all refused, until the client has given up. */
  async function openRefused(probe: object): Promise<ChatHarness> {
    const one = harness({ capabilities: { max_reconnect_attempts: 0 } });
    one.platform.refusals = 999;
    one.platform.probe = probe;
    await one.chat.start();
    for (let step = 0; step < 30 && one.chat.connection.value.status !== 'failed'; step++) {
      await settle();
      one.clock.advance(2_500);
    }
    return one;
  }

  it.each([
    ['the proxy knows that its origin is refused', { handshake: 'refused', status: 401, reason: 'origin' }],
    ['it has never had a socket', { handshake: 'refused', status: 401 }],
  ])('requests no other session after three refused handshakes if %s', async (_, probe) => {
    const one = await openRefused(probe);
    expect(one.chat.connection.value).toEqual({ status: 'failed', reason: 'host_not_registered' });
    expect([one.platform.handshakes.length, tried(one, '/v1/session'), probes(one)]).toEqual([3, 1, 1]);
    // Nothing reconnects automatically, even when the page becomes visible.
    one.clock.advance(600_000);
    await settle();
    expect([one.platform.handshakes.length, tried(one, '/v1/session')]).toEqual([3, 1]);
  });

  it('starts a session when the visitor tries again after the setup was corrected', async () => {
    const one = await openRefused({ handshake: 'refused', status: 401, reason: 'origin' });
    one.platform.refusals = 0;
    one.chat.reconnect();
    await until(() => isOpen(one));
  });

  it('starts no session if the socket is unreachable', async () => {
    const one = harness({ capabilities: { max_reconnect_attempts: 4 } });
    one.platform.refusals = 999;
    one.platform.probe = { handshake: 'unknown', fault: 'ECONNREFUSED' };
    await one.chat.start();
    for (let step = 0; step < 30 && one.chat.connection.value.status !== 'failed'; step++) {
      await settle();
      one.clock.advance(30_000);
    }
    expect(one.chat.connection.value).toEqual({ status: 'failed', reason: 'reconnect_budget_spent' });
    expect(tried(one, '/v1/session')).toBe(1);
  });

  it("diagnoses the proxy's test of the socket and its address, without secrets", async () => {
    const one = await greeted();
    one.platform.probe = { handshake: 'accepted', status: 101, access_token: 'x' };
    expect(await one.chat.diagnose()).toEqual({
      missingAgent: null,
      socket: { url: 'wss://platform.test/ws', handshake: 'accepted', status: 101, reason: '', fault: '' },
    });
    expect(await harness().chat.diagnose()).toEqual({ missingAgent: null, socket: null });
  });

  it('diagnoses a missing agent until one has joined', async () => {
    const one = await greeted();
    one.platform.session.emit('EVENT_TYPE_SYSTEM_MESSAGE', {
      level: 'SYSTEM_MESSAGE_LEVEL_ERROR',
      message: 'Sorry',
      missing_agent: 'nobody',
    });
    await settle();
    expect((await one.chat.diagnose()).missingAgent).toBe('nobody');
    one.platform.session.emit('EVENT_TYPE_AGENT_JOINED', { agent_name: 'Ada' });
    await settle();
    expect((await one.chat.diagnose()).missingAgent).toBeNull();
  });
});

describe('a token that runs out', () => {
  const SHORT = { tokenLifeSeconds: 60, capabilities: { heartbeat_interval_seconds: 0 } };

  async function outlive(one: ChatHarness): Promise<void> {
    one.clock.advance(60_000);
    await settle();
    expect(isOpen(one), 'an open socket stays (TOK-6)').toBe(true);
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
  }

  it('gets a new session at the next reconnect after the token expired, without a failing handshake (TOK-4)', async () => {
    const one = await greeted(SHORT);
    one.platform.session.isGone = true;
    await outlive(one);
    one.clock.advance(1_000);
    await until(() => one.platform.sessions.length === 2 && isOpen(one));
    expect(one.platform.handshakes.map(({ isAccepted }) => isAccepted)).toEqual([true, true]);
  });

  it('treats a token as expired exactly at its expiry', async () => {
    const one = await greeted(SHORT);
    one.platform.session.isGone = true;
    one.clock.advance(59_000);
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    one.clock.advance(1_000);
    await until(() => one.platform.sessions.length === 2 && isOpen(one));
    expect(one.platform.handshakes.map(({ isAccepted }) => isAccepted)).toEqual([true, true]);
  });

  it('keeps a session whose token only seems expired by a changed clock, if the platform accepts it', async () => {
    const one = await greeted(SHORT);
    await outlive(one);
    one.clock.advance(1_000);
    await until(() => isOpen(one));
    expect([one.platform.sessions.length, probes(one)]).toEqual([1, 1]);
  });

  it('checks an expired token only after an outage has ended', async () => {
    const one = await greeted(SHORT);
    await outlive(one);
    one.platform.isDown = true;
    one.clock.advance(1_000);
    await until(() => probes(one) === 1);
    await settle();
    expect(one.chat.connection.value.status).toBe('reconnecting');
    one.platform.isDown = false;
    one.clock.advance(30_000);
    await until(() => isOpen(one));
    expect(one.platform.sessions).toHaveLength(1);
  });
});

it.each([
  ['ahead', 2 * A_DAY_MS],
  ['behind', -2 * A_DAY_MS],
])('resumes its session on a device whose clock is days %s', async (_, skewMs) => {
  const clock = new FakeClock();
  const one = await greeted({ now: () => clock.now() - skewMs }, {}, { clock });
  one.chat.send('Hello Ada');
  await until(() => one.lines().at(-1) === 'user: Hello Ada' && one.storage.values.size === 1);
  const next = reload(one);
  await next.chat.start();
  await until(() => next.lines().includes('user: Hello Ada'));
  expect(next.platform.sessions).toHaveLength(1);
});

it('shares one session request between concurrent callers', async () => {
  const one = harness();
  const { asked, release } = holdAnswers(one);
  await Promise.all([one.chat.start(), one.chat.start()]);
  one.chat.reconnect();
  one.chat.reconnect();
  await settle();
  expect(asked).toEqual(['/v1/session']);
  release();
  await until(() => isOpen(one));
  expect(one.platform.sessions).toHaveLength(1);
});
