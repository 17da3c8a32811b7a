import type { OutgoingEvent } from 'natter/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDED_ENGINE } from '../../../test/db/engines.ts';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import {
  isEndOfMessage,
  startTestPlatform,
  type TestPlatform,
} from '../../../test/realtime/test-platform.ts';
import type { Frame } from '../../../test/realtime/test-socket.ts';
import { type Bus, type BusMessage, createInProcessBus } from '../bus/index.ts';
import { createFrameEncoder } from './frame-encoder.ts';
import { OutboundStream } from './outbound-stream.ts';

describe('a socket on a bus that loses and reorders messages', () => {
  let platform: TestPlatform;
  let disturb: (message: BusMessage, publish: (message: BusMessage) => void) => void;

  beforeAll(async () => {
    disturb = (message, publish) => publish(message);
    platform = await startTestPlatform(EMBEDDED_ENGINE, {
      wrapBus: (bus: Bus): Bus => ({
        ...bus,
        publish: (sessionId, message) => disturb(message, (each) => bus.publish(sessionId, each)),
      }),
    });
  });
  afterAll(() => platform.stop());

  const sequencesOf = (events: readonly { readonly sequence: number | null }[]): number[] =>
    events.flatMap(({ sequence }) => (sequence === null ? [] : [sequence]));

  it('reads missing events from the log', async () => {
    const { socket } = await platform.converse({ streaming_enabled: false });
    let count = 0;
    disturb = (message, publish) => {
      count += 1;
      if (message.kind !== 'events' || count % 3 !== 0) publish(message);
    };
    for (let n = 0; n < 10; n++) socket.send('USER_MESSAGE', { text: `m${n}` });
    await expect.poll(() => Math.max(...sequencesOf(socket.events))).toBeGreaterThan(20);
    disturb = (message, publish) => publish(message);
    socket.send('USER_MESSAGE', { text: 'last' });
    await socket.next((frame) => frame.payload['text'] === 'You said: last');
    expect(sequencesOf(socket.events)).toEqual(Array.from({ length: 26 }, (_, index) => index + 1));
    await socket.close();
  });

  it('sends no event twice or out of order', async () => {
    const { socket } = await platform.converse({ streaming_enabled: false });
    const late: (() => void)[] = [];
    disturb = (message, publish) => {
      publish(message);
      late.push(() => publish(message));
      if (late.length > 3) late.shift()?.();
    };
    for (let n = 0; n < 10; n++) {
      socket.send('USER_MESSAGE', { text: `m${n}` });
      await socket.next(isEndOfMessage);
    }
    for (const publish of late) publish();
    disturb = (message, publish) => publish(message);
    socket.send('HEARTBEAT');
    await socket.next('HEARTBEAT');
    expect(sequencesOf(socket.events)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
    await socket.close();
  });
});

const event = (sequence: number | null, type: OutgoingEvent['type'] = 'EVENT_TYPE_LIVE_AGENT_MESSAGE') =>
  ({
    id: `event-${sequence}`,
    sequence,
    timestampMs: 0,
    type,
    payload: { text: `text ${sequence}` },
    custom: null,
  }) satisfies OutgoingEvent;

const upTo = (last: number): OutgoingEvent[] => Array.from({ length: last }, (_, index) => event(index + 1));

/** Connects a stream to a log that the test fills and to a socket that accepts everything. */
function createDelivery(
  log: OutgoingEvent[],
  options: { readonly isPatient?: boolean; readonly maxFrameBytes?: number } = {},
) {
  const bus = createInProcessBus();
  const frames: Frame[] = [];
  const closes: number[] = [];
  const failures: unknown[] = [];
  const taken: (() => void)[] = [];
  let slowReaders = 0;
  let reads = 0;
  const ws = {
    bufferedAmount: 0,
    send(data: unknown, done?: unknown) {
      steps.push('send');
      frames.push(JSON.parse(String(data)));
      if (typeof done !== 'function') return;
      if (options.isPatient) taken.push(() => done());
      else done();
    },
    close: (code?: number) => void closes.push(code ?? 0),
  };
  const far = {
    read: async (after: number, limit: number) => {
      reads += 1;
      const rest = log.filter(({ sequence }) => (sequence ?? 0) > after);
      return { events: rest.slice(0, limit), hasMore: rest.length > limit };
    },
  };
  const steps: string[] = [];
  const socket = { cork: () => void steps.push('cork'), uncork: () => void steps.push('uncork') };
  const outbound = new OutboundStream({
    sessionId: 'session',
    ws,
    socket,
    read: (after, limit) => far.read(after, limit),
    createId: () => 'id',
    bus,
    clock: createSkippingClock(),
    frames: createFrameEncoder(),
    vocabulary: 'neutral',
    maxFrameBytes: options.maxFrameBytes ?? 65_536,
    maxBufferedBytes: 1_000,
    afterReplay: async () => [],
    onFailure: (error) => failures.push(error),
    onSent: () => {},
    onSlowReader: () => {
      slowReaders += 1;
    },
  });
  return {
    outbound,
    frames,
    ws,
    steps,
    far,
    closes,
    failures,
    taken,
    get slowReaders() {
      return slowReaders;
    },
    get reads() {
      return reads;
    },
    publish: (...events: OutgoingEvent[]) => bus.publish('session', { kind: 'events', events }),
    closeByBus: (code: number) => bus.publish('session', { kind: 'close', code, reason: '' }),
    /** The frames sent to the socket, batches unpacked; null for frames outside the sequence. */
    sequences: () => {
      const isEvent = ({ type }: Frame): boolean => type !== 'EVENT_TYPE_EVENT_BATCH';
      return frames
        .flatMap((frame): readonly Frame[] =>
          isEvent(frame) ? [frame] : (frame.payload['events'] as readonly Frame[]),
        )
        .map(({ sequence }) => sequence);
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a live socket', () => {
  it('writes all frames of one event loop turn to the socket at once', async () => {
    const socket = createDelivery(upTo(1));
    await socket.outbound.start(0, 1, false);
    await settled();
    socket.steps.length = 0;
    socket.publish(event(2), event(3));
    await Promise.resolve();
    socket.outbound.deliver(event(null));
    expect(socket.steps).toEqual(['cork', 'send', 'send', 'send']);
    await settled();
    socket.publish(event(4));
    await settled();
    expect(socket.steps.slice(4)).toEqual(['uncork', 'cork', 'send', 'uncork']);
  });

  it('closes a socket with 1013 when its buffer exceeds the limit, and reports it once', async () => {
    const socket = createDelivery(upTo(1));
    await socket.outbound.start(0, 1, false);
    socket.ws.bufferedAmount = 1_000;
    socket.publish(event(2));
    await settled();
    expect(socket.closes).toEqual([]);
    socket.ws.bufferedAmount = 1_001;
    socket.publish(event(3), event(4));
    // Only frames already given to the system reveal its capacity.
    expect(socket.closes).toEqual([]);
    await settled();
    socket.publish(event(5));
    socket.outbound.deliver(event(null));
    await settled();
    expect(socket.sequences()).toEqual([1, 2, 3, 4]);
    expect(socket.closes).toEqual([1013]);
    expect(socket.slowReaders).toBe(1);
  });

  it("switches to the client's vocabulary for all later events (V-5)", async () => {
    const socket = createDelivery(upTo(1));
    await socket.outbound.start(0, 1, false);
    socket.publish(event(2, 'EVENT_TYPE_AGENT_JOINED'));
    socket.outbound.vocabulary = 'poly';
    socket.publish(event(3, 'EVENT_TYPE_AGENT_JOINED'));
    expect(socket.frames.slice(-2).map(({ type }) => type)).toEqual([
      'EVENT_TYPE_AGENT_JOINED',
      'EVENT_TYPE_POLY_AGENT_JOINED',
    ]);
  });

  it('sends nothing more and does not close again after the bus closed the socket', async () => {
    const socket = createDelivery(upTo(1));
    await socket.outbound.start(0, 1, false);
    socket.closeByBus(4001);
    socket.closeByBus(1000);
    socket.publish(event(2));
    socket.outbound.deliver(event(null));
    expect(socket.sequences()).toEqual([1]);
    expect(socket.closes).toEqual([4001]);
  });

  it('closes the socket with 1000 after SESSION_END, from the bus or from the log', async () => {
    for (const missing of [[], [event(2)]]) {
      const log = upTo(1);
      const socket = createDelivery(log);
      await socket.outbound.start(0, 1, false);
      log.push(...upTo(1 + missing.length).slice(1));
      const end = event(log.length + 1, 'EVENT_TYPE_SESSION_END');
      log.push(end);
      socket.publish(end);
      await settled();
      expect(socket.sequences()).toEqual(log.map(({ sequence }) => sequence));
      expect(socket.closes).toEqual([1000]);
    }
  });

  it('reads the log once for a gap, and not for the events that follow in order', async () => {
    const log = upTo(1);
    const socket = createDelivery(log);
    await socket.outbound.start(0, 1, false);
    log.push(...upTo(3).slice(1));
    const before = socket.reads;
    socket.publish(event(3));
    socket.publish(event(4));
    await settled();
    expect(socket.sequences()).toEqual([1, 2, 3, 4]);
    expect(socket.reads).toBe(before + 1);
  });

  it('closes the socket with 1011 when a gap cannot be read', async () => {
    const socket = createDelivery(upTo(1));
    await socket.outbound.start(0, 1, false);
    const broken = new Error('the log cannot be read');
    socket.far.read = () => Promise.reject(broken);
    socket.publish(event(3));
    await settled();
    expect(socket.failures).toEqual([broken]);
    expect(socket.closes).toEqual([1011]);
  });
});

describe('a socket that is still sent the replay', () => {
  it('buffers direct and bus events during the replay, and sends both in order', async () => {
    const log = upTo(3);
    const socket = createDelivery(log, { isPatient: true });
    const started = socket.outbound.start(0, 3, false);
    await settled();
    socket.publish(event(3), event(4));
    socket.outbound.deliver(event(null));
    socket.publish(event(5));
    expect(socket.sequences()).toEqual([1, 2, 3]);
    socket.taken.shift()?.();
    await started;
    expect(socket.sequences()).toEqual([1, 2, 3, 4, null, 5]);
    // SESSION_START and the replay; nothing was missing.
    expect(socket.reads).toBe(2);
    socket.publish(event(6));
    expect(socket.sequences().at(-1)).toBe(6);
  });

  it('reads events from the log beyond the 2,000 that it buffers', async () => {
    const log = upTo(1);
    const socket = createDelivery(log, { isPatient: true });
    const started = socket.outbound.start(0, 1, false);
    await settled();
    const live = upTo(2_003).slice(1);
    log.push(...live);
    socket.publish(...live);
    // A transient event, which is dropped above the limit.
    socket.outbound.deliver(event(null));
    while (socket.sequences().length < 2_003) {
      socket.taken.shift()?.();
      await settled();
    }
    socket.taken.shift()?.();
    await started;
    expect(socket.sequences()).toEqual(upTo(2_003).map(({ sequence }) => sequence));
  });

  it('sends nothing more after stop, neither replay nor buffered events, and does not close the socket', async () => {
    // Each event in a separate frame.
    const socket = createDelivery(upTo(3), { isPatient: true, maxFrameBytes: 1 });
    const started = socket.outbound.start(0, 3, false);
    await settled();
    socket.publish(event(4));
    socket.outbound.stop();
    socket.publish(event(5));
    socket.taken.shift()?.();
    await started;
    expect(socket.sequences()).toEqual([1]);
    expect([...socket.closes, ...socket.failures]).toEqual([]);
  });

  it('closes the socket of an ended session with 1000 after the replay, and sends nothing else', async () => {
    const socket = createDelivery(upTo(2), { isPatient: true });
    const started = socket.outbound.start(0, 2, true);
    await settled();
    socket.outbound.deliver(event(null));
    expect(socket.closes).toEqual([]);
    socket.taken.shift()?.();
    await started;
    expect(socket.sequences()).toEqual([1, 2]);
    expect(socket.closes).toEqual([1000]);
  });

  it('closes the socket with 1011 when the log cannot be read, unless it closed meanwhile', async () => {
    for (const isStopped of [false, true]) {
      const socket = createDelivery([]);
      const broken = new Error('the log cannot be read');
      socket.far.read = () => Promise.reject(broken);
      const started = socket.outbound.start(0, 1, false);
      if (isStopped) socket.outbound.stop();
      await started;
      expect(socket.failures).toEqual(isStopped ? [] : [broken]);
      expect(socket.closes).toEqual(isStopped ? [] : [1011]);
    }
  });
});
