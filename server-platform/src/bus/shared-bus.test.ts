import type { OutgoingEvent } from 'natter/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { createSkippingClock } from '../messaging/testing/skipping-clock.ts';
import type { BusMessage } from './bus.ts';
import type { BusLink, BusLinkListener } from './bus-link.ts';
import { isPeerError } from './peers.ts';
import { type SharedBus, startSharedBus } from './shared-bus.ts';

/** A medium in memory to which every node has a link. */
class Medium {
  readonly #listeners = new Map<string, BusLinkListener>();
  readonly sent: string[] = [];
  /** What becomes of a packet on its way to a node. */
  deliver: (packet: string, to: string) => boolean = () => true;

  link(node: string): BusLink {
    return {
      maxPacketLength: 200,
      open: (listener) => {
        this.#listeners.set(node, listener);
        listener.onUp();
      },
      send: async (packets) => {
        this.sent.push(...packets);
        for (const packet of packets)
          for (const [to, { onPacket }] of this.#listeners) if (this.deliver(packet, to)) onPacket(packet);
      },
      reset: () => void setImmediate(() => this.#listeners.get(node)?.onUp()),
      close: async () => void this.#listeners.delete(node),
    };
  }
}

const message = (sequence: number): BusMessage => {
  const event: OutgoingEvent = {
    id: `event-${sequence}`,
    sequence,
    timestampMs: 0,
    type: 'EVENT_TYPE_AGENT_MESSAGE',
    payload: { text: 'x'.repeat(100) },
    custom: null,
  };
  return { kind: 'events', events: [event] };
};

describe('a bus between nodes', () => {
  const open: SharedBus[] = [];
  const clock = createSkippingClock();
  const failures: unknown[] = [];
  afterEach(async () => {
    for (const { bus } of open.splice(0)) await bus.close();
    failures.length = 0;
  });
  const start = async (medium: Medium, node: string): Promise<SharedBus> => {
    const started = await startSharedBus({
      node,
      link: medium.link(node),
      clock,
      onFailure: (_what, error) => failures.push(error),
    });
    open.push(started);
    return started;
  };
  const hear = ({ bus }: SharedBus): BusMessage[] => {
    const heard: BusMessage[] = [];
    bus.subscribe('s', (each) => heard.push(each));
    return heard;
  };
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('tells the subscribers of every node, and says nothing while it is alone', async () => {
    const medium = new Medium();
    const one = await start(medium, 'one');
    expect(one.peers.isAlone).toBe(true);
    one.bus.publish('s', message(1));
    await settle();
    expect(medium.sent.join('')).not.toContain('event-1');
    const two = await start(medium, 'two');
    await settle();
    expect([one.peers.names, two.peers.names]).toEqual([['two'], ['one']]);
    const [here, there] = [hear(one), hear(two)];
    one.bus.publish('s', message(2));
    two.bus.publish('s', message(3));
    two.bus.deliverHere('s', message(4));
    await settle();
    expect(here).toEqual([message(2), message(3)]);
    expect(there).toEqual([message(3), message(4), message(2)]);
  });

  it('raises doubt when a packet is missing, once the next one shows it', async () => {
    const medium = new Medium();
    const one = await start(medium, 'one');
    const two = await start(medium, 'two');
    await settle();
    let doubts = 0;
    two.peers.onPossibleLoss(() => {
      doubts += 1;
    });
    const there = hear(two);
    medium.deliver = (_packet, to) => to !== 'two';
    one.bus.publish('s', message(1));
    await settle();
    medium.deliver = () => true;
    expect(doubts).toBe(0);
    one.bus.publish('s', message(2));
    await settle();
    expect([doubts, there]).toEqual([1, [message(2)]]);
  });

  it('carries a question out once, however often question and answer are lost', async () => {
    const medium = new Medium();
    const one = await start(medium, 'one');
    const two = await start(medium, 'two');
    await settle();
    let asked = 0;
    two.peers.answer('count', async (body) => {
      asked += 1;
      return { body, asked };
    });
    let lost = 0;
    medium.deliver = (packet, to) => {
      const isAnswer = to === 'one' && packet.includes('"result"');
      if (isAnswer && lost < 2) {
        lost += 1;
        return false;
      }
      return true;
    };
    const answer = one.peers.call('two', 'count', 'how many', 10_000);
    for (let second = 0; second < 3; second += 1) {
      await settle();
      clock.skip(1_000);
    }
    expect(await answer).toEqual({ body: 'how many', asked: 1 });
    expect(lost).toBe(2);
  });

  it('says why a question came to nothing', async () => {
    const medium = new Medium();
    const one = await start(medium, 'one');
    const two = await start(medium, 'two');
    await settle();
    const codeOf = (call: Promise<unknown>): Promise<unknown> =>
      call.catch((error: unknown) => (isPeerError(error) ? error.code : error));
    two.peers.answer('fail', () => Promise.reject(new Error('on purpose')));
    two.peers.answer('hang', () => new Promise(() => {}));
    expect(await codeOf(one.peers.call('nobody', 'fail', null, 1_000))).toBe('unreachable');
    expect(await codeOf(one.peers.call('two', 'fail', null, 1_000))).toBe('failed');
    expect(failures.map(String)).toEqual(['Error: on purpose']);
    const slow = codeOf(one.peers.call('two', 'hang', null, 1_500));
    clock.skip(1_000);
    clock.skip(1_000);
    expect(await slow).toBe('unanswered');
    const left = codeOf(one.peers.call('two', 'hang', null, 60_000));
    await two.bus.close();
    expect(await left).toBe('unanswered');
    expect(one.peers.isAlone).toBe(true);
  });

  it('knows that it is cut off when it does not hear itself, and who has fallen silent', async () => {
    const medium = new Medium();
    const one = await start(medium, 'one');
    await start(medium, 'two');
    await settle();
    medium.deliver = (packet) => !packet.startsWith('two ');
    for (let beacon = 0; beacon < 4; beacon += 1) {
      clock.skip(2_000);
      await settle();
    }
    expect([one.peers.isUp, one.peers.canReach('two'), one.peers.isAlone]).toEqual([true, false, false]);
    medium.deliver = () => false;
    clock.skip(8_000);
    expect(one.peers.isUp).toBe(false);
    medium.deliver = () => true;
    clock.skip(2_000);
    await settle();
    clock.skip(2_000);
    await settle();
    expect([one.peers.isUp, one.peers.canReach('two')]).toEqual([true, true]);
  });
});
