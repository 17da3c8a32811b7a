import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type { OutgoingEvent } from 'natter/protocol';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import { DEFAULT_MESSAGING_LIMITS } from '../messaging-limits.ts';
import type { ReplyTarget } from '../sessions/reply-target.ts';
import { ByteAllowance } from './byte-allowance.ts';
import { type ConnectedSession, Connection } from './connection.ts';
import { HourlyBytes } from './hourly-bytes.ts';
import type { OutboundStream } from './outbound-stream.ts';

const LIMITS = {
  ...DEFAULT_MESSAGING_LIMITS,
  pingIntervalMs: 30_000,
  inactivityMs: 600_000,
  maxPendingFrames: 4,
  maxPendingBytes: 2_000,
};

// Fake time moves only when the test advances it, so a slow machine changes nothing.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Connects the test as a peer to a session that accepts the events the test allows. */
function connect(
  options: {
    fixedVocabulary?: 'neutral' | 'poly';
    hasFaultListener?: boolean;
    heartbeatsPerSecond?: number;
    clock?: ReturnType<typeof createSkippingClock>;
    allowance?: ByteAllowance;
    hourlyBytes?: number;
  } = {},
) {
  const { clock = createSkippingClock() } = options;
  const { allowance = new ByteAllowance({ clock, limits: LIMITS }), hourlyBytes = 1_000_000 } = options;
  const hourly = new HourlyBytes(clock, hourlyBytes);
  const seen = {
    sent: [] as OutgoingEvent[],
    closed: [] as [number, string][],
    pings: [] as Buffer[],
    pongs: [] as string[],
    frames: [] as string[],
    faults: [] as string[],
    accepted: [] as string[],
    remembered: [] as string[],
    activity: 0,
    paused: false,
    terminated: 0,
    stopped: 0,
    ended: 0,
  };
  const session = {
    isOver: false,
    hasConversation: true,
    lastActivityMs: clock.now(),
    isAdmitted: true,
    noteActivity: () => {
      seen.activity += 1;
    },
    rememberVocabulary: (vocabulary: string) => seen.remembered.push(vocabulary),
    commands: {
      admit: () => session.isAdmitted,
      dispatch: (event: { type: string }, sender: ReplyTarget): Promise<void> => {
        seen.accepted.push(event.type.replace('EVENT_TYPE_', ''));
        return session.take(sender);
      },
    },
    take: (_sender: ReplyTarget): Promise<void> => Promise.resolve(),
  };
  const outbound = {
    vocabulary: 'neutral',
    deliver: (event: OutgoingEvent) => seen.sent.push(event),
    close: (code: number, reason: string) => seen.closed.push([code, reason]),
    stop: () => {
      seen.stopped += 1;
    },
  };
  const ws = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    ping: (data: Buffer) => seen.pings.push(data),
    pong: (data: Buffer) => seen.pongs.push(String(data)),
    pause: () => {
      seen.paused = true;
    },
    resume: () => {
      seen.paused = false;
    },
    terminate: () => {
      seen.terminated += 1;
    },
  });
  const socket = new EventEmitter();
  const connection = new Connection({
    ws: ws as unknown as WebSocket,
    socket: socket as Duplex,
    outbound: outbound as unknown as OutboundStream,
    session: session as unknown as ConnectedSession,
    clock,
    limits: { ...LIMITS, heartbeatsPerSecond: options.heartbeatsPerSecond ?? 1 },
    allowance,
    takeBytes: (bytes) => hourly.take('', bytes),
    fixedVocabulary: options.fixedVocabulary ?? null,
    optionalTypes: [],
    onFrame: (outcome) => seen.frames.push(outcome),
    onFault: options.hasFaultListener === false ? null : (fault) => seen.faults.push(fault),
    onReceived: () => {},
    onPing: () => {},
    onClosed: () => {
      seen.ended += 1;
    },
  });
  const sendRaw = (data: string | Buffer, isBinary = false): boolean =>
    ws.emit('message', Buffer.from(data), isBinary);
  const send = (type: string, payload: object = {}): boolean =>
    sendRaw(JSON.stringify({ type: `EVENT_TYPE_${type}`, payload }));
  const texts = (): readonly unknown[] => seen.sent.map(({ payload }) => payload['message']);
  return { allowance, clock, connection, outbound, send, sendRaw, session, seen, socket, texts, ws };
}

it('passes events to the session, and counts each as activity, even above the rate limit (HB-3)', () => {
  const { send, session, seen } = connect();
  send('USER_MESSAGE', { text: 'hi' });
  session.isAdmitted = false;
  send('USER_MESSAGE', { text: 'hi again' });
  expect([seen.accepted, seen.activity]).toEqual([['USER_MESSAGE'], 2]);
  expect(seen.frames).toEqual(['accept', 'accept']);
});

it('answers at most one heartbeat per second itself (4.4)', () => {
  const { clock, send, seen } = connect();
  send('HEARTBEAT');
  send('HEARTBEAT');
  clock.skip(1_000);
  send('HEARTBEAT');
  expect(seen.sent.map(({ type }) => type)).toEqual(['EVENT_TYPE_HEARTBEAT', 'EVENT_TYPE_HEARTBEAT']);
  expect(seen.frames).toEqual(['accept', 'accept', 'heartbeat_dropped', 'accept']);
  expect([seen.accepted, seen.activity]).toEqual([[], 3]);
});

it('answers a heartbeat even if the limit is below one per second', () => {
  const { clock, send, seen } = connect({ heartbeatsPerSecond: 0.5 });
  send('HEARTBEAT');
  clock.skip(1_999);
  send('HEARTBEAT');
  clock.skip(1);
  send('HEARTBEAT');
  expect(seen.frames).toEqual(['accept', 'accept', 'heartbeat_dropped', 'accept']);
});

it('closes the socket with 1009 after a frame above the hard limit (5.6 row 3)', () => {
  const { sendRaw, seen } = connect();
  sendRaw(Buffer.alloc(LIMITS.hardMaxFrameBytes + 1, 'x'));
  expect([seen.closed, seen.sent]).toEqual([[[1009, '']], []]);
});

it('names the draft of a frame that is too large (5.6 row 2, SYS-4)', () => {
  const { sendRaw, seen } = connect();
  const custom = { client_event_id: 'draft-1' };
  const payload = { text: 'x'.repeat(LIMITS.maxFrameBytes) };
  sendRaw(JSON.stringify({ type: 'EVENT_TYPE_USER_MESSAGE', payload, metadata: { custom } }));
  expect(seen.sent[0]).toMatchObject({ payload: { message: 'Message too large' }, custom });
});

it("ignores frames after the session's end and after closing the socket (5.6)", () => {
  const over = connect();
  over.session.isOver = true;
  over.send('USER_MESSAGE', { text: 'too late' });
  const closing = connect();
  closing.ws.readyState = 2;
  closing.send('USER_MESSAGE', { text: 'too late' });
  for (const { seen } of [over, closing]) expect([seen.frames, seen.accepted]).toEqual([[], []]);
});

it('rejects unreadable frames, and gives the reason only to an observer', () => {
  const { send, sendRaw, session, seen, texts } = connect();
  send('SESSION_START');
  sendRaw('no JSON');
  sendRaw('binary', true);
  sendRaw(
    JSON.stringify({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'x'.repeat(LIMITS.maxFrameBytes) } }),
  );
  expect(texts()).toEqual([
    'Event type not allowed: EVENT_TYPE_SESSION_START',
    'Unknown event type or invalid message format',
    'Unknown event type or invalid message format',
    'Message too large',
  ]);
  expect(seen.sent[0]).toMatchObject({ sequence: null, payload: { level: 'SYSTEM_MESSAGE_LEVEL_ERROR' } });
  expect(seen.faults).toHaveLength(4);
  expect(seen.activity).toBe(0);
  session.isAdmitted = false;
  sendRaw('no JSON');
  expect(texts()).toHaveLength(4);
  const deaf = connect({ hasFaultListener: false });
  deaf.sendRaw('no JSON');
  expect([deaf.seen.faults, deaf.texts().length]).toEqual([[], 1]);
});

it.each([
  {
    what: 'that cannot be read',
    send: 'NO_SUCH_TYPE',
    isAdmitted: true,
    hasConversation: true,
    isClosed: true,
  },
  {
    what: 'without a conversation',
    send: 'USER_MESSAGE',
    isAdmitted: false,
    hasConversation: false,
    isClosed: true,
  },
  {
    what: 'above the rate limit',
    send: 'USER_MESSAGE',
    isAdmitted: false,
    hasConversation: true,
    isClosed: false,
  },
  {
    what: 'of another type',
    send: 'USER_TYPING',
    isAdmitted: false,
    hasConversation: false,
    isClosed: false,
  },
])('closes after too many frames in a row $what: $isClosed (16)', (row) => {
  const { send, session, seen } = connect();
  Object.assign(session, { isAdmitted: row.isAdmitted, hasConversation: row.hasConversation });
  const payload = row.send === 'USER_TYPING' ? { state: 'TYPING_STATE_STARTED' } : { text: 'hi' };
  for (let count = 0; count < LIMITS.maxRefusedFrames; count += 1) send(row.send, payload);
  expect(seen.closed).toEqual(row.isClosed ? [[1008, 'too many refused frames']] : []);
});

it('counts events that the session refuses as faults in a row, which an accepted frame ends (16)', async () => {
  const { clock, send, session, seen } = connect();
  const refuse = (): void => {
    for (let count = 1; count < LIMITS.maxRefusedFrames; count += 1) send('NO_SUCH_TYPE');
  };
  refuse();
  send('USER_MESSAGE', { text: 'hi' });
  refuse();
  send('HEARTBEAT');
  refuse();
  expect(seen.closed).toEqual([]);
  session.take = async (sender) => sender.refuse({ ...(seen.sent[0] as OutgoingEvent), id: 'refused' });
  send('USER_MESSAGE', { text: 'hi' });
  expect(seen.closed).toEqual([[1008, 'too many refused frames']]);
  await settled();
  clock.skip(60_000);
  expect(seen.sent.map(({ id }) => id)).not.toContain('refused');
});

it('passes the session everything it needs to reply', async () => {
  const { send, session, seen } = connect();
  session.take = async (sender) => {
    sender.deliver({ id: 'answer' } as OutgoingEvent);
    sender.close(1000, 'over');
  };
  send('USER_MESSAGE', { text: 'hi' });
  await settled();
  expect(seen.sent).toEqual([{ id: 'answer' }]);
  expect(seen.closed).toEqual([[1000, 'over']]);
});

it('uses the vocabulary of the first event that reveals one, unless the connector fixes it (V-5)', () => {
  const free = connect();
  free.send('USER_MESSAGE', { text: 'hi' });
  expect(free.seen.remembered).toEqual([]);
  free.send('REQUEST_POLY_AGENT_JOIN');
  free.send('REQUEST_AGENT_JOIN');
  expect([free.outbound.vocabulary, free.seen.remembered]).toEqual(['poly', ['poly']]);
  const fixed = connect({ fixedVocabulary: 'neutral' });
  fixed.send('REQUEST_POLY_AGENT_JOIN');
  expect([fixed.outbound.vocabulary, fixed.seen.remembered]).toEqual(['neutral', []]);
});

it('stops reading from a peer that is ahead of its session, until half of the queue is handled', async () => {
  const { send, session, seen } = connect();
  const open: (() => void)[] = [];
  session.take = () => new Promise((resolve) => void open.push(resolve));
  const done = async (): Promise<void> => {
    open.shift()?.();
    await settled();
  };
  for (let count = 1; count < LIMITS.maxPendingFrames; count += 1) send('USER_MESSAGE', { text: 'hi' });
  expect(seen.paused).toBe(false);
  send('USER_MESSAGE', { text: 'hi' });
  expect(seen.paused).toBe(true);
  await done();
  await done();
  expect(seen.paused).toBe(true);
  await done();
  expect(seen.paused).toBe(false);
});

it('stops reading from a peer whose queued frames are large', async () => {
  const { send, session, seen } = connect();
  session.take = () => new Promise(() => {});
  send('USER_MESSAGE', { text: 'x'.repeat(800) });
  expect(seen.paused).toBe(false);
  for (let count = 0; count < 2; count += 1) send('USER_MESSAGE', { text: 'x'.repeat(800) });
  expect(seen.paused).toBe(true);
});

it('drops frames, pings and pongs above what one socket may send', async () => {
  const { clock, send, seen, ws } = connect();
  const flood = (): void => {
    for (let count = 0; count < 2 * LIMITS.socketFramesPerSecond; count += 1)
      send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
  };
  flood();
  const { length } = seen.accepted;
  send('USER_TYPING', { state: 'TYPING_STATE_STARTED' });
  ws.emit('ping', Buffer.from('late'));
  expect([seen.accepted.length, seen.frames.at(-1), seen.pongs]).toEqual([length, 'throttled', []]);
  expect(seen.paused).toBe(true);
  // An unsolicited pong changes nothing.
  for (let count = 0; count < 3; count += 1) {
    clock.skip(LIMITS.pingIntervalMs);
    flood();
    ws.emit('pong', seen.pings.at(-1));
  }
  expect(seen.terminated).toBe(1);
  await settled();
  ws.emit('close');
  seen.paused = true;
  clock.skip(1_000);
  expect(seen.paused).toBe(true);
});

it('reads one full chunk at a time', async () => {
  const { seen, socket } = connect();
  socket.emit('data', Buffer.alloc(65_536));
  expect(seen.paused).toBe(true);
  await settled();
  expect(seen.paused).toBe(false);
});

it('keeps reading after a small chunk, and ignores a closed socket', async () => {
  const { seen, socket, ws } = connect();
  socket.emit('data', Buffer.alloc(16_383));
  expect(seen.paused).toBe(false);
  ws.emit('close');
  socket.emit('data', Buffer.alloc(65_536));
  expect(seen.paused).toBe(false);
  await settled();
});

it('drops a peer that keeps sending after a close, a second after the frame that was in flight', async () => {
  const { seen, socket, ws } = connect();
  ws.readyState = 2;
  socket.emit('data', Buffer.alloc(131_072));
  await settled();
  await vi.advanceTimersByTimeAsync(5_000);
  expect([seen.paused, seen.terminated]).toEqual([false, 0]);
  socket.emit('data', Buffer.alloc(1));
  expect(seen.paused).toBe(true);
  socket.emit('data', Buffer.alloc(1));
  await vi.advanceTimersByTimeAsync(999);
  expect(seen.terminated).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect([seen.paused, seen.terminated]).toEqual([true, 1]);
});

it("accepts frames again after the pause, but at most two seconds' worth at once", async () => {
  const { send, seen } = connect();
  const accepted = (): number => seen.frames.filter((outcome) => outcome === 'accept').length;
  const flood = (): void => {
    for (let count = 0; count < 1_000; count += 1) send('HEARTBEAT');
  };
  flood();
  expect(accepted()).toBe(400);
  await vi.advanceTimersByTimeAsync(1_000);
  flood();
  expect(accepted()).toBe(600);
  await vi.advanceTimersByTimeAsync(60_000);
  flood();
  expect(accepted()).toBe(1_000);
});

it('delays a new socket of a session whose earlier socket exceeded the allowance', async () => {
  const { allowance, clock, sendRaw, seen } = connect();
  const largest = Buffer.alloc(LIMITS.hardMaxFrameBytes);
  sendRaw(largest);
  expect(seen.paused).toBe(false);
  sendRaw(largest);
  expect(seen.paused).toBe(true);
  const next = connect({ clock, allowance });
  expect(next.seen.paused).toBe(true);
  // Exceeds the allowance by 3.4 MB, of which 1 MB per second is refilled.
  await vi.advanceTimersByTimeAsync(3_000);
  expect([seen.paused, next.seen.paused]).toEqual([true, true]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([seen.paused, next.seen.paused]).toEqual([false, false]);
});

it('answers pings, and drops a peer that leaves two pings unanswered (HB-5)', () => {
  const { clock, seen, ws } = connect();
  ws.emit('ping', Buffer.from('hello'));
  expect(seen.pongs).toEqual(['hello']);
  clock.skip(30_000);
  clock.skip(30_000);
  expect(seen.pings).toHaveLength(2);
  // Ignored, because it is unsolicited.
  ws.emit('pong', Buffer.from('unasked'));
  clock.skip(30_000);
  expect([seen.pings.length, seen.terminated]).toEqual([2, 1]);
});

it('keeps a peer that answers one of its pings, and pings no socket that is closing', () => {
  const { clock, seen, ws } = connect();
  for (let count = 1; count < 10; count += 1) {
    clock.skip(30_000);
    expect(seen.pings).toHaveLength(count);
    if (count % 2 === 0) ws.emit('pong', seen.pings.at(-1));
  }
  expect(seen.terminated).toBe(0);
  ws.readyState = 2;
  ws.emit('pong', seen.pings.at(-1));
  clock.skip(30_000);
  expect(seen.pings).toHaveLength(9);
});

it('closes a silent socket in an active session, counting from its last event (HB-3)', () => {
  const { clock, send, session, seen } = connect();
  clock.skip(300_000);
  send('HEARTBEAT');
  clock.skip(300_000);
  session.lastActivityMs = clock.now();
  expect(seen.closed).toEqual([]);
  clock.skip(299_999);
  expect(seen.closed).toEqual([]);
  clock.skip(1);
  expect(seen.closed).toEqual([[1001, 'idle']]);
});

it('leaves closing to the session when it expires now (HB-4)', () => {
  const { clock, session, seen } = connect();
  clock.skip(600_000);
  expect(seen.closed).toEqual([]);
  session.lastActivityMs = clock.now();
  clock.skip(999);
  expect(seen.closed).toEqual([]);
  clock.skip(1);
  expect(seen.closed).toEqual([[1001, 'idle']]);
});

it('stops all timers when the socket closes', async () => {
  const { clock, connection, send, session, seen, ws } = connect();
  ws.emit('error', new Error('text that is not UTF-8'));
  for (let count = 0; count < 10; count += 1) send('NO_SUCH_TYPE');
  for (let count = 0; count < 11; count += 1) ws.emit('ping', Buffer.from(String(count)));
  const before = { sent: seen.sent.length, pongs: seen.pongs.length };
  let isClosed = false;
  void connection.closed.then(() => {
    isClosed = true;
  });
  await settled();
  expect(isClosed).toBe(false);
  ws.emit('close');
  await settled();
  expect(isClosed).toBe(true);
  expect([seen.stopped, seen.ended]).toEqual([1, 1]);
  session.lastActivityMs = clock.now() + 600_000;
  clock.skip(30_000);
  clock.skip(600_000);
  expect({ sent: seen.sent.length, pongs: seen.pongs.length }).toEqual(before);
  expect([seen.pings, seen.closed]).toEqual([[], []]);
  connection.terminate();
  expect(seen.terminated).toBe(1);
});
