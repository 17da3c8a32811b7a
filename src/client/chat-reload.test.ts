import { afterEach, describe, expect, it } from 'vitest';
import {
  createHarness,
  FakeStorage,
  holdAnswers,
  isOpen,
  settle,
  trackHarnesses,
  until,
} from '../../test/chat-harness.ts';

const { harness, greeted, keep, reload } = trackHarnesses(afterEach);

describe('a reload', () => {
  it('starts once, however often start is called', async () => {
    const one = await greeted({ echoes: false });
    one.chat.send('Unconfirmed');
    await until(() => one.storage.values.size === 1);
    const next = reload(one);
    void next.chat.start();
    await next.chat.start();
    await until(() => isOpen(next));
    await next.chat.start();
    expect(next.lines().filter((line) => line.includes('Unconfirmed'))).toHaveLength(1);
    expect(next.platform.handshakes).toHaveLength(2);
  });

  it('shows a history of many frames once, when it is complete', async () => {
    const one = await greeted();
    one.chat.send('hi');
    await until(() => one.lines().at(-1) === 'user: hi');
    const { session } = one.platform;
    for (let number = 1; number <= 1_000; number += 1)
      session.record('EVENT_TYPE_AGENT_MESSAGE', { message_id: `old-${number}`, text: `${number}` });
    const next = reload(one);
    const counts: number[] = [];
    next.chat.subscribe(({ messages }) => counts.push(messages.length));
    await next.chat.start();
    await until(() => next.lines().at(-1) === 'agent: 1000');
    expect(next.lines()).toHaveLength(1_003);
    expect([...new Set(counts)]).toEqual([0, 1_003]);
  });

  it('stores the conversation that follows an ended one from its first message on', async () => {
    const one = await greeted();
    one.chat.send('hi');
    await until(() => one.lines().at(-1) === 'user: hi' && one.storage.values.size === 1);
    const next = reload(one);
    await next.chat.start();
    await until(() => isOpen(next));
    await next.chat.newChat();
    await until(() => next.platform.sessions.length === 2 && next.lines().at(-1) === 'agent: Hello');
    next.clock.advance(20_000);
    await settle();
    expect(next.storage.values.size).toBe(0);
    next.chat.send('Anew');
    await until(() => next.storage.values.size === 1);
  });

  it('keeps messages that an ended chat rejected, and starts no conversation automatically', async () => {
    const one = await greeted({ echoes: false });
    one.chat.send('Not taken');
    await one.chat.endChat();
    await until(() => one.chat.session.value.status === 'ended');
    await until(() => one.storage.values.size === 1);
    expect(JSON.stringify([...one.storage.values.values()])).not.toContain(one.platform.session.id);
    const next = reload(one);
    expect(await next.chat.hasStoredConversation()).toBe(false);
    await next.chat.start();
    await until(() => isOpen(next));
    await settle();
    expect(next.lines().filter((line) => line.includes('Not taken'))).toHaveLength(1);
    expect(next.chat.messages.value.at(-1)?.value).toMatchObject({
      text: 'Not taken',
      delivery: { status: 'failed', isRetryable: true },
    });
    expect(next.platform.sessions).toHaveLength(2);
    await next.chat.logout();
    await until(() => next.storage.values.size === 0);
  });

  it('counts messages missed during a lost connection as unread, but none of the past', async () => {
    const one = await greeted();
    one.chat.send('hi');
    await until(() => one.lines().at(-1) === 'user: hi' && one.storage.values.size === 1);
    const next = reload(one);
    await next.chat.start();
    await until(() => next.lines().at(-1) === 'user: hi');
    expect(next.chat.unread.value).toBe(0);
    next.platform.session.drop();
    await until(() => next.chat.connection.value.status === 'reconnecting');
    next.platform.session.say('While you were away');
    next.clock.advance(1_000);
    await until(() => next.lines().at(-1) === 'agent: While you were away');
    expect(next.chat.unread.value).toBe(1);
  });

  it('resumes the conversation after a reload and reads it completely from the log', async () => {
    const one = await greeted({ onUserMessage: (session) => session.say('Noted') });
    one.chat.send('Remember me');
    await until(() => one.lines().at(-1) === 'agent: Noted' && one.storage.values.size === 1);
    await settle();
    const next = reload(one);
    expect(await next.chat.hasStoredConversation()).toBe(true);
    await next.chat.start();
    expect(next.chat.session.value).toEqual({ status: 'restored' });
    await until(() => next.lines().length === 4);
    expect(next.lines()).toEqual(['* agent_joined', 'agent: Hello', 'user: Remember me', 'agent: Noted']);
    expect(one.platform.sessions).toHaveLength(1);
    expect(one.platform.handshakes.at(-1)?.cursor).toBeNull();
    expect(next.chat.unread.value).toBe(0);
    one.platform.session.say('New');
    await until(() => next.chat.unread.value === 1);
  });

  it('offers the suggestions again after a reload, once', async () => {
    const one = await greeted();
    one.platform.session.say('Which?', {
      response_suggestions: [{ message_text: 'A' }, { message_text: 'B' }],
    });
    await until(() => one.chat.suggestions.value.length === 2);
    one.chat.send('Neither');
    await until(() => one.lines().at(-1) === 'user: Neither');
    one.platform.session.say('Then?', { response_suggestions: [{ message_text: 'C' }] });
    await until(() => one.lines().at(-1) === 'agent: Then?' && one.storage.values.size === 1);
    await settle();
    const next = reload(one);
    await next.chat.start();
    await until(() => next.lines().length === one.lines().length);
    expect(next.lines()).toEqual(one.lines());
    expect(next.chat.suggestions.value.map(({ text }) => text)).toEqual(['C']);
  });

  it('sends texts whose page was unloaded before they were stored, even the first ones', async () => {
    const one = harness();
    one.storage.set = () => new Promise(() => {});
    await one.chat.start();
    one.chat.send('In a hurry');
    await settle();
    const next = keep(createHarness({}, {}, { ...one, storage: new FakeStorage() }));
    await next.chat.start();
    await until(() => next.lines().at(-1) === 'user: In a hurry');
    expect(next.platform.session.userTexts).toEqual(['In a hurry']);
    await until(() => next.tabStorage.values.size === 0);
  });

  it('sends undelivered messages once after a reload', async () => {
    const one = await greeted();
    one.chat.send('First');
    await until(() => one.lines().at(-1) === 'user: First');
    one.device.setOnline(false);
    one.chat.send('Written offline');
    await until(() => JSON.stringify([...one.storage.values]).includes('Written offline'));
    const next = reload(one);
    await next.chat.start();
    await until(() => next.lines().at(-1) === 'user: Written offline');
    expect(one.platform.session.userTexts).toEqual(['First', 'Written offline']);
  });

  it('starts a new chat when the ticket is refused, and shows undelivered texts as not sent', async () => {
    const one = await greeted();
    one.device.setOnline(false);
    one.chat.send('Undelivered');
    await until(() => one.storage.values.size === 1);
    one.platform.faults.push({ status: 410, code: 'RESUME_TICKET_INVALID' });
    const next = reload(one);
    await next.chat.start();
    await until(() => next.lines().includes('agent: Hello'));
    expect(next.lines().at(-1)).toBe('user: Undelivered (failed)');
    expect(one.platform.sessions).toHaveLength(2);
    expect(one.platform.session.userTexts).toEqual([]);
    const entry = next.chat.messages.value.at(-1)?.value;
    if (entry?.kind !== 'user' || entry.localId === null) throw new Error('The draft is missing.');
    next.chat.retry(entry.localId);
    await until(() => next.lines().at(-1) === 'user: Undelivered');
  });

  it('does not resume a conversation after ten minutes', async () => {
    const one = await greeted();
    one.chat.send('x');
    await until(() => one.storage.values.size === 1);
    one.chat.destroy();
    one.clock.advance(600_000);
    const next = reload(one);
    expect(await next.chat.hasStoredConversation()).toBe(false);
    await next.chat.start();
    await until(() => isOpen(next));
    expect(one.platform.sessions).toHaveLength(2);
  });

  it('keeps the conversation while the proxy fails temporarily', async () => {
    const one = await greeted();
    one.chat.send('x');
    await until(() => one.lines().at(-1) === 'user: x' && one.storage.values.size === 1);
    one.platform.faults.push('unreachable', { status: 503 }, { status: 500, text: '<html>' });
    const next = reload(one);
    await next.chat.start();
    for (const [delayMs, calls] of [
      [1_000, 3],
      [2_000, 4],
      [4_000, 5],
    ] as const) {
      await until(() => one.platform.calls.length === calls - 1);
      await settle();
      next.clock.advance(delayMs);
    }
    await until(() => next.lines().at(-1) === 'user: x');
    expect(one.platform.sessions).toHaveLength(1);
  });
});

describe('privacy', () => {
  it('stores nothing before the visitor has sent something', async () => {
    const one = await greeted();
    one.platform.session.say('Anybody there?');
    one.chat.notifyTyping();
    one.chat.markRead();
    await settle();
    expect(one.storage.writes).toBe(0);
    one.chat.send('Yes');
    await until(() => one.storage.writes > 0);
  });

  it('keeps the token out of storage, traces, snapshots and errors', async () => {
    const traces: string[] = [];
    const one = await greeted({}, { onFrame: ({ text }) => traces.push(text) });
    const snapshots: string[] = [];
    one.chat.subscribe((snapshot) => snapshots.push(JSON.stringify(snapshot)));
    one.chat.send('x');
    await until(() => one.storage.values.size === 1 && one.lines().at(-1) === 'user: x');
    one.platform.session.drop();
    await until(() => one.chat.connection.value.status === 'reconnecting');
    one.clock.advance(1_000);
    await until(() => isOpen(one));
    const { token } = one.platform.session;
    const seen = JSON.stringify([...one.storage.values, traces, snapshots]);
    expect(traces.length).toBeGreaterThan(5);
    expect(snapshots.length).toBeGreaterThan(0);
    expect(seen).not.toContain(token);
    expect(seen).not.toContain('access_token');
    expect(Object.keys([...one.storage.values.values()][0] ?? {}).toSorted()).toEqual([
      'drafts',
      'lastActivityMs',
      'owner',
      'resumeTicket',
      'sessionId',
    ]);
  });

  it('works with storage that always throws', async () => {
    const deny = (): Promise<never> => Promise.reject(new DOMException('denied', 'SecurityError'));
    const base = harness();
    const ports = { ...base.ports, storage: { get: deny, set: deny, delete: deny } };
    const one = harness({}, { ports }, { platform: base.platform, clock: base.clock });
    await one.chat.start();
    await until(() => isOpen(one));
    one.chat.send('Hello?');
    await until(() => one.lines().at(-1) === 'user: Hello?');
    await one.chat.endChat();
  });
});

describe('the poly vocabulary', () => {
  it('uses the poly vocabulary on the wire and never sends a message twice', async () => {
    const traces: string[] = [];
    const one = await greeted(
      { vocabulary: 'poly', isIdempotent: false },
      { vocabulary: 'poly', onFrame: ({ direction, text }) => direction === 'out' && traces.push(text) },
    );
    expect(traces[0]).toContain('EVENT_TYPE_REQUEST_POLY_AGENT_JOIN');
    one.platform.options = { ...one.platform.options, echoes: 'heartbeats' };
    one.chat.send('Once');
    await until(() => one.platform.session.userTexts.length === 1);
    one.clock.advance(5_000);
    await settle();
    one.clock.advance(5_000);
    expect(one.lines().at(-1)).toBe('user: Once (failed)');
    one.clock.advance(5_000);
    await settle();
    expect(one.platform.session.userTexts).toEqual(['Once']);
  });
});

describe('set-up that fails', () => {
  it.each([
    [{ status: 502, code: 'CONNECTOR_REJECTED' }, 'connector_rejected'],
    [{ status: 403, code: 'ORIGIN_NOT_ALLOWED' }, 'origin_not_allowed'],
    [{ status: 404, code: 'NOT_FOUND' }, 'service_unavailable'],
  ] as const)('treats the setup error %o as final', async (fault, reason) => {
    const one = harness();
    one.platform.faults.push(fault);
    await one.chat.start();
    await until(() => one.chat.connection.value.status === 'failed');
    expect(one.chat.connection.value).toEqual({ status: 'failed', reason });
    one.clock.advance(120_000);
    await settle();
    expect(one.platform.calls).toHaveLength(1);
  });

  it.each([
    { session_id: '' },
    { access_token: '' },
    { session_id: 7 },
    { expires_in_seconds: '86400' },
    { resume_by: undefined },
    { websocket_url: 'ws://platform.test/ws' },
  ])('rejects a session response with %o', async (wrong) => {
    const one = harness();
    const grant = {
      session_id: 's',
      access_token: 't',
      expires_in_seconds: 86_400,
      websocket_url: 'wss://platform.test/ws',
      resume_by: 'ticket',
      resume_ticket: 'r',
    };
    one.platform.faults.push({ status: 200, text: JSON.stringify({ ...grant, ...wrong }) });
    await one.chat.start();
    await until(() => one.chat.connection.value.status === 'failed');
    expect(one.chat.connection.value).toEqual({ status: 'failed', reason: 'service_unavailable' });
    expect(one.platform.handshakes).toEqual([]);
  });

  it('tries the setup four times after temporary faults, with the delay requested by the proxy', async () => {
    const one = harness();
    one.platform.faults.push(
      { status: 429, code: 'RATE_LIMITED', retryAfter: '7' },
      'unreachable',
      { status: 503 },
      { status: 503 },
    );
    await one.chat.start();
    for (const [delayMs, calls] of [
      [7_000, 1],
      [2_000, 2],
      [4_000, 3],
    ] as const) {
      await until(() => one.platform.calls.length === calls);
      await settle();
      one.clock.advance(delayMs - 1);
      await settle();
      expect(one.platform.calls).toHaveLength(calls);
      one.clock.advance(1);
    }
    await until(() => one.chat.connection.value.status === 'failed');
    expect(one.chat.connection.value).toEqual({ status: 'failed', reason: 'service_unavailable' });
    one.chat.reconnect();
    await until(() => isOpen(one));
  });

  it('takes the retry delay from the body if the header is hidden', async () => {
    const one = harness();
    one.platform.faults.push({ status: 429, text: '{"code":"RATE_LIMITED","retry_after_seconds":9}' });
    await one.chat.start();
    await until(() => one.platform.calls.length === 1);
    await settle();
    one.clock.advance(8_999);
    await settle();
    expect(one.platform.calls).toHaveLength(1);
    one.clock.advance(1);
    await until(() => isOpen(one));
  });

  it('shares one setup request between concurrent callers', async () => {
    const one = harness();
    const { asked, release } = holdAnswers(one);
    void one.chat.start();
    await until(() => asked.length === 1);
    one.chat.reconnect();
    one.device.say('online');
    one.device.say('visible');
    one.chat.reconnect();
    await settle();
    release();
    await until(() => isOpen(one));
    expect(asked).toEqual(['/v1/session']);
    expect([one.platform.sessions.length, one.platform.handshakes.length]).toEqual([1, 1]);
  });

  it('waits for the network when it starts offline', async () => {
    const one = harness();
    one.device.setOnline(false);
    await one.chat.start();
    expect(one.chat.connection.value).toMatchObject({ status: 'connecting' });
    expect(one.platform.calls).toEqual([]);
    one.device.setOnline(true);
    await until(() => isOpen(one));
  });

  it('refuses unencrypted addresses, except on this machine if allowed', () => {
    expect(() => harness({}, { endpoint: 'http://chat.test' })).toThrow(TypeError);
    expect(() => harness({}, { endpoint: 'http://chat.test', allowInsecure: true })).toThrow(TypeError);
    expect(() => harness({}, { endpoint: 'http://localhost:8080' })).toThrow(TypeError);
    expect(() => harness({}, { endpoint: 'http://localhost:8080', allowInsecure: true })).not.toThrow();
    // Untyped scripts may pass this.
    const missing = undefined as unknown as string;
    expect(() => harness({}, { endpoint: missing })).toThrow('`endpoint` must be an https address');
  });

  it('does not open an unencrypted socket that the proxy returns', async () => {
    const one = harness({ websocketUrl: 'ws://elsewhere.test/ws' });
    await one.chat.start();
    await until(() => one.chat.connection.value.status === 'failed');
    expect(one.platform.handshakes).toEqual([]);
  });
});
