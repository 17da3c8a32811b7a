import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Bus, BusMessage } from './bus.ts';
import { type BusLine, decodeLine, encodeLine } from './bus-line.ts';
import type { BusLink } from './bus-link.ts';
import { createInProcessBus } from './in-process-bus.ts';
import { NodeCalls } from './node-calls.ts';
import { PacketReader, PacketWriter } from './packets.ts';
import type { Peers } from './peers.ts';

/** What a bus between nodes is started with. */
export interface SharedBusOptions {
  /** Name of this node, without spaces; another one at every start. */
  readonly node: string;
  readonly link: BusLink;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** A bus between nodes, and who is on it. */
export interface SharedBus {
  readonly bus: Bus;
  readonly peers: Peers;
}

const BEACON_MS = 2_000;
// Three beacons that did not come.
const SILENCE_MS = 7_000;
// What may wait for the link. More is lost, and found in the log.
const MAX_WAITING_CHARACTERS = 8_388_608;
// A platform that starts waits this long for the bus, and does without it for the time being.
const START_TIMEOUT_MS = 3_000;

/**
 * Starts a bus over a link. Resolves when it carries messages, or after some seconds without.
 *
 * Every node sends a beacon every two seconds, and gets its own back: by that it knows that the link works both ways. What
 * a node misses it notices by the numbers of the packets.
 */
export async function startSharedBus(options: SharedBusOptions): Promise<SharedBus> {
  const shared = new LinkedBus(options);
  await shared.start();
  return { bus: shared, peers: shared };
}

class LinkedBus implements Bus, Peers {
  readonly isShared = true;
  readonly #options: SharedBusOptions;
  readonly #here = createInProcessBus();
  readonly #writer: PacketWriter;
  readonly #reader = new PacketReader();
  readonly #calls: NodeCalls;
  /** Time of the last message by node. A crashed node stays, because it looks like one that is cut off. */
  readonly #heardAtMs = new Map<string, number>();
  readonly #doubters: (() => void)[] = [];
  #waiting = '';
  #sending: Promise<void> | null = null;
  #isLinkUp = false;
  #upAtMs = 0;
  /** What a node says comes back to it: only then does the link carry anything. */
  #ownHeardAtMs = Number.NEGATIVE_INFINITY;
  #hasComplained = false;
  #cancelBeacon: () => void = () => {};
  #onFirstUp: () => void = () => {};

  constructor(options: SharedBusOptions) {
    const { node, link, clock } = options;
    this.#options = options;
    this.#writer = new PacketWriter(node, link.maxPacketLength);
    this.#calls = new NodeCalls({
      clock,
      canReach: (name) => this.canReach(name),
      send: (line) => this.#say(line),
      createId: randomUUID,
      onFailure: (error) => options.onFailure('answer another node', error),
    });
  }

  async start(): Promise<void> {
    const { link, clock } = this.#options;
    const isUp = new Promise<void>((resolve) => {
      this.#onFirstUp = resolve;
      clock.setTimer(resolve, START_TIMEOUT_MS);
    });
    link.open({
      onPacket: (packet) => this.#onPacket(packet),
      onUp: () => {
        this.#isLinkUp = true;
        this.#upAtMs = clock.now();
        this.#say({ kind: 'hello' });
      },
      onDown: (error) => this.#goDown(error),
    });
    this.#scheduleBeacon();
    await isUp;
  }

  get isUp(): boolean {
    return this.#isLinkUp && this.#isRecent(this.#ownHeardAtMs);
  }

  get isAlone(): boolean {
    return this.isUp && this.#heardAtMs.size === 0;
  }

  get names(): readonly string[] {
    return [...this.#heardAtMs.keys()].filter((node) => this.#isHeard(node));
  }

  canReach(node: string): boolean {
    return this.isUp && this.#isHeard(node);
  }

  call(node: string, ask: string, body: unknown, timeoutMs: number): Promise<unknown> {
    return this.#calls.call(node, ask, body, timeoutMs);
  }

  answer(ask: string, handler: (body: unknown) => Promise<unknown>): void {
    this.#calls.answer(ask, handler);
  }

  onPossibleLoss(listener: () => void): void {
    this.#doubters.push(listener);
  }

  publish(sessionId: string, message: BusMessage): void {
    this.#here.publish(sessionId, message);
    if (this.#heardAtMs.size > 0) this.#say({ kind: 'session', sessionId, message });
  }

  deliverHere(sessionId: string, message: BusMessage): void {
    this.#here.publish(sessionId, message);
  }

  subscribe(sessionId: string, listener: (message: BusMessage) => void): () => void {
    return this.#here.subscribe(sessionId, listener);
  }

  async close(): Promise<void> {
    this.#cancelBeacon();
    this.#say({ kind: 'bye' });
    // One that hangs is not waited for: the others notice the silence.
    await Promise.race([this.#sending, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    this.#calls.close();
    await this.#options.link.close();
    await this.#here.close();
  }

  #isHeard(node: string): boolean {
    return this.#isRecent(this.#heardAtMs.get(node) ?? Number.NEGATIVE_INFINITY);
  }

  #isRecent(atMs: number): boolean {
    return this.#options.clock.now() - atMs < SILENCE_MS;
  }

  #say(line: BusLine): void {
    const text = this.#isLinkUp ? encodeLine(line) : null;
    if (text === null || this.#waiting.length + text.length > MAX_WAITING_CHARACTERS) {
      this.#writer.skip();
      return;
    }
    this.#waiting += text;
    this.#sending ??= this.#sendWaiting();
  }

  /** Messages that were queued while earlier packets were in flight share the next packets. */
  async #sendWaiting(): Promise<void> {
    // What else is said in this turn of the event loop comes along.
    await Promise.resolve();
    while (this.#waiting !== '') {
      const packets = this.#writer.write(this.#waiting);
      this.#waiting = '';
      try {
        await this.#options.link.send(packets);
      } catch (error) {
        // Lost. The others see the gap as soon as they hear this node again.
        this.#complain(error);
      }
    }
    // Here, and not when the promise has settled: a message in between would wait for the next one.
    this.#sending = null;
  }

  #onPacket(packet: string): void {
    const { node, clock } = this.#options;
    if (packet.startsWith(`${node} `)) {
      const wasUp = this.isUp;
      this.#ownHeardAtMs = clock.now();
      if (wasUp) return;
      this.#hasComplained = false;
      this.#onFirstUp();
      this.#doubt();
      return;
    }
    const content = this.#reader.read(packet);
    if (content === null) return;
    const isNews = content.hasGap || !this.#isHeard(content.node);
    this.#heardAtMs.set(content.node, clock.now());
    for (const text of content.lines) {
      const line = decodeLine(text);
      if (line !== null) this.#onLine(content.node, line);
    }
    if (isNews) this.#doubt();
  }

  #onLine(from: string, line: BusLine): void {
    switch (line.kind) {
      case 'session':
        this.#here.publish(line.sessionId, line.message);
        break;
      case 'hello':
        this.#say({ kind: 'beacon' });
        break;
      case 'beacon':
        break;
      case 'bye':
        this.#heardAtMs.delete(from);
        this.#reader.forget(from);
        this.#calls.forget(from);
        break;
      case 'call':
        if (line.to === this.#options.node) this.#calls.onCall(from, line);
        break;
      case 'result':
        if (line.to === this.#options.node) this.#calls.onResult(line);
    }
  }

  #scheduleBeacon(): void {
    const { clock, link } = this.#options;
    this.#cancelBeacon = clock.setTimer(() => {
      this.#scheduleBeacon();
      this.#say({ kind: 'beacon' });
      if (!this.#isLinkUp || this.#isRecent(Math.max(this.#upAtMs, this.#ownHeardAtMs))) return;
      this.#goDown(new Error('The bus carries nothing any more.'));
      link.reset();
    }, BEACON_MS);
  }

  #goDown(error: unknown): void {
    this.#isLinkUp = false;
    this.#ownHeardAtMs = Number.NEGATIVE_INFINITY;
    this.#waiting = '';
    this.#writer.skip();
    this.#complain(error);
    this.#doubt();
  }

  /** Once for each time the bus is away. */
  #complain(error: unknown): void {
    if (!this.#hasComplained) this.#options.onFailure('reach the other nodes', error);
    this.#hasComplained = true;
  }

  #doubt(): void {
    for (const listener of this.#doubters) listener();
  }
}
