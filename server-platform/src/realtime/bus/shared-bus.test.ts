import type { OutgoingEvent } from 'natter/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import type { BusMessage } from './bus.ts';
import type { BusLink, BusLinkListener, BusSubjects } from './bus-link.ts';
import { isPeerError } from './peers.ts';
import { type SharedBus, startSharedBus } from './shared-bus.ts';

/** An in-memory medium with a link for every node. */
class Medium {
  readonly #listeners = new Map<string, BusLinkListener>();
  readonly #followed = new Set<string>();
  readonly sent: string[] = [];
  /** Decides whether a packet is delivered to a node. */
  deliver: (packet: string, to: string) => boolean = () => true;
  readonly hasSubjects: boolean;

  constructor(hasSubjects = false) {
    this.hasSubjects = hasSubjects;
  }

  /** Simulates a killed node. */
  disconnect(node: string): void {
    this.#listeners.delete(node);
  }

  #subjects(node: string): BusSubjects {
    return {
      follow: async (shard) => void this.#followed.add(`${node} ${shard}`),
      unfollow: (shard) => void this.#followed.delete(`${node} ${shard}`),
      request: async (to, question) => {
        const asked = this.#listeners.get(to);
        if (asked === undefined) return { status: 'no_responder' };
        if (!this.deliver(question, to)) return { status: 'unanswered' };
        const answer = await asked.onRequest(question);
        return this.deliver(answer, node) ? { status: 'answered', answer } : { status: 'unanswered' };
      },
    };
  }

  link(node: string): BusLink {
    return {
      maxPacketLength: 200,
      subjects: this.hasSubjects ? this.#subjects(node) : null,
      open: (listener) => {
        this.#listeners.set(node, listener);
        listener.onUp();
      },
      send: async (packets) => {
        for (const { packet, shard } of packets) {
          this.sent.push(packet);
          for (const [to, { onPacket }] of this.#listeners) {
            const isReceived = shard === null || this.#followed.has(`${to} ${shard}`);
            if (isReceived && this.deliver(packet, to)) onPacket(packet, shard);
          }
        }
      },
      reset: () => void setImmediate(() => this.#listeners.get(node)?.onUp()),
      close: async () => void this.#listeners.delete(node),
    };
  }
}

const codeOf = (error: unknown): unknown => (isPeerError(error) ? error.code : error);

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

describe.each([
  { medium: 'one subject for all', hasSubjects: false },
  { medium: 'subjects', hasSubjects: true },
])('a bus between nodes, over $medium', ({ hasSubjects }) => {
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
    const received: BusMessage[] = [];
    bus.subscribe('s', (each) => received.push(each));
    return received;
  };
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('delivers to subscribers on every node, and sends nothing while the node is alone', async () => {
    const medium = new Medium(hasSubjects);
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
    two.bus.deliverLocal('s', message(4));
    await settle();
    expect(here).toEqual([message(2), message(3)]);
    expect(there).toEqual([message(3), message(4), message(2)]);
  });

  it('reports a possible loss once the next packet shows that one is missing', async () => {
    const medium = new Medium(hasSubjects);
    const one = await start(medium, 'one');
    const two = await start(medium, 'two');
    await settle();
    const there = hear(two);
    one.bus.publish('s', message(0));
    await settle();
    let losses = 0;
    two.peers.onPossibleLoss(() => {
      losses += 1;
    });
    medium.deliver = (_packet, to) => to !== 'two';
    one.bus.publish('s', message(1));
    await settle();
    medium.deliver = () => true;
    expect(losses).toBe(0);
    one.bus.publish('s', message(2));
    await settle();
    expect([losses, there]).toEqual([1, [message(0), message(2)]]);
  });

  it('executes a request once, however often request and response are lost', async () => {
    const medium = new Medium(hasSubjects);
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

  it('gives the reason for a failed call', async () => {
    const medium = new Medium(hasSubjects);
    const one = await start(medium, 'one');
    const two = await start(medium, 'two');
    await settle();
    const outcomeOf = (call: Promise<unknown>): Promise<unknown> => call.catch(codeOf);
    two.peers.answer('fail', () => Promise.reject(new Error('on purpose')));
    two.peers.answer('hang', () => new Promise(() => {}));
    expect(await outcomeOf(one.peers.call('nobody', 'fail', null, 1_000))).toBe('unreachable');
    expect(await outcomeOf(one.peers.call('two', 'fail', null, 1_000))).toBe('failed');
    expect(failures.map(String)).toEqual(['Error: on purpose']);
    const slow = outcomeOf(one.peers.call('two', 'hang', null, 1_500));
    clock.skip(1_000);
    clock.skip(1_000);
    expect(await slow).toBe('unanswered');
    const left = outcomeOf(one.peers.call('two', 'hang', null, 60_000));
    await two.bus.close();
    expect(await left).toBe('unanswered');
    expect(one.peers.isAlone).toBe(true);
  });

  it('responds that a handler is not ready, without an error, until it is registered', async () => {
    const medium = new Medium(hasSubjects);
    const one = await start(medium, 'one');
    const two = await start(medium, 'two');
    await settle();
    expect(await one.peers.call('two', 'count', null, 60_000).catch(codeOf)).toBe('unreachable');
    two.peers.answer('count', async () => 1);
    expect(await one.peers.call('two', 'count', null, 60_000)).toBe(1);
    expect(failures).toEqual([]);
  });

  it('detects its own disconnection by a missing heartbeat, and which nodes are silent', async () => {
    const medium = new Medium(hasSubjects);
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

describe('a bus over subjects', () => {
  const open: SharedBus[] = [];
  const clock = createSkippingClock();
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const start = async (medium: Medium, node: string): Promise<SharedBus> => {
    const link = medium.link(node);
    const started = await startSharedBus({ node, link, clock, onFailure: () => {} });
    open.push(started);
    return started;
  };
  afterEach(async () => {
    for (const { bus } of open.splice(0)) await bus.close();
  });

  it('delivers only followed sessions to a node, and unsubscribes some time after the last', async () => {
    const medium = new Medium(true);
    const one = await start(medium, 'one');
    const two = await start(medium, 'two');
    await settle();
    let doubts = 0;
    two.peers.onPossibleLoss(() => {
      doubts += 1;
    });
    const received: unknown[] = [];
    for (const id of ['a', 'b']) two.bus.subscribeLocal(id, (each) => received.push([id, each]));
    const unfollow = two.bus.follow('a');
    await settle();
    // Messages sent before the subscription were not received.
    expect(doubts).toBe(1);
    const say = async (sequence: number): Promise<void> => {
      for (const id of ['a', 'b']) one.bus.publish(id, message(sequence));
      await settle();
    };
    await say(1);
    expect(received).toEqual([['a', message(1)]]);
    unfollow();
    await say(2);
    for (let beacon = 0; beacon < 16; beacon += 1) {
      clock.skip(2_000);
      await settle();
    }
    await say(3);
    expect(received).toEqual([
      ['a', message(1)],
      ['a', message(2)],
    ]);
    two.bus.follow('a');
    await settle();
    await say(4);
    expect(received.at(-1)).toEqual(['a', message(4)]);
    // A new subscription; packets sent while unsubscribed are not a gap.
    expect(doubts).toBe(2);
  });

  it('reports immediately that no node of that name exists', async () => {
    const medium = new Medium(true);
    const one = await start(medium, 'one');
    await start(medium, 'two');
    await settle();
    medium.disconnect('two');
    const code = await one.peers.call('two', 'count', null, 60_000).catch(codeOf);
    expect(code).toBe('unreachable');
  });
});
