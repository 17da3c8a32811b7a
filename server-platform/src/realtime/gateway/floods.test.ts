import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { clientFrame, openRawPeer, type RawPeer, upgradeRequest } from '../../../test/realtime/raw-peer.ts';
import {
  startTestPlatform,
  type TestPlatform,
  type TestSession,
} from '../../../test/realtime/test-platform.ts';
import { type Frame, typesOf } from '../../../test/realtime/test-socket.ts';

const PING = 9;
const PONG = 10;
const HEARTBEAT = '{"type":"EVENT_TYPE_HEARTBEAT"}';

let platform: TestPlatform;
beforeEach(async () => {
  // The contract's limits (section 16).
  platform = await startTestPlatform(EMBEDDED_ENGINE, { limits: { frameBurst: 20, framesPerSecond: 5 } });
});
afterEach(() => platform.stop());

async function openRaw(
  { sessionId, accessToken }: TestSession,
  options?: Parameters<typeof openRawPeer>[1],
): Promise<RawPeer> {
  const peer = await openRawPeer(platform.messaging.port, options);
  peer.socket.write(upgradeRequest(`/ws?session_id=${sessionId}&access_token=${accessToken}`));
  await peer.sees('SESSION_START');
  return peer;
}

const isError = ({ type, payload }: Frame): boolean =>
  type === 'EVENT_TYPE_SYSTEM_MESSAGE' && payload['level'] === 'SYSTEM_MESSAGE_LEVEL_ERROR';

const count = (text: string, part: string): number => text.split(part).length - 1;

describe('refused frames (16)', () => {
  const long = JSON.stringify({ type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: 'x'.repeat(140_000) } });
  it.each([
    ['of one byte', 'x'],
    ['of a type that clients may not send', '{"type":"EVENT_TYPE_AGENT_MESSAGE"}'],
    ['of an unknown type', '{"type":"EVENT_TYPE_NONE"}'],
    ['of a blank text', '{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":" "}}'],
    ['that are binary', Buffer.from(HEARTBEAT)],
    ['that are too long', long],
    ['for a conversation that was never begun', '{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":"hi"}}'],
  ])('%s close the socket with 1008 when 50 come in a row', async (_name, frame) => {
    const session = await platform.startSession();
    const socket = await platform.connect(session);
    await socket.next('SESSION_START');
    const received = () => [...platform.frames.values()].reduce((sum, frames) => sum + frames, 0);
    // Twelve at a time stay within the bucket, which refills in between.
    for (let round = 0; round < 5; round += 1) {
      for (let n = 0; n < 12 && round * 12 + n < 50; n += 1) socket.sendRaw(frame);
      if (round === 4) break;
      await expect.poll(received).toBe((round + 1) * 12);
      platform.clock.skip(3_000);
    }
    expect(await socket.closed).toEqual({ code: 1008, reason: 'too many refused frames' });
    expect(socket.events.filter(isError).length).toBeLessThan(50);
  });

  it('answers five refused frames in the first second of a flood, and then closes the socket', async () => {
    const session = await platform.startSession();
    const peer = await openRaw(session);
    peer.socket.write(Buffer.concat(Array.from({ length: 50_000 }, () => clientFrame('x'))));
    await peer.sees('too many refused frames');
    expect(count(peer.received, 'Unknown event type')).toBeLessThanOrEqual(5);
    // Nothing was read beyond the data before the close.
    expect(platform.frames.get('error')).toBe(50);
    peer.socket.resetAndDestroy();
  });

  it('closes a socket that floods before joining, including frames above the rate limit', async () => {
    const frame = '{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":"hi"}}';
    const peer = await openRaw(await platform.startSession());
    peer.socket.write(Buffer.concat(Array.from({ length: 5_000 }, () => clientFrame(frame))));
    await peer.sees('too many refused frames');
    expect(count(peer.received, 'Conversation ID not found')).toBeLessThanOrEqual(5);
    peer.socket.resetAndDestroy();
  });

  it("does not count frames above a conversation's rate limit as refused", async () => {
    const { socket } = await platform.converse();
    for (let n = 0; n < 100; n += 1) socket.send('USER_MESSAGE', { text: `message ${n}` });
    socket.send('HEARTBEAT');
    await socket.next('HEARTBEAT');
    expect(socket.ws.readyState).toBe(socket.ws.OPEN);
    await socket.close();
  });

  it('keeps a socket open that also sends acceptable frames', async () => {
    const { socket } = await platform.converse();
    for (let round = 0; round < 3; round += 1) {
      for (let n = 0; n < 49; n += 1) socket.sendRaw('x');
      socket.send('HEARTBEAT');
      await socket.next('HEARTBEAT');
      platform.clock.skip(10_000);
    }
    socket.send('USER_MESSAGE', { text: 'still here' });
    await socket.next('USER_MESSAGE');
    await socket.close();
  });

  it('sends a client with a few faults every answer, five per second and in order', async () => {
    const { socket } = await platform.converse();
    const seen = () => socket.events.filter(isError).map(({ metadata }) => metadata?.custom['n']);
    const release = platform.clock.hold();
    for (let n = 0; n < 12; n += 1) socket.send('NONE', {}, { n: String(n) });
    socket.send('HEARTBEAT');
    await socket.next('HEARTBEAT');
    expect(seen()).toEqual(['0', '1', '2', '3', '4']);
    for (const expected of [10, 12]) {
      platform.clock.skip(1_000);
      await expect.poll(() => seen().length).toBe(expected);
    }
    expect(seen()).toEqual(Array.from({ length: 12 }, (_, n) => String(n)));
    release();
    await socket.close();
  });

  it("takes refused frames from the messages' bucket, and above it sends only a warning", async () => {
    const { socket } = await platform.converse();
    const release = platform.clock.hold();
    for (let n = 0; n < 30; n += 1) socket.sendRaw('x');
    socket.send('USER_MESSAGE', { text: 'too much' });
    const warning = await socket.next(({ payload }) => payload['level'] === 'SYSTEM_MESSAGE_LEVEL_WARNING');
    expect(warning.payload['message']).toBe('Rate limit exceeded. Message dropped.');
    socket.send('HEARTBEAT');
    await socket.next('HEARTBEAT');
    expect(typesOf(socket.events)).not.toContain('USER_MESSAGE');
    release();
    await socket.close();
  });

  it('reports distinct reasons for refused frames to the log', async () => {
    const { socket } = await platform.converse();
    const frames: (string | Buffer)[] = [
      Buffer.from(HEARTBEAT),
      'x',
      '[]',
      '{}',
      '{"type":"EVENT_TYPE_NONE"}',
      '{"type":"EVENT_TYPE_AGENT_MESSAGE"}',
      '{"type":"EVENT_TYPE_HEARTBEAT","metadata":{"custom":{"a":1}}}',
      '{"type":"EVENT_TYPE_HEARTBEAT","payload":[]}',
      '{"type":"EVENT_TYPE_USER_MESSAGE","payload":{"text":" "}}',
      '{"type":"EVENT_TYPE_USER_MESSAGE"}',
    ];
    for (const frame of frames) socket.sendRaw(frame);
    await expect.poll(() => platform.faults.length).toBe(frames.length);
    expect(platform.faults).toEqual([
      'binary',
      'no JSON',
      'no object',
      'no type',
      'unknown type',
      'type not allowed',
      'bad metadata',
      'payload is not an object',
      'blank text',
      'bad payload',
    ]);
    await socket.close();
  });
});

describe('a flood of frames that are valid', () => {
  it("drops frames above a socket's limit unread, while other sockets continue", async () => {
    const { socket, ...session } = await platform.converse();
    const peer = await openRaw(session);
    peer.socket.write(Buffer.concat(Array.from({ length: 5_000 }, () => clientFrame(HEARTBEAT))));
    await expect.poll(() => platform.frames.get('throttled') ?? 0).toBeGreaterThan(1_000);
    socket.send('USER_MESSAGE', { text: 'meanwhile' });
    await socket.next(({ payload }) => payload['text'] === 'meanwhile');
    const { frames } = platform;
    await expect
      .poll(() => (frames.get('throttled') ?? 0) + (frames.get('accept') ?? 0))
      .toBeGreaterThanOrEqual(5_000);
    expect(frames.get('accept')).toBeLessThan(2_000);
    // The flooder is read again once it has stopped.
    platform.clock.skip(2_000);
    peer.socket.write(clientFrame('{"type":"EVENT_TYPE_HEARTBEAT","metadata":{"custom":{"n":"calm"}}}'));
    await peer.sees('"n":"calm"');
    await peer.reset();
    await socket.close();
  });

  it('closes a socket with 1008 after one message in very many fragments', async () => {
    const peer = await openRaw(await platform.startSession());
    const fragments = Array.from({ length: 2_000 }, (_, n) => clientFrame('x', n === 0 ? 1 : 0, false));
    peer.socket.write(Buffer.concat(fragments));
    await peer.sees(Buffer.from([0x88, 2, 1008 >> 8, 1008 & 0xff]).toString('latin1'));
    peer.socket.resetAndDestroy();
  });

  it('slows reading from the second oversized frame on', async () => {
    const peer = await openRaw(await platform.startSession());
    const before = platform.frames.get('error') ?? 0;
    const refused = (): number => (platform.frames.get('error') ?? 0) - before;
    const frame = clientFrame('x'.repeat(1_000_000));
    peer.socket.write(Buffer.concat(Array.from({ length: 8 }, () => frame)));
    await expect.poll(refused).toBeGreaterThanOrEqual(1);
    const { socket } = await platform.converse();
    for (let n = 0; n < 10; n += 1) {
      socket.send('USER_MESSAGE', { text: String(n) });
      await socket.next(({ payload }) => payload['text'] === String(n));
    }
    expect(refused()).toBeLessThanOrEqual(3);
    await socket.close();
    await peer.reset();
  });

  it('reads a flooding session no faster over a new socket', async () => {
    const session = await platform.startSession();
    const first = await openRaw(session);
    const refused = (): number => platform.frames.get('error') ?? 0;
    const frame = clientFrame('x'.repeat(1_000_000));
    first.socket.write(Buffer.concat([frame, frame]));
    await expect.poll(refused).toBe(2);
    await first.reset();
    const second = await openRaw(session);
    second.socket.write(clientFrame('{"type":"EVENT_TYPE_HEARTBEAT","metadata":{"custom":{"n":"late"}}}'));
    const { socket } = await platform.converse();
    expect(platform.frames.get('accept')).toBe(1);
    platform.clock.skip(10_000);
    await second.sees('"n":"late"');
    await second.reset();
    await socket.close();
  });

  it("never blocks a client that stays within the contract's limits", async () => {
    const { socket } = await platform.converse();
    // The greeting's request took one of the twenty allowances.
    const text = 'x'.repeat(100_000);
    for (let n = 0; n < 19; n += 1) socket.send('USER_MESSAGE', { text: `${n}${text}` });
    for (let n = 0; n < 19; n += 1) await socket.next('USER_MESSAGE');
    expect(platform.frames.get('throttled')).toBeUndefined();
    await socket.close();
  });
});

describe('a peer that continues to send after the platform has closed', () => {
  const MEGABYTE = Buffer.alloc(1_048_576);
  const MEGABYTES = 48;

  /** Writes until the connection closes, and returns the megabytes accepted by the kernel. */
  async function writeOn({ socket, closed }: RawPeer): Promise<number> {
    let taken = 0;
    for (let n = 0; n < MEGABYTES && !socket.destroyed; n += 1) {
      const isTaken = new Promise<boolean>((resolve) => {
        socket.write(MEGABYTE, (error) => resolve(!error));
      });
      if (await Promise.race([isTaken, closed.then(() => false)])) taken += 1;
    }
    return taken;
  }

  const largeFrame = clientFrame(Buffer.alloc(2_000_000)).subarray(0, 14);
  const fragments = Buffer.concat(
    Array.from({ length: 2_000 }, (_, n) => clientFrame('x', n === 0 ? 1 : 0, false)),
  );
  const refused = Buffer.concat(Array.from({ length: 60 }, () => clientFrame('x')));
  it.each([
    ['a frame above the hard limit', 1009, largeFrame],
    ['a message of too many fragments', 1008, fragments],
    ['too many refused frames', 1008, refused],
    ['its own close frame', 1000, clientFrame(Buffer.from([0x03, 0xe8]), 8)],
  ])('after %s is told the reason, is not read any more, and is dropped', async (_name, code, bytes) => {
    const peer = await openRaw(await platform.startSession(), { allowHalfOpen: true });
    peer.socket.write(bytes);
    const writing = writeOn(peer);
    await peer.sees(Buffer.from([code >> 8, code & 0xff]).toString('latin1'));
    await expect
      .poll(() => {
        platform.clock.skip(250);
        return peer.socket.destroyed;
      })
      .toBe(true);
    // The buffers of both ends hold several megabytes.
    expect(await writing).toBeLessThan(MEGABYTES / 2);
  });
});

describe('protocol pings', () => {
  it('answers pings with their payload', async () => {
    const peer = await openRaw(await platform.startSession());
    for (const data of ['first', '', 'third']) {
      peer.socket.write(clientFrame(data, PING));
      await peer.sees(`\x8a${String.fromCharCode(data.length)}${data}`);
    }
    await peer.reset();
  });

  it('limits the answers to a flood of pings, but always answers the last one', async () => {
    const peer = await openRaw(await platform.startSession());
    const pings = Array.from({ length: 300 }, (_, n) => clientFrame(`ping-${n}`, PING));
    peer.socket.write(Buffer.concat(pings));
    await peer.sees('\x8a\x06ping-9');
    await expect
      .poll(() => {
        platform.clock.skip(1_000);
        return peer.received;
      })
      .toContain('ping-299');
    expect(count(peer.received, 'ping-')).toBeLessThanOrEqual(20);
    await peer.reset();
  });
});

describe('a peer that reads nothing', () => {
  it('disconnects a peer that only sends unsolicited pongs (HB-5)', async () => {
    const peer = await openRaw(await platform.startSession());
    for (let n = 0; n < 3; n += 1) {
      peer.socket.write(Buffer.concat([clientFrame('', PONG), clientFrame('guess', PONG)]));
      await fetch(`${platform.url}/healthz`);
      platform.clock.skip(30_000);
    }
    await peer.closed;
  });

  it('keeps a peer connected that answers its pings', async () => {
    const socket = await platform.connect(await platform.startSession());
    await socket.next('SESSION_START');
    for (let n = 0; n < 5; n += 1) {
      const pinged = new Promise((resolve) => socket.ws.once('ping', resolve));
      platform.clock.skip(30_000);
      await pinged;
      // The pong is sent and read before this frame.
      socket.send('HEARTBEAT');
      await socket.next('HEARTBEAT');
    }
    expect(socket.ws.readyState).toBe(socket.ws.OPEN);
    await socket.close();
  });
});
