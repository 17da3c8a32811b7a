import { afterEach, describe, expect, it } from 'vitest';
import { holdAnswers, isOpen, sentTypes, settle, trackHarnesses, until } from '../../test/chat-harness.ts';

const { harness, greeted } = trackHarnesses(afterEach);

describe('a lost connection', () => {
  it('reconnects to the same session with its cursor and catches up', async () => {
    const one = await greeted();
    const { session } = one.platform;
    session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    session.say('While you were away');
    one.clock.advance(1_000);
    await until(() => one.lines().at(-1) === 'agent: While you were away');
    expect(one.platform.sessions).toHaveLength(1);
    expect(one.platform.handshakes.map(({ cursor }) => cursor)).toEqual([null, '4']);
    expect(sentTypes(one).filter((type) => type === 'REQUEST_AGENT_JOIN')).toHaveLength(1);
  });

  it('opens no socket while the proxy is failing', async () => {
    const one = await greeted();
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    one.platform.faults.push({ status: 500 });
    one.clock.advance(1_000);
    await settle();
    expect(one.platform.handshakes).toHaveLength(1);
    one.clock.advance(2_000);
    await until(() => isOpen(one));
  });

  it('shows a lost connection only after half a second', async () => {
    const one = await greeted();
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    one.clock.advance(499);
    expect(one.chat.hasLostConnection.value).toBe(false);
    one.clock.advance(1);
    expect(one.chat.hasLostConnection.value).toBe(true);
    one.clock.advance(500);
    await until(() => isOpen(one));
    expect(one.chat.hasLostConnection.value).toBe(false);
  });

  it('reads the replay before resending anything, and finds its message there', async () => {
    const one = await greeted({ echoes: false });
    one.chat.send('Did you get this?');
    await until(() => one.platform.session.userTexts.length === 1);
    one.platform.options = { ...one.platform.options, echoes: true };
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    one.clock.advance(1_000);
    await until(() => one.lines().at(-1) === 'user: Did you get this?');
    expect(sentTypes(one).filter((type) => type === 'USER_MESSAGE')).toHaveLength(1);
  });

  it('resends a message under the same id that the platform never stored', async () => {
    const one = await greeted({ hears: true });
    const heard = one.platform.options;
    one.platform.options = { ...heard, hears: false };
    one.chat.send('Into the void');
    await settle();
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    one.platform.options = heard;
    one.clock.advance(1_000);
    await until(() => one.lines().at(-1) === 'user: Into the void');
    expect(one.platform.session.userTexts).toEqual(['Into the void']);
  });

  it('closes its socket as soon as the device is offline, queues messages, and sends them when it is back', async () => {
    const one = await greeted();
    one.device.setOnline(false);
    expect(one.chat.connection.value).toMatchObject({ status: 'reconnecting', offline: true });
    one.chat.send('From the tunnel');
    expect(one.lines().at(-1)).toBe('user: From the tunnel (queued)');
    one.clock.advance(60_000);
    await settle();
    expect(one.platform.handshakes).toHaveLength(1);
    one.device.setOnline(true);
    await until(() => one.lines().at(-1) === 'user: From the tunnel');
    expect(one.platform.session.userTexts).toEqual(['From the tunnel']);
  });

  it('detects a network that came back without an event', async () => {
    const one = await greeted();
    one.device.setOnline(false);
    one.device.setOnlineSilently(true);
    one.clock.advance(3_000);
    await until(() => isOpen(one));
  });

  it('reconnects at once when the page becomes visible', async () => {
    const one = await greeted();
    one.platform.refusals = 2;
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    one.device.setVisible(true);
    await until(() => one.platform.handshakes.length === 2);
    await until(() => one.clock.nextDelayMs !== null);
    one.platform.refusals = 0;
    one.device.setVisible(true);
    await until(() => isOpen(one));
  });

  it("stops reconnecting when the platform's budget is exhausted, until the visitor tries again", async () => {
    const one = await greeted({ capabilities: { max_reconnect_attempts: 2 } });
    one.platform.refusals = 99;
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    for (const [delayMs, tries] of [
      [1_000, 2],
      [2_000, 3],
    ] as const) {
      one.clock.advance(delayMs);
      await until(() => one.platform.handshakes.length === tries);
      await settle();
    }
    expect(one.chat.connection.value).toEqual({ status: 'failed', reason: 'reconnect_budget_spent' });
    one.platform.refusals = 0;
    one.chat.reconnect();
    await until(() => isOpen(one));
  });

  it('tries to reconnect once for every message written after it gave up', async () => {
    const one = await greeted({ capabilities: { max_reconnect_attempts: 1 } });
    const isGivenUp = (): boolean => one.chat.connection.value.status === 'failed';
    one.platform.isDown = true;
    one.platform.session.drop();
    const asked = (): number => one.platform.calls.filter(({ path }) => path === '/v1/health').length;
    await until(() => one.chat.connection.value.status === 'reconnecting');
    one.clock.advance(1_000);
    await until(isGivenUp);
    expect(asked()).toBe(1);

    one.chat.send('Anybody there?');
    expect(isGivenUp()).toBe(false);
    await until(() => asked() === 2 && one.chat.connection.value.status === 'reconnecting');
    one.clock.advance(1_000);
    await until(() => asked() === 3 && isGivenUp());
    one.clock.advance(600_000);
    await settle();
    expect(asked(), 'a message that waits starts nothing by itself').toBe(3);

    one.platform.isDown = false;
    one.chat.send('Now?');
    await until(() => one.lines().at(-1) === 'user: Now?');
    expect(one.platform.session.userTexts).toEqual(['Anybody there?', 'Now?']);
    expect(one.platform.sessions).toHaveLength(1);
  });

  it.each([
    ['CONNECTOR_REJECTED', 'connector_rejected'],
    ['ORIGIN_NOT_ALLOWED', 'origin_not_allowed'],
  ])(
    "keeps trying to connect although only the site's operator can fix the fault: %s",
    async (code, reason) => {
      const one = harness();
      one.platform.faults.push({ status: 403, code });
      await one.chat.start();
      await until(() => one.chat.connection.value.status === 'failed');
      expect(one.chat.connection.value).toEqual({ status: 'failed', reason });
      one.chat.send('Mended by now?');
      await until(() => one.lines().at(-1) === 'user: Mended by now?');
    },
  );

  it('replaces a socket that no longer responds', async () => {
    const one = await greeted({ capabilities: { heartbeat_interval_seconds: 10 } });
    one.clock.advance(10_000);
    await until(() => sentTypes(one).at(-1) === 'HEARTBEAT');
    await settle();
    one.clock.advance(5_000);
    expect(isOpen(one)).toBe(true);
    one.platform.options = { ...one.platform.options, echoes: false };
    one.clock.advance(5_000);
    await settle();
    one.clock.advance(9_999);
    expect(isOpen(one)).toBe(true);
    one.clock.advance(1);
    expect(one.chat.connection.value.status).toBe('reconnecting');
  });

  it('replaces a half-open socket ten seconds after a message, and sends the message again (DEL-4a, DEL-5)', async () => {
    const one = await greeted();
    one.platform.options = { ...one.platform.options, hears: false };
    one.chat.send('Anybody there?');
    await settle();
    one.clock.advance(9_999);
    await settle();
    expect(isOpen(one)).toBe(true);
    one.clock.advance(1);
    expect(one.chat.connection.value.status).toBe('reconnecting');
    one.platform.options = { ...one.platform.options, hears: true };
    one.clock.advance(1_300);
    await until(() => isOpen(one) && one.lines().includes('user: Anybody there?'));
    expect(one.platform.session.userTexts).toEqual(['Anybody there?']);
  });

  it('keeps a socket with a late echo while heartbeats are answered (DEL-4a)', async () => {
    const one = await greeted();
    one.platform.options = { ...one.platform.options, echoes: 'heartbeats' };
    one.chat.send('Still there?');
    for (let second = 0; second < 20; second += 1) {
      one.clock.advance(1_000);
      await settle();
    }
    expect(isOpen(one)).toBe(true);
    expect(one.platform.handshakes).toHaveLength(1);
  });

  it('sends no heartbeat when the platform wants none', async () => {
    const one = await greeted({ capabilities: { heartbeat_interval_seconds: 0 } });
    one.clock.advance(300_000);
    await settle();
    expect(sentTypes(one)).not.toContain('HEARTBEAT');
  });

  it('replaces a socket after two hours and resumes from the cursor', async () => {
    const one = await greeted({ capabilities: { heartbeat_interval_seconds: 0 } }, { idleTimeoutMs: 0 });
    one.clock.advance(7_200_000);
    await until(() => one.platform.handshakes.length === 2 && isOpen(one));
    expect(one.platform.handshakes[1]).toMatchObject({ cursor: '4' });
  });
});

describe('a session that is no good', () => {
  it('replaces a session after a 4001, and moves pending messages to the new one', async () => {
    const one = await greeted();
    one.platform.options = { ...one.platform.options, echoes: false };
    one.chat.send('Take me along');
    await until(() => one.platform.session.userTexts.length === 1);
    one.platform.options = { ...one.platform.options, echoes: true };
    one.platform.session.isGone = true;
    for (const peer of [...one.platform.session.peers]) peer.close(4001);
    await until(() => one.platform.sessions.length === 2);
    await until(() => one.lines().at(-1) === 'user: Take me along');
    expect(one.lines()).toEqual(['* agent_joined', 'agent: Hello', 'user: Take me along']);
  });

  it('replaces a session after three refused handshakes while the platform responds', async () => {
    const one = await greeted();
    one.platform.session.isGone = true;
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
    await until(() => one.platform.sessions.length === 2 && isOpen(one));
  });

  it('keeps its session through an outage, and opens no socket while the platform is unreachable', async () => {
    const one = await greeted();
    one.platform.isDown = true;
    one.platform.session.drop();
    const asked = (): number => one.platform.calls.filter(({ path }) => path === '/v1/health').length;
    for (const [delayMs, times] of [
      [1_000, 1],
      [2_000, 2],
      [4_000, 3],
    ] as const) {
      await until(() => one.chat.connection.value.status === 'reconnecting');
      await settle();
      one.clock.advance(delayMs);
      await until(() => asked() >= times);
      await settle();
    }
    expect(one.platform.handshakes, 'the address of a refused socket would be printed').toHaveLength(1);
    one.platform.isDown = false;
    one.clock.advance(30_000);
    await until(() => isOpen(one));
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('gives up as expired after three rejected sessions in a row', async () => {
    const one = harness();
    await one.chat.start();
    await until(() => isOpen(one));
    const spoil = (): void => {
      for (const session of one.platform.sessions) session.isGone = true;
      one.platform.refusals = 99;
      one.platform.probe = { handshake: 'refused', status: 404 };
    };
    spoil();
    for (const peer of [...one.platform.session.peers]) peer.close(4001);
    await until(() => one.platform.sessions.length === 2);
    // Sessions 2, 3 and 4 never open: each gets two ordinary attempts, then the next session.
    for (let step = 0; step < 40 && one.chat.connection.value.status !== 'failed'; step++) {
      await settle();
      one.clock.advance(30_000);
    }
    expect(one.chat.connection.value).toEqual({ status: 'failed', reason: 'session_expired' });
    expect(one.platform.sessions).toHaveLength(4);

    one.platform.refusals = 0;
    one.chat.send('Once more');
    await until(() => one.lines().at(-1) === 'user: Once more');
    expect(one.platform.sessions).toHaveLength(5);
  });

  it('looks a session up once more before treating it as gone', async () => {
    const one = await greeted();
    one.platform.session.refuse('Error: Unable to retrieve session');
    await until(() => one.chat.connection.value.status === 'reconnecting');
    one.clock.advance(1_000);
    await until(() => isOpen(one));
    expect(one.platform.sessions).toHaveLength(1);
    one.platform.session.refuse('Error: Unable to retrieve session');
    await until(() => one.platform.sessions.length === 2 && isOpen(one));
  });

  it('looks a session up once more even before an agent has joined', async () => {
    const one = harness({ joins: false });
    await one.chat.start();
    await until(() => sentTypes(one).includes('REQUEST_AGENT_JOIN'));
    one.platform.session.refuse('Error: Unable to retrieve session');
    await until(() => one.chat.connection.value.status === 'reconnecting');
    one.clock.advance(1_000);
    await until(() => isOpen(one));
    expect(one.platform.sessions).toHaveLength(1);
  });

  it('replaces a session that the platform reports as unknown', async () => {
    const one = await greeted();
    one.platform.session.refuse('Error: Session not found');
    await until(() => one.platform.sessions.length === 2 && isOpen(one));
  });
});

describe('auto-recovery', () => {
  it('requests the agent again after 2 s of recovery, and then sends the waiting message', async () => {
    const one = await greeted();
    const { session } = one.platform;
    one.platform.options = { ...one.platform.options, echoes: false };
    one.chat.send('Still there?');
    await until(() => session.received.at(-1)?.type === 'EVENT_TYPE_USER_MESSAGE');
    const custom = session.received.at(-1)?.custom ?? null;
    // The platform lost the conversation, so it refuses the message without storing it.
    session.log.splice(
      session.log.findIndex(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE'),
      1,
    );
    one.platform.options = { ...one.platform.options, echoes: true, isIdempotent: false };
    session.refuse('Error: Conversation not found', custom);
    await settle();
    expect(one.lines().at(-1)).toBe('user: Still there? (pending)');
    one.clock.advance(1_999);
    await settle();
    expect(sentTypes(one).filter((type) => type === 'REQUEST_AGENT_JOIN')).toHaveLength(1);
    one.clock.advance(1);
    await until(() => one.lines().includes('user: Still there?'));
    expect(sentTypes(one).filter((type) => type === 'REQUEST_AGENT_JOIN')).toHaveLength(2);
  });

  it('stops recovery after three attempts, and fails the waiting messages', async () => {
    const one = harness({ joins: false });
    await one.chat.start();
    await until(() => isOpen(one) && sentTypes(one).length === 1);
    const joins = (): number => sentTypes(one).filter((type) => type === 'REQUEST_AGENT_JOIN').length;
    for (const [delayMs, count] of [
      [2_000, 2],
      [4_000, 3],
      [8_000, 4],
    ] as const) {
      one.platform.session.refuse(
        "Sorry, I'm unable to start a conversation right now. Please try again later.",
      );
      await settle();
      one.clock.advance(delayMs);
      await until(() => joins() === count);
    }
    one.platform.session.refuse(
      "Sorry, I'm unable to start a conversation right now. Please try again later.",
    );
    await settle();
    for (let second = 0; second < 60; second += 4) {
      one.clock.advance(4_000);
      await settle();
    }
    expect(joins()).toBe(4);
    expect(one.lines()).toEqual(['* platform_message']);
  });
});

describe('a session that comes too late', () => {
  it('does not reopen a chat that the visitor ended while its session was created', async () => {
    const one = await greeted();
    one.chat.send('x');
    await until(() => one.lines().at(-1) === 'user: x');
    const { release, asked } = holdAnswers(one);
    for (const peer of one.platform.session.peers) peer.close(4001);
    await until(() => asked.length === 1);
    const lines = one.lines();
    await one.chat.endChat();
    release();
    await settle();
    expect(one.chat.session.value).toEqual({ status: 'ended', by: 'user' });
    expect(one.chat.connection.value).toEqual({ status: 'closed' });
    expect(one.lines()).toEqual(lines);
    expect(one.storage.values.size).toBe(0);
  });

  it('opens nothing for a client that was destroyed while starting another chat', async () => {
    const one = await greeted();
    const renewed = one.chat.newChat();
    one.chat.destroy();
    await renewed;
    await settle();
    expect(one.platform.sessions).toHaveLength(1);
    expect(one.clock.pending).toBe(0);
  });
});
