import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../test/db/engines.ts';
import { createDoor } from '../../test/realtime/scripted-agent.ts';
import { isEndOfMessage, startTestPlatform } from '../../test/realtime/test-platform.ts';
import { loadSessionStatus } from './ownership/index.ts';

describe('a reader that is too slow', () => {
  it('closes the socket of a slow reader with 1013, and sends it the rest by its cursor', async () => {
    const platform = await startTestPlatform(EMBEDDED_ENGINE, { limits: { maxBufferedBytes: 65_536 } });
    try {
      const { socket, ...session } = await platform.converse({ streaming_enabled: false });
      const slow = await platform.connect(session);
      await slow.next(isEndOfMessage);
      slow.ws.pause();
      const long = 'x'.repeat(100_000);
      platform.agent.script = async function* () {};
      // The two kernels between the ends hold some megabytes. A peer that does not answer the close within ten seconds is
      // disconnected, so it reads on at once.
      let end = 4;
      const say = async (): Promise<void> => {
        socket.send('USER_MESSAGE', { text: long });
        await socket.next('USER_MESSAGE');
        end += 1;
      };
      while (platform.countSlowReaders() === 0) await say();
      for (let missed = 0; missed < 5; missed++) await say();
      slow.ws.resume();
      expect((await slow.closed).code).toBe(1013);
      const last = slow.events.findLast(({ sequence }) => sequence !== null)?.sequence ?? 0;
      expect(last).toBeLessThan(end);
      const back = await platform.connect(session, String(last));
      await back.next(({ sequence }) => sequence === end);
      const seen = [...slow.events, ...back.events.slice(1)]
        .map(({ sequence }) => sequence)
        .filter((s) => s !== null);
      expect(seen).toEqual(Array.from({ length: end }, (_, index) => index + 1));
      await Promise.all([socket.close(), back.close()]);
    } finally {
      await platform.stop();
    }
  });
});

describe('a shutdown', () => {
  it('refuses handshakes on shutdown, lets the answer finish, closes with 1001 and releases its leases', async () => {
    const platform = await startTestPlatform(EMBEDDED_ENGINE);
    const { socket, ...session } = await platform.converse();
    const door = createDoor();
    platform.agent.script = async function* () {
      yield { type: 'text', text: 'I was ' };
      await door.opened;
      yield { type: 'text', text: 'saying this.' };
    };
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next('AGENT_MESSAGE_CHUNK');
    const closing = platform.messaging.close();
    const url = platform.socketUrl(session);
    const refused = await platform.handshake(url.slice(url.indexOf('/ws?')));
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await fetch(`${platform.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${platform.url}/healthz`)).status).toBe(200);
    // A message that arrives now is stored; the next owner answers it.
    socket.send('USER_MESSAGE', { text: 'one more' });
    await socket.next((frame) => frame.payload['text'] === 'one more');
    door.open();
    expect((await socket.next(isEndOfMessage)).payload['text']).toBe('saying this.');
    expect((await socket.closed).code).toBe(1001);
    await closing;
    const [sight] = await loadSessionStatus(platform.database, [session.sessionId]);
    expect(sight?.owner).toBeNull();
    const waiting = await platform.database.query('SELECT id FROM turns');
    expect(waiting).toHaveLength(1);
    await platform.stop();
  });

  it('closes keep-alive connections on shutdown, so that new requests reach other nodes', async () => {
    const platform = await startTestPlatform(EMBEDDED_ENGINE);
    const { socket } = await platform.converse();
    const door = createDoor();
    platform.agent.script = async function* () {
      await door.opened;
      yield { type: 'text', text: 'Now.' };
    };
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next('USER_MESSAGE');
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (): Promise<{ connection: Socket; response: IncomingMessage }> => {
      const request = get(`${platform.url}/readyz`, { agent });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const { socket: connection } = response;
      response.resume();
      await once(response, 'end');
      return { connection, response };
    };
    const first = await ask();
    expect(first.response.headers.connection).toBe('keep-alive');
    const closing = platform.messaging.close();
    await once(first.connection, 'close');
    const { response: last } = await ask();
    expect(last.statusCode).toBe(503);
    expect(last.headers.connection).toBe('close');
    door.open();
    await closing;
    agent.destroy();
    await platform.stop();
  });

  it('echoes a message that is being stored before the shutdown closes its socket', async () => {
    const asked = createDoor();
    const door = createDoor();
    let isHolding = false;
    const platform = await startTestPlatform(EMBEDDED_ENGINE, {
      wrapLog: (log) => ({
        ...log,
        get queuedRows() {
          return log.queuedRows;
        },
        async append(request) {
          if (isHolding) {
            asked.open();
            await door.opened;
          }
          return await log.append(request);
        },
      }),
    });
    const { socket, ...session } = await platform.converse();
    isHolding = true;
    socket.send('USER_MESSAGE', { text: 'on its way' });
    await asked.opened;
    const closing = platform.messaging.close();
    const url = platform.socketUrl(session);
    for (let n = 0; n < 10; n += 1)
      expect((await platform.handshake(url.slice(url.indexOf('/ws?')))).status).toBe(503);
    door.open();
    await socket.next('USER_MESSAGE');
    expect((await socket.closed).code).toBe(1001);
    await closing;
    await platform.stop();
  });

  it('refuses a handshake whose check was running when the shutdown began', async () => {
    const asked = createDoor();
    const door = createDoor();
    let isPaused = false;
    const platform = await startTestPlatform(EMBEDDED_ENGINE, {
      wrapTokens: (tokens) => ({
        ...tokens,
        async verify(token) {
          if (isPaused) {
            asked.open();
            await door.opened;
          }
          return await tokens.verify(token);
        },
      }),
    });
    const url = platform.socketUrl(await platform.startSession());
    isPaused = true;
    const refused = platform.handshake(url.slice(url.indexOf('/ws?')));
    await asked.opened;
    const stopped = platform.stop();
    door.open();
    expect((await refused).status).toBe(503);
    await stopped;
  });

  it('completes a shutdown only after all pending writes', async () => {
    const asked = createDoor();
    const door = createDoor();
    let isHolding = false;
    const platform = await startTestPlatform(EMBEDDED_ENGINE, {
      limits: { shutdownGraceMs: 10 },
      wrapLog: (log) => ({
        ...log,
        get queuedRows() {
          return log.queuedRows;
        },
        async append(request) {
          if (isHolding) {
            asked.open();
            await door.opened;
          }
          return await log.append(request);
        },
      }),
    });
    const { socket, sessionId } = await platform.converse();
    isHolding = true;
    socket.send('USER_MESSAGE', { text: 'on its way' });
    await asked.opened;
    let isClosed = false;
    const closing = platform.messaging.close().then(() => {
      isClosed = true;
    });
    await socket.closed;
    // Within the second that one shutdown step may take.
    for (let look = 0; look < 3; look += 1)
      expect(await platform.database.query('SELECT node FROM node_leases')).toHaveLength(1);
    expect(isClosed).toBe(false);
    door.open();
    await closing;
    const log = await platform.log.readAfter(sessionId, 0, 100);
    expect(log.map(({ payload }) => payload['text'])).toContain('on its way');
    await platform.stop();
  });

  it("waits for a hanging agent no longer than the shutdown's grace", async () => {
    const platform = await startTestPlatform(EMBEDDED_ENGINE, { limits: { shutdownGraceMs: 50 } });
    const { socket } = await platform.converse();
    platform.agent.script = async function* () {
      await new Promise(() => {});
    };
    socket.send('USER_MESSAGE', { text: 'hi' });
    await socket.next('AGENT_THINKING');
    await platform.stop();
    expect((await socket.closed).code).toBe(1001);
  });
});

describe('more handshakes than can be checked', () => {
  it('queues handshakes above the limit, and refuses those that wait too long with 503', async () => {
    const door = createDoor();
    let isPaused = false;
    let checked = 0;
    const platform = await startTestPlatform(EMBEDDED_ENGINE, {
      limits: { handshakesAtOnce: 2, maxWaitingHandshakes: 3 },
      wrapTokens: (tokens) => ({
        ...tokens,
        async verify(token) {
          checked += 1;
          if (isPaused) await door.opened;
          return await tokens.verify(token);
        },
      }),
    });
    try {
      const session = await platform.startSession();
      isPaused = true;
      checked = 0;
      const refusals: string[] = [];
      const handshakes = Array.from({ length: 8 }, () =>
        platform.connect(session).catch((error: unknown) => {
          refusals.push(String(error));
          return null;
        }),
      );
      await expect.poll(() => refusals.length).toBe(3);
      expect(refusals.every((text) => text.includes('503'))).toBe(true);
      expect(checked).toBe(2);
      const url = platform.socketUrl(session);
      const refused = await platform.handshake(url.slice(url.indexOf('/ws?')));
      expect(refused.body['error_code']).toBe('SERVICE_UNAVAILABLE');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      door.open();
      const sockets = (await Promise.all(handshakes)).filter((socket) => socket !== null);
      expect(sockets).toHaveLength(5);
      for (const socket of sockets) await socket.next('SESSION_START');
      await Promise.all(sockets.map((socket) => socket.close()));
    } finally {
      await platform.stop();
    }
  });
});

describe('an agent', () => {
  it('gives up an agent that does not start, and continues the conversation', async () => {
    const platform = await startTestPlatform(EMBEDDED_ENGINE, { limits: { pingIntervalMs: 86_400_000 } });
    try {
      const { socket } = await platform.converse();
      const script = platform.agent.script;
      platform.agent.script = async function* () {
        await new Promise(() => {});
      };
      socket.send('USER_MESSAGE', { text: 'hi' });
      await socket.next('AGENT_THINKING');
      platform.agent.script = script;
      platform.clock.skip(30_000);
      const message = await socket.next('SYSTEM_MESSAGE');
      expect(message.payload['message']).toBe(
        "Sorry, I'm having trouble responding right now. Please try again.",
      );
      expect(platform.agent.turns.at(-1)?.signal.aborted).toBe(true);
      socket.send('USER_MESSAGE', { text: 'and now?' });
      expect((await socket.next(isEndOfMessage)).payload['text']).toBe('You said: and now?');
    } finally {
      await platform.stop();
    }
  });

  it('ends the stream of an agent that stalls with the error text', async () => {
    const platform = await startTestPlatform(EMBEDDED_ENGINE, { limits: { pingIntervalMs: 86_400_000 } });
    try {
      const { socket } = await platform.converse();
      platform.agent.script = async function* () {
        yield { type: 'text', text: 'well' };
        await new Promise(() => {});
      };
      socket.send('USER_MESSAGE', { text: 'hi' });
      await socket.next('AGENT_MESSAGE_CHUNK');
      platform.clock.skip(30_000);
      const message = await socket.next('SYSTEM_MESSAGE');
      expect(message.payload['message']).toBe('Sorry, I encountered an error. Please try again.');
    } finally {
      await platform.stop();
    }
  });
});
