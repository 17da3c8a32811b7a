/**
 * What a node has to say is a stream of lines of ASCII. A packet is a piece of it: `{node} {number} {+|-} {text}`, with
 * `+` when the text begins inside a line. So small messages share a packet and large ones take several, and a node that
 * misses a packet detects it by the number and continues at the next line.
 */
export class PacketWriter {
  readonly #node: string;
  readonly #maxLength: number;
  #number = 0;

  /** `node` must hold no space. `maxLength` is that of a packet, head and all. */
  constructor(node: string, maxLength: number) {
    this.#node = node;
    this.#maxLength = maxLength;
  }

  /** Cuts whole lines, each with its line feed, into packets. */
  write(lines: string): readonly string[] {
    const packets: string[] = [];
    let isInside = false;
    for (let start = 0; start < lines.length; ) {
      const head: string = `${this.#node} ${this.#number} ${isInside ? '+' : '-'} `;
      const end: number = start + this.#maxLength - head.length;
      packets.push(head + lines.slice(start, end));
      this.#number += 1;
      isInside = end < lines.length && lines[end - 1] !== '\n';
      start = end;
    }
    return packets;
  }

  /** Something is not sent: readers will see a gap. */
  skip(): void {
    this.#number += 1;
  }
}

/** What a packet held. */
export interface PacketContent {
  readonly node: string;
  readonly lines: readonly string[];
  /** Packets of this node are missing before this one. */
  readonly hasGap: boolean;
}

const PACKET = /^(\S+) (\d+) ([+-]) ([\s\S]*)$/;

/** The subject of packets: a number, or `null` for the one that every node receives. Each node numbers the packets of each. */
export type Shard = number | null;

interface PacketStream {
  next: number;
  begun: string | null;
}

/** Puts the lines of several nodes together again. */
export class PacketReader {
  readonly #streams = new Map<string, Map<Shard, PacketStream>>();

  /** `null` for a message that is no packet, or an old packet. */
  read(packet: string, shard: Shard): PacketContent | null {
    const [, node, digits, mark, text] = PACKET.exec(packet) ?? [];
    if (node === undefined || text === undefined) return null;
    const number = Number(digits);
    const streams = this.#streams.get(node) ?? new Map<Shard, PacketStream>();
    this.#streams.set(node, streams);
    const stream = streams.get(shard) ?? { next: number, begun: null };
    streams.set(shard, stream);
    if (number < stream.next) return null;
    const hasGap = number > stream.next;
    stream.next = number + 1;
    const lines = text.split('\n');
    const begun = mark === '-' ? '' : hasGap ? null : stream.begun;
    const last = lines.pop() ?? '';
    const [first, ...others] = lines;
    // A line whose beginning was lost is of no use.
    if (first === undefined) {
      stream.begun = begun === null ? null : begun + last;
      return { node, lines: [], hasGap };
    }
    stream.begun = last;
    return { node, lines: begun === null ? others : [begun + first, ...others], hasGap };
  }

  /** A node is gone, or silent: its next packets are no gap. */
  forget(node: string): void {
    this.#streams.delete(node);
  }

  /** This node unsubscribed from a subject: later packets there are no gap. */
  forgetShard(shard: Shard): void {
    for (const streams of this.#streams.values()) streams.delete(shard);
  }
}
