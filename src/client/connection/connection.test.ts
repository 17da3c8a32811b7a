import { afterEach, describe, expect, it } from 'vitest';
import { FakeDevice, settle, until } from '../../../test/chat-harness.ts';
import { FakeClock } from '../../../test/fake-clock.ts';
import type { FakePlatformOptions } from '../../../test/fake-platform.ts';
import { type FakePlatformServer, startFakePlatform } from '../../../test/fake-platform-server.ts';
import type { ConnectionStatus } from '../chat-state.ts';
import { Connection, type ConnectionOptions } from './connection.ts';

interface Rig {
  readonly driver: Connection;
  readonly server: FakePlatformServer;
  readonly clock: FakeClock;
  readonly device: FakeDevice;
  readonly texts: string[];
  readonly statuses: ConnectionStatus['status'][];
  readonly ends: { count: number };
  /** Close codes sent by this end. */
  readonly codes: number[];
  /** Sockets opened by this end. */
  readonly sockets: WebSocket[];
  /** Resolves as soon as a socket is made. */
  readonly firstSocket: Promise<void>;
}

const rigs: Rig[] = [];
afterEach(async () => {
  for (const { driver, server } of rigs.splice(0)) {
    driver.destroy();
    await server.close();
  }
});

type RigOptions = Partial<Omit<ConnectionOptions, 'sessions'>> & {
  readonly sessions?: Partial<ConnectionOptions['sessions']>;
};

const HELLO = { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'hi' }, custom: null } as const;
const CAPABILITIES = { max_reconnect_attempts: null, heartbeat_interval_seconds: null };

/** A driver over real sockets with a stopped clock. */
async function rig({ sessions, ...more }: RigOptions = {}, options: FakePlatformOptions = {}): Promise<Rig> {
  const server = await startFakePlatform(options);
  const session = server.platform.createSession();
  const clock = new FakeClock();
  const device = new FakeDevice();
  const texts: string[] = [];
  const statuses: ConnectionStatus['status'][] = [];
  const ends = { count: 0 };
  const codes: number[] = [];
  const sockets: WebSocket[] = [];
  let noteSocket = (): void => {};
  const firstSocket = new Promise<void>((resolve) => {
    noteSocket = resolve;
  });
  class Watched extends WebSocket {
    constructor(url: string | URL) {
      super(url);
      sockets.push(this);
      noteSocket();
    }
    override close(code?: number): void {
      if (this.readyState < WebSocket.CLOSING) codes.push(code ?? 0);
      super.close(code);
    }
  }
  const address = `${server.endpoint.replace('http', 'ws')}/ws?session_id=${session.id}&access_token=${session.token}`;
  const driver = new Connection({
    ports: { clock, environment: device, nextPaint: null, random: () => 0.5, WebSocket: Watched },
    sessions: {
      obtain: async () => ({ type: 'session_ready' }),
      socketUrl: () => address,
      isTurnBased: () => false,
      openTurns: () => undefined,
      ...sessions,
    },
    capabilities: () => CAPABILITIES,
    vocabulary: () => 'neutral',
    sendHeartbeat: () => {
      driver.send({ type: 'EVENT_TYPE_HEARTBEAT', payload: {}, custom: null });
    },
    onStatus: ({ status }) => statuses.push(status),
    isLive: () => true,
    onFrames: (frames) => texts.push(...frames.map(({ text }) => text)),
    onEnded: () => {
      ends.count += 1;
    },
    onCheck: () => {},
    ...more,
  });
  const made: Rig = {
    driver,
    server,
    clock,
    device,
    texts,
    statuses,
    ends,
    codes,
    sockets,
    firstSocket,
  };
  rigs.push(made);
  return made;
}

const statusOf = ({ statuses }: Rig): string => statuses.at(-1) ?? 'idle';
const isOpen = (one: Rig): boolean => statusOf(one) === 'open';

async function opened(...parameters: Parameters<typeof rig>): Promise<Rig> {
  const one = await rig(...parameters);
  one.driver.dispatch({ type: 'connect' });
  await until(() => one.texts.length === 1);
  return one;
}

describe('the connection over real sockets', () => {
  it('keeps its session through an outage of any length, and opens the socket when the platform is back', async () => {
    const requests: string[] = [];
    let isUp = true;
    const one = await opened({
      sessions: {
        obtain: async (request) => {
          requests.push(request);
          return isUp
            ? { type: 'session_ready' }
            : {
                type: 'session_failed',
                reason: 'service_unavailable',
                isTemporary: true,
                hasCredentials: true,
              };
        },
      },
    });
    isUp = false;
    one.server.platform.session.drop();
    for (let attempt = 1; attempt <= 6; attempt++) {
      await until(
        () => requests.length === attempt && one.clock.pending > 0 && statusOf(one) === 'reconnecting',
      );
      await settle();
      one.clock.advance(30_000);
    }
    isUp = true;
    await until(() => requests.length === 7);
    await settle();
    one.clock.advance(30_000);
    await until(() => isOpen(one));
    expect(new Set(requests)).toEqual(new Set(['start']));
  });

  it('opens, receives, sends and closes in order', async () => {
    const one = await opened();
    expect(one.driver.send(HELLO)).toBe(true);
    await until(() => one.server.platform.session.userTexts.length === 1);
    one.driver.dispatch({ type: 'disconnect', isImmediate: false });
    await until(() => statusOf(one) === 'closed');
    expect(one.statuses).toEqual(['connecting', 'open', 'closing', 'closed']);
    expect(one.ends.count).toBe(0);
    expect(one.driver.send(HELLO)).toBe(false);
  });

  it('reports the end when the platform closes with 1000, and stays closed', async () => {
    const one = await opened();
    for (const peer of one.server.platform.session.peers) peer.close(1000);
    await until(() => one.ends.count === 1);
    expect(statusOf(one)).toBe('closed');
    expect(one.clock.pending).toBe(0);
  });

  it.each([1001, 1011, 1012, 1013, 4002, 4999])('reconnects after a close with %i', async (code) => {
    const one = await opened();
    for (const peer of one.server.platform.session.peers) peer.close(code);
    await until(() => statusOf(one) === 'reconnecting');
    one.clock.advance(1_000);
    await until(() => one.texts.length === 2);
    expect(isOpen(one)).toBe(true);
  });

  it('treats a cut connection as a fault, not as a normal end', async () => {
    const one = await opened();
    one.server.platform.session.drop();
    await until(() => statusOf(one) === 'reconnecting');
    expect(one.ends.count).toBe(0);
  });

  it('treats a rejected handshake as a fault, not as a normal end', async () => {
    const one = await rig();
    one.server.platform.refusals = 1;
    one.driver.dispatch({ type: 'connect' });
    await until(() => statusOf(one) === 'reconnecting');
    expect(one.ends.count).toBe(0);
    one.clock.advance(1_000);
    await until(() => isOpen(one));
  });

  it('makes exactly one attempt per decision', async () => {
    const one = await rig();
    one.server.platform.refusals = 99;
    one.driver.dispatch({ type: 'connect' });
    await until(() => statusOf(one) === 'reconnecting');
    await settle();
    expect(one.server.platform.handshakes).toHaveLength(1);
    one.clock.advance(1_000);
    await until(() => one.server.platform.handshakes.length === 2);
    await settle();
    expect(one.server.platform.handshakes).toHaveLength(2);
  });

  it('closes with 4002 on a binary frame and reconnects', async () => {
    const one = await opened();
    for (const peer of one.server.platform.session.peers) peer.send(new Uint8Array([1, 2, 3]));
    await until(() => statusOf(one) === 'reconnecting');
    await until(() => one.server.platform.session.peers.size === 0);
    one.clock.advance(1_000);
    await until(() => isOpen(one));
  });

  it('ignores events of a socket that it has closed', async () => {
    const one = await opened();
    const [old] = one.server.platform.session.peers;
    one.driver.dispatch({ type: 'connect' });
    old?.send('late words');
    await until(() => one.texts.length === 2);
    await settle();
    expect(one.texts).not.toContain('late words');
    expect(isOpen(one)).toBe(true);
    expect(one.server.platform.session.peers.size).toBe(1);
  });

  it('drops the response to an obsolete session request', async () => {
    let answer: () => void = () => {};
    const slow = new Promise<{ type: 'session_ready' }>((resolve) => {
      answer = () => resolve({ type: 'session_ready' });
    });
    const one = await rig({ sessions: { obtain: () => slow } });
    one.driver.dispatch({ type: 'connect' });
    one.driver.dispatch({ type: 'disconnect', isImmediate: true });
    answer();
    await settle();
    expect(statusOf(one)).toBe('closed');
    expect(one.server.platform.handshakes).toEqual([]);
  });

  it('stops a handshake that takes more than 15 s', async () => {
    class Mute extends EventTarget {
      readyState = 0;
      close(): void {}
    }
    const device = new FakeDevice();
    const clock = new FakeClock();
    // Only the members that the driver uses on a socket that never opens.
    const MuteSocket = Mute as unknown as typeof WebSocket;
    const one = await rig({
      ports: { clock, environment: device, nextPaint: null, random: () => 0.5, WebSocket: MuteSocket },
    });
    one.driver.dispatch({ type: 'connect' });
    await settle();
    clock.advance(14_999);
    expect(statusOf(one)).toBe('connecting');
    clock.advance(1);
    expect(statusOf(one)).toBe('reconnecting');
  });

  it('turns a throwing constructor into a failed attempt, and does not reveal the address', async () => {
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => {
      rejections.push(reason);
    };
    process.on('unhandledRejection', note);
    class Forbidden {
      constructor(url: string | URL) {
        throw new SyntaxError(`The URL '${url}' is not allowed here.`);
      }
    }
    // Only its constructor is used.
    const ForbiddenSocket = Forbidden as unknown as typeof WebSocket;
    const clock = new FakeClock();
    const one = await rig({
      ports: {
        clock,
        environment: new FakeDevice(),
        nextPaint: null,
        random: () => 0.5,
        WebSocket: ForbiddenSocket,
      },
    });
    one.driver.dispatch({ type: 'connect' });
    await until(() => statusOf(one) === 'reconnecting');
    await settle();
    process.off('unhandledRejection', note);
    expect(rejections).toEqual([]);
  });

  it('replaces a half-open socket: frames are sent, nothing is received', async () => {
    const capabilities = { ...CAPABILITIES, heartbeat_interval_seconds: 10 };
    const one = await opened({ capabilities: () => capabilities }, { echoes: false });
    one.clock.advance(10_000);
    await until(() => one.server.platform.session.received.length === 1);
    one.clock.advance(9_999);
    expect(isOpen(one)).toBe(true);
    one.clock.advance(1);
    expect(statusOf(one)).toBe('reconnecting');
    one.clock.advance(1_000);
    await until(() => isOpen(one));
  });

  it.each(['visible', 'online'] as const)('sends a heartbeat when the device reports %s', async (change) => {
    const one = await opened({}, { echoes: false });
    one.device.say(change);
    await until(() => one.server.platform.session.received.length === 1);
    one.clock.advance(9_999);
    expect(isOpen(one)).toBe(true);
    one.clock.advance(1);
    expect(statusOf(one)).toBe('reconnecting');
    one.clock.advance(1_000);
    await until(() => isOpen(one));
  });

  it('keeps a socket that works on another network', async () => {
    const one = await opened();
    one.device.say('online');
    await until(() => one.server.platform.session.received.length === 1 && one.texts.length === 2);
    one.clock.advance(10_000);
    expect(isOpen(one)).toBe(true);
    expect(one.server.platform.handshakes).toHaveLength(1);
  });

  it('uses the heartbeat interval that the platform names over the open socket', async () => {
    let seconds: number | null = null;
    const capabilities = (): ReturnType<ConnectionOptions['capabilities']> => ({
      ...CAPABILITIES,
      heartbeat_interval_seconds: seconds,
    });
    const one = await opened({ capabilities });
    const beats = (): number => one.server.platform.session.received.length;
    one.clock.advance(10_000);
    seconds = 5;
    for (const peer of one.server.platform.session.peers) peer.send('it has changed');
    await until(() => one.texts.length === 2);
    one.clock.advance(5_000);
    await until(() => beats() === 1 && one.texts.length === 3);
    seconds = 0;
    for (const peer of one.server.platform.session.peers) peer.send('none at all');
    await until(() => one.texts.length === 4);
    // No early heartbeat to check whether the socket died in a hidden page.
    one.device.say('visible');
    one.clock.advance(100_000);
    await settle();
    expect(beats()).toBe(1);
    expect(isOpen(one)).toBe(true);
  });

  it('closes a socket with the code of the reason', async () => {
    const capabilities = { ...CAPABILITIES, heartbeat_interval_seconds: 0 };
    const one = await opened({ capabilities: () => capabilities });
    one.driver.dispatch({ type: 'connect' });
    await until(() => one.texts.length === 2);
    expect(one.codes).toEqual([4000]);
    one.clock.advance(7_200_000);
    await until(() => one.texts.length === 3);
    expect(one.codes.at(-1)).toBe(4000);
    one.driver.dispatch({ type: 'socket_closed', code: 4001 });
    expect(one.codes.at(-1)).toBe(4002);
    await until(() => isOpen(one));
    one.device.setOnline(false);
    expect(one.codes.at(-1)).toBe(4002);
    one.device.setOnline(true);
    await until(() => isOpen(one));
    one.driver.destroy();
    expect(one.codes.at(-1)).toBe(1000);
  });

  it('closes an unopened socket only once it is open, because browsers log the address of others', async () => {
    const one = await rig();
    one.driver.dispatch({ type: 'connect' });
    // Before any response can be read; a timer would let it open.
    await one.firstSocket;
    one.driver.destroy();
    expect(one.codes).toEqual([]);
    await until(() => one.codes.length === 1);
    expect(one.codes).toEqual([1000]);
    await until(() => one.server.platform.session.peers.size === 0);
    expect(one.texts).toEqual([]);
  });

  it('does not let a hanging socket block the next', async () => {
    const one = await rig();
    one.driver.dispatch({ type: 'connect' });
    await until(() => one.sockets.length === 1);
    one.driver.dispatch({ type: 'connect' });
    await until(() => isOpen(one));
    expect(one.codes).toEqual([4000]);
    await until(() => one.server.platform.session.peers.size === 1);
  });

  it('opens one socket for two connects in a row', async () => {
    const one = await rig();
    one.driver.dispatch({ type: 'connect' });
    one.driver.dispatch({ type: 'connect' });
    await until(() => isOpen(one));
    await settle();
    expect(one.server.platform.handshakes).toHaveLength(1);
  });

  it('stops when closed during the wait for the next attempt, and connects again on request', async () => {
    const requests: string[] = [];
    const one = await opened({
      sessions: {
        obtain: async (request) => {
          requests.push(request);
          return { type: 'session_ready' };
        },
      },
    });
    one.server.platform.session.drop();
    await until(() => statusOf(one) === 'reconnecting');
    one.driver.dispatch({ type: 'disconnect', isImmediate: true });
    one.clock.advance(60_000);
    await settle();
    expect([requests.length, one.server.platform.handshakes.length, one.clock.pending]).toEqual([1, 1, 0]);
    one.driver.dispatch({ type: 'connect' });
    await until(() => isOpen(one));
    expect(one.server.platform.handshakes).toHaveLength(2);
  });

  it('connects again after an unused session request, and after its budget was exhausted', async () => {
    let answer: () => void = () => {};
    let isSlow = true;
    const one = await rig({
      capabilities: () => ({ ...CAPABILITIES, max_reconnect_attempts: 1 }),
      sessions: {
        obtain: () =>
          new Promise((resolve) => {
            answer = () => resolve({ type: 'session_ready' });
            if (!isSlow) answer();
          }),
      },
    });
    one.driver.dispatch({ type: 'connect' });
    one.driver.dispatch({ type: 'disconnect', isImmediate: true });
    answer();
    isSlow = false;
    one.driver.dispatch({ type: 'connect' });
    await until(() => isOpen(one));
    one.server.platform.refusals = 1;
    one.server.platform.session.drop();
    await until(() => statusOf(one) === 'reconnecting');
    one.clock.advance(1_000);
    await until(() => statusOf(one) === 'failed');
    one.driver.dispatch({ type: 'connect' });
    await until(() => isOpen(one));
    expect(one.server.platform.handshakes.map(({ isAccepted }) => isAccepted)).toEqual([true, false, true]);
  });

  it('requests no session and opens no socket after a close with 1000', async () => {
    const requests: string[] = [];
    const one = await opened({
      sessions: {
        obtain: async (request) => {
          requests.push(request);
          return { type: 'session_ready' };
        },
      },
    });
    for (const peer of one.server.platform.session.peers) peer.close(1000);
    await until(() => statusOf(one) === 'closed');
    one.device.setVisible(false);
    one.device.setVisible(true);
    one.clock.advance(7_200_000);
    await settle();
    expect([requests, one.server.platform.handshakes.length]).toEqual([['start'], 1]);
  });

  it('connects once, at once, when a page becomes visible whose timers slept', async () => {
    const one = await opened();
    one.device.setVisible(false);
    one.server.platform.session.drop();
    await until(() => statusOf(one) === 'reconnecting');
    one.clock.sleep(600_000);
    await settle();
    expect(one.server.platform.handshakes).toHaveLength(1);
    one.device.setVisible(true);
    await until(() => isOpen(one));
    one.clock.advance(1_000);
    await settle();
    expect(one.server.platform.handshakes).toHaveLength(2);
  });

  it('holds no timer or listener after it was destroyed', async () => {
    const one = await opened();
    one.driver.destroy();
    expect(one.clock.pending).toBe(0);
    expect(one.device.listeners.size).toBe(0);
    await until(() => one.server.platform.session.peers.size === 0);
  });
});
