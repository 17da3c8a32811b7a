import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { echoScript } from '../../../test/realtime/scripted-agent.ts';
import {
  isEndOfMessage,
  startTestPlatform,
  type TestPlatform,
} from '../../../test/realtime/test-platform.ts';
import { typesOf } from '../../../test/realtime/test-socket.ts';

const MINUTE_MS = 60_000;

describe('liveness', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    // These tests advance the clock by minutes; protocol pings have a separate test.
    platform = await startTestPlatform(EMBEDDED_ENGINE, { limits: { pingIntervalMs: 86_400_000 } });
  });
  afterAll(() => platform.stop());

  it('expires a session after 600 s without a client event, and notifies its sockets', async () => {
    const { socket, ...session } = await platform.converse();
    platform.clock.skip(9 * MINUTE_MS);
    socket.send('HEARTBEAT');
    await socket.next('HEARTBEAT');
    platform.clock.skip(9 * MINUTE_MS);
    expect(typesOf(socket.events)).not.toContain('SESSION_END');
    platform.clock.skip(MINUTE_MS);
    expect((await socket.next('SESSION_END')).payload).toEqual({ reason: 'REASON_USER_ABANDONED' });
    expect((await socket.closed).code).toBe(1000);
    const url = platform.socketUrl(session);
    expect((await platform.handshake(url.slice(url.indexOf('/ws?')))).status).toBe(404);
  });

  it('warns once per silence, a minute before the expiry, if the connector enables it', async () => {
    Object.assign(platform.connector, { hasIdleWarning: true });
    const { socket } = await platform.converse();
    for (let silence = 0; silence < 2; silence++) {
      platform.clock.skip(9 * MINUTE_MS);
      const warning = await socket.next('SESSION_IDLE_WARNING');
      expect(warning).toMatchObject({ sequence: null, payload: { seconds_remaining: 60 } });
      socket.send('HEARTBEAT');
      await socket.next('HEARTBEAT');
    }
    platform.clock.skip(10 * MINUTE_MS);
    await socket.next('SESSION_END');
    Object.assign(platform.connector, { hasIdleWarning: false });
    const { socket: unwarned } = await platform.converse();
    platform.clock.skip(10 * MINUTE_MS);
    await unwarned.next('SESSION_END');
    expect(typesOf(unwarned.events)).not.toContain('SESSION_IDLE_WARNING');
  });

  it('refuses a handshake for an expired session although no node was running to expire it', async () => {
    const session = await platform.startSession();
    platform.clock.skip(10 * MINUTE_MS);
    const url = platform.socketUrl(session);
    expect((await platform.handshake(url.slice(url.indexOf('/ws?')))).status).toBe(404);
    await expect
      .poll(async () =>
        (await platform.log.readAfter(session.sessionId, 1, 10)).map(({ payload }) => payload),
      )
      .toEqual([{ reason: 'REASON_USER_ABANDONED' }]);
  });

  it('counts a rate-limited frame as activity, but not an invalid one', async () => {
    const { socket } = await platform.converse();
    platform.clock.skip(5 * MINUTE_MS);
    socket.send('NO_SUCH_TYPE');
    await socket.next('SYSTEM_MESSAGE');
    platform.clock.skip(5 * MINUTE_MS);
    await socket.next('SESSION_END');

    const strict = await startTestPlatform(EMBEDDED_ENGINE, {
      limits: { heartbeatsPerSecond: 1, pingIntervalMs: 86_400_000 },
    });
    try {
      const { socket: beating } = await strict.converse();
      beating.send('HEARTBEAT');
      await beating.next('HEARTBEAT');
      strict.clock.skip(9 * MINUTE_MS);
      beating.send('HEARTBEAT');
      beating.send('HEARTBEAT');
      await beating.next('HEARTBEAT');
      strict.clock.skip(9 * MINUTE_MS);
      beating.send('HEARTBEAT');
      await beating.next('HEARTBEAT');
      expect(typesOf(beating.events)).not.toContain('SESSION_END');
    } finally {
      await strict.stop();
    }
  });

  it('closes a silent socket with 1001 while another one keeps the session alive', async () => {
    const { socket, ...session } = await platform.converse();
    const silent = await platform.connect(session);
    await silent.next('SESSION_START');
    for (let minutes = 0; minutes < 12; minutes += 3) {
      platform.clock.skip(3 * MINUTE_MS);
      socket.send('HEARTBEAT');
      await socket.next('HEARTBEAT');
    }
    expect((await silent.closed).code).toBe(1001);
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next(isEndOfMessage);
    await socket.close();
  });

  it('replays an ended session for 600 s and closes with 1000; then it is unknown', async () => {
    const { socket, ...session } = await platform.converse();
    socket.send('USER_END_SESSION');
    await socket.closed;
    platform.clock.skip(9 * MINUTE_MS);
    for (const cursor of [undefined, '2', '6', '99']) {
      const late = await platform.connect(session, cursor);
      expect((await late.closed).code).toBe(1000);
      expect(typesOf(late.frames)).toEqual(['EVENT_BATCH']);
      expect(typesOf(late.events)[0]).toBe('SESSION_START');
      if (cursor !== '99')
        expect(typesOf(late.events).at(-1)).toBe(cursor === '6' ? 'SESSION_START' : 'SESSION_END');
    }
    platform.clock.skip(MINUTE_MS + 1000);
    const url = platform.socketUrl(session);
    expect((await platform.handshake(url.slice(url.indexOf('/ws?')))).status).toBe(404);
  });

  it('keeps a socket open after its token expires, but refuses the next handshake with that token', async () => {
    const { socket, ...session } = await platform.converse();
    for (let hours = 0; hours < 25; hours += 0.1) {
      platform.clock.skip(6 * MINUTE_MS);
      socket.send('HEARTBEAT');
      await socket.next('HEARTBEAT');
    }
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next(isEndOfMessage);
    const url = platform.socketUrl(session);
    const answer = await platform.handshake(url.slice(url.indexOf('/ws?')));
    expect([answer.status, answer.body['message']]).toEqual([401, 'authentication failed']);
    await socket.close();
  });
});

describe('a peer that is gone', () => {
  it('drops a peer after two unanswered pings', async () => {
    const platform = await startTestPlatform(EMBEDDED_ENGINE);
    try {
      const session = await platform.startSession();
      const socket = await platform.connect(session, undefined, { autoPong: false });
      await socket.next('SESSION_START');
      platform.clock.skip(30_000);
      platform.clock.skip(30_000);
      expect(socket.ws.readyState).toBe(socket.ws.OPEN);
      platform.clock.skip(30_000);
      expect((await socket.closed).code).toBe(1006);
    } finally {
      await platform.stop();
    }
  });
});

describe('rate limits on the socket', () => {
  it('drops frames above the bucket, warns once in 10 s, and refills the bucket', async () => {
    const platform = await startTestPlatform(EMBEDDED_ENGINE, {
      limits: { frameBurst: 20, framesPerSecond: 5 },
    });
    try {
      const { socket } = await platform.converse({ streaming_enabled: false });
      platform.agent.script = async function* () {};
      // The join used one of the 20 allowances.
      for (let n = 0; n < 30; n++) socket.send('USER_MESSAGE', { text: `m${n}` }, { local_id: `m${n}` });
      const warning = await socket.next('SYSTEM_MESSAGE');
      expect(warning).toMatchObject({
        sequence: null,
        payload: { level: 'SYSTEM_MESSAGE_LEVEL_WARNING', message: 'Rate limit exceeded. Message dropped.' },
        // The metadata of a dropped message.
        metadata: { custom: { local_id: expect.stringMatching(/^m\d+$/) } },
      });
      await expect
        .poll(() => socket.events.filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE').length)
        .toBeGreaterThanOrEqual(19);
      socket.send('HEARTBEAT');
      await socket.next('HEARTBEAT');
      const warnings = () => socket.events.filter(({ type }) => type === 'EVENT_TYPE_SYSTEM_MESSAGE');
      const accepted = socket.events.filter(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE');
      expect(warnings()).toHaveLength(1);
      // The first ones, and one more where the machine takes a fifth of a second to send thirty frames.
      expect(accepted.length).toBeLessThan(25);
      expect(accepted.slice(0, 19).map(({ payload }) => payload['text'])).toEqual(
        Array.from({ length: 19 }, (_, index) => `m${index}`),
      );
      expect(platform.frames.get('rate_limited')).toBeGreaterThan(5);
      platform.clock.skip(10_000);
      for (let n = 0; n < 30; n++) socket.send('USER_MESSAGE', { text: 'again' });
      socket.send('HEARTBEAT');
      await socket.next('HEARTBEAT');
      expect(warnings()).toHaveLength(2);
      platform.clock.skip(10_000);
      platform.agent.script = echoScript;
      socket.send('USER_MESSAGE', { text: 'later' });
      await socket.next((frame) => frame.payload['text'] === 'You said: later');
    } finally {
      await platform.stop();
    }
  });

  it('silently drops heartbeats above one per second', async () => {
    const platform = await startTestPlatform(EMBEDDED_ENGINE);
    try {
      const { socket } = await platform.converse();
      for (let n = 0; n < 5; n++) socket.send('HEARTBEAT', {}, { n: String(n) });
      socket.send('NO_SUCH_TYPE');
      await socket.next('SYSTEM_MESSAGE');
      const beats = socket.events.filter(({ type }) => type === 'EVENT_TYPE_HEARTBEAT');
      expect(beats.map(({ metadata }) => metadata?.custom['n'])).toEqual(['0']);
    } finally {
      await platform.stop();
    }
  });
});
