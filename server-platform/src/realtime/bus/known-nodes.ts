import type { Clock } from '../../kit/clock.ts';

// Three missed beacons.
export const SILENCE_MS = 7_000;
// After this silence, no packets of a node can still be in flight.
const FORGET_MS = 60_000;

/** The other nodes on the bus and the time of each node's last message. */
export class KnownNodes {
  readonly #clock: Clock;
  /**
   * Time of the last packet by node. A crashed node stays listed, because it looks like a disconnected one.
   */
  readonly #seenAtMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#seenAtMs.size === 0;
  }

  /** Nodes that sent a message recently. */
  get recent(): readonly string[] {
    return [...this.#seenAtMs.keys()].filter((node) => this.isRecent(node));
  }

  /** Nodes that have no packets in flight any more. */
  get longSilent(): readonly string[] {
    const nowMs = this.#clock.now();
    return [...this.#seenAtMs].filter(([, atMs]) => nowMs - atMs > FORGET_MS).map(([node]) => node);
  }

  isRecent(node: string): boolean {
    return this.#clock.now() - (this.#seenAtMs.get(node) ?? Number.NEGATIVE_INFINITY) < SILENCE_MS;
  }

  markSeen(node: string): void {
    this.#seenAtMs.set(node, this.#clock.now());
  }

  remove(node: string): void {
    this.#seenAtMs.delete(node);
  }
}
