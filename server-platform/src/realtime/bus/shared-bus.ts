import { randomUUID } from 'node:crypto';
import type { Clock } from '../../kit/clock.ts';
import type { Bus, BusMessage } from './bus.ts';
import type { BusLink } from './bus-link.ts';
import { FollowedShards, shardOf } from './followed-shards.ts';
import { createInProcessBus } from './in-process-bus.ts';
import { KnownNodes, SILENCE_MS } from './known-nodes.ts';
import { NodeCalls } from './node-calls.ts';
import { decodeNodeMessage, type NodeMessage } from './node-message.ts';
import { OutgoingMessages } from './outgoing-messages.ts';
import { PacketReader, type Shard } from './packets.ts';
import type { Peers } from './peers.ts';

/** Options of {@link startSharedBus}. */
export interface SharedBusOptions {
  /** Name of this node, without spaces; different at every start. */
  readonly node: string;
  readonly link: BusLink;
  readonly clock: Clock;
  readonly onFailure: (what: string, error: unknown) => void;
}

/** A bus between nodes, with its members. */
export interface SharedBus {
  readonly bus: Bus;
  readonly peers: Peers;
}

const BEACON_MS = 2_000;
// How long the platform's start waits for the bus before it continues without.
const START_TIMEOUT_MS = 3_000;

/**
 * Starts a bus over a link. Resolves when the bus carries messages, or after some seconds without a connection.
 *
 * Every node sends a beacon every two seconds and must receive its own, which proves both directions. Gaps in packet
 * numbers reveal losses.
 *
 * If the medium has subjects, the events of a session go to the subject of its shard, and a node subscribes only to the
 * shards of sessions that it follows.
 */
export async function startSharedBus(options: SharedBusOptions): Promise<SharedBus> {
  const shared = new LinkedBus(options);
  await shared.start();
  return { bus: shared, peers: shared };
}

class LinkedBus implements Bus, Peers {
  readonly isShared = true;
  readonly #options: SharedBusOptions;
  readonly #local = createInProcessBus();
  readonly #outgoing: OutgoingMessages;
  readonly #reader = new PacketReader();
  /** `null`: the medium has no subjects. */
  readonly #shards: FollowedShards | null;
  readonly #calls: NodeCalls;
  readonly #nodes: KnownNodes;
  readonly #lossListeners: (() => void)[] = [];
  #sending: Promise<void> | null = null;
  #isLinkUp = false;
  #upAtMs = 0;
  /** Time of this node's last own message that came back; the link works only while they do. */
  #ownReceivedAtMs = Number.NEGATIVE_INFINITY;
  #hasReportedOutage = false;
  #cancelBeacon: () => void = () => {};
  #onFirstUp: () => void = () => {};

  constructor(options: SharedBusOptions) {
    const { node, link, clock } = options;
    this.#options = options;
    this.#nodes = new KnownNodes(clock);
    const { subjects } = link;
    this.#outgoing = new OutgoingMessages(node, link.maxPacketLength);
    this.#shards =
      subjects === null
        ? null
        : new FollowedShards({
            subjects,
            onFollowed: () => this.#reportPossibleLoss(),
            onUnfollowed: (shard) => this.#reader.forgetShard(shard),
          });
    this.#calls = new NodeCalls({
      clock,
      node,
      canReach: (name) => this.canReach(name),
      send: (line) => this.#send(line),
      request:
        subjects === null ? null : (name, question, timeoutMs) => subjects.request(name, question, timeoutMs),
      createId: randomUUID,
      onFailure: (error) => options.onFailure('respond to another node', error),
    });
  }

  async start(): Promise<void> {
    const { link, clock } = this.#options;
    const isUp = new Promise<void>((resolve) => {
      this.#onFirstUp = resolve;
      clock.setTimer(resolve, START_TIMEOUT_MS);
    });
    link.open({
      onPacket: (packet, shard) => this.#onPacket(packet, shard),
      onRequest: (question) => this.#calls.onRequest(question),
      onUp: () => {
        this.#isLinkUp = true;
        this.#upAtMs = clock.now();
        this.#send({ kind: 'hello' });
      },
      onDown: (error) => this.#goDown(error),
    });
    this.#scheduleBeacon();
    await isUp;
  }

  get isUp(): boolean {
    return this.#isLinkUp && this.#isRecent(this.#ownReceivedAtMs);
  }

  get isAlone(): boolean {
    return this.isUp && this.#nodes.isEmpty;
  }

  get names(): readonly string[] {
    return this.#nodes.recent;
  }

  canReach(node: string): boolean {
    return this.isUp && this.#nodes.isRecent(node);
  }

  call(node: string, ask: string, body: unknown, timeoutMs: number): Promise<unknown> {
    return this.#calls.call(node, ask, body, timeoutMs);
  }

  answer(ask: string, handler: (body: unknown) => Promise<unknown>): void {
    this.#calls.answer(ask, handler);
  }

  onPossibleLoss(listener: () => void): void {
    this.#lossListeners.push(listener);
  }

  publish(sessionId: string, message: BusMessage): void {
    this.#local.publish(sessionId, message);
    if (this.#nodes.isEmpty) return;
    this.#send({ kind: 'session', sessionId, message }, this.#shards === null ? null : shardOf(sessionId));
  }

  deliverLocal(sessionId: string, message: BusMessage): void {
    this.#local.publish(sessionId, message);
  }

  subscribe(sessionId: string, listener: (message: BusMessage) => void): () => void {
    const unsubscribe = this.#local.subscribe(sessionId, listener);
    const unfollow = this.follow(sessionId);
    return () => {
      unsubscribe();
      unfollow();
    };
  }

  subscribeLocal(sessionId: string, listener: (message: BusMessage) => void): () => void {
    return this.#local.subscribe(sessionId, listener);
  }

  follow(sessionId: string): () => void {
    const shards = this.#shards;
    if (shards === null) return () => {};
    const shard = shardOf(sessionId);
    shards.add(shard);
    let isFollowed = true;
    return () => {
      if (isFollowed) shards.remove(shard, this.#options.clock.now());
      isFollowed = false;
    };
  }

  async close(): Promise<void> {
    this.#cancelBeacon();
    this.#send({ kind: 'bye' });
    // The wait is bounded: if sending hangs, the other nodes notice the silence.
    await Promise.race([this.#sending, new Promise((resolve) => setTimeout(resolve, 1_000))]);
    this.#calls.close();
    await this.#options.link.close();
    await this.#local.close();
  }

  #isRecent(atMs: number): boolean {
    return this.#options.clock.now() - atMs < SILENCE_MS;
  }

  #send(line: NodeMessage, shard: Shard = null): void {
    if (!this.#isLinkUp) this.#outgoing.skip(shard);
    else if (this.#outgoing.add(line, shard)) this.#sending ??= this.#sendWaiting();
  }

  /** Sends queued messages; those queued while earlier packets were in flight share packets. */
  async #sendWaiting(): Promise<void> {
    // Lets other messages of this event loop turn join the packet.
    await Promise.resolve();
    while (!this.#outgoing.isEmpty) {
      try {
        await this.#options.link.send(this.#outgoing.take());
      } catch (error) {
        // Lost. Other nodes see the gap with this node's next packet.
        this.#reportOutageOnce(error);
      }
    }
    // Reset here, not after the promise has settled: a message in between would wait for the next one.
    this.#sending = null;
  }

  #onPacket(packet: string, shard: Shard): void {
    const { node, clock } = this.#options;
    if (packet.startsWith(`${node} `)) {
      if (shard !== null) return;
      const wasUp = this.isUp;
      this.#ownReceivedAtMs = clock.now();
      if (wasUp) return;
      this.#hasReportedOutage = false;
      this.#onFirstUp();
      this.#reportPossibleLoss();
      return;
    }
    // The packet was in flight when its subscription ended.
    if (shard !== null && this.#shards?.has(shard) !== true) return;
    const content = this.#reader.read(packet, shard);
    if (content === null) return;
    const isNews = content.hasGap || !this.#nodes.isRecent(content.node);
    this.#nodes.markSeen(content.node);
    for (const text of content.lines) {
      const line = decodeNodeMessage(text);
      if (line !== null) this.#onLine(content.node, line);
    }
    if (isNews) this.#reportPossibleLoss();
  }

  #onLine(from: string, line: NodeMessage): void {
    switch (line.kind) {
      case 'session':
        this.#local.publish(line.sessionId, line.message);
        break;
      case 'hello':
        this.#sendBeacon();
        break;
      case 'beacon':
        break;
      case 'bye':
        this.#nodes.remove(from);
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

  #sendBeacon(): void {
    this.#send({ kind: 'beacon' });
  }

  #scheduleBeacon(): void {
    const { clock, link } = this.#options;
    this.#cancelBeacon = clock.setTimer(() => {
      this.#scheduleBeacon();
      this.#sendBeacon();
      this.#shards?.sweep(clock.now());
      for (const node of this.#nodes.longSilent) this.#reader.forget(node);
      if (!this.#isLinkUp || this.#isRecent(Math.max(this.#upAtMs, this.#ownReceivedAtMs))) return;
      this.#goDown(new Error('Lost the connection to the message bus.'));
      link.reset();
    }, BEACON_MS);
  }

  #goDown(error: unknown): void {
    this.#isLinkUp = false;
    this.#ownReceivedAtMs = Number.NEGATIVE_INFINITY;
    this.#outgoing.drop();
    this.#reportOutageOnce(error);
    this.#reportPossibleLoss();
  }

  /** Reports once per outage of the bus. */
  #reportOutageOnce(error: unknown): void {
    if (!this.#hasReportedOutage) this.#options.onFailure('reach the other nodes', error);
    this.#hasReportedOutage = true;
  }

  #reportPossibleLoss(): void {
    for (const listener of this.#lossListeners) listener();
  }
}
