/**
 * A node's messages form a stream of ASCII lines, which is cut into packets: `{node} {number} {+|-} {text}`, with `+`
 * when the text begins in the middle of a line. Small messages share a packet and large ones span several. A receiver
 * detects a lost packet by its number and resumes at the next line.
 */
export class PacketWriter {
  readonly #node: string;
  readonly #maxLength: number;
  #number = 0;

  /** `node` must not contain spaces. `maxLength` is the length of a whole packet, including its header. */
  constructor(node: string, maxLength: number) {
    this.#node = node;
    this.#maxLength = maxLength;
  }

  /** Packs whole lines, each ending in a line feed, into packets. */
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

  /** Skips a number, so that receivers see a gap. */
  skip(): void {
    this.#number += 1;
  }
}

/** The content of a received packet. */
export interface PacketContent {
  readonly node: string;
  readonly lines: readonly string[];
  /** Whether packets of this node before this one are missing. */
  readonly hasGap: boolean;
}

const PACKET = /^(\S+) (\d+) ([+-]) ([\s\S]*)$/;

/**
 * The subject of a packet: a shard number, or `null` for the subject that every node receives. Each node numbers the
 * packets of each subject.
 */
export type Shard = number | null;

interface PacketStream {
  next: number;
  begun: string | null;
}

/** Reassembles the lines of each node. */
export class PacketReader {
  readonly #streams = new Map<string, Map<Shard, PacketStream>>();

  /** Returns `null` for a message that is not a packet, and for outdated packets. */
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
    // The beginning of this line was lost, so the rest is discarded.
    if (first === undefined) {
      stream.begun = begun === null ? null : begun + last;
      return { node, lines: [], hasGap };
    }
    stream.begun = last;
    return { node, lines: begun === null ? others : [begun + first, ...others], hasGap };
  }

  /** A node is gone or silent: its next packet does not count as a gap. */
  forget(node: string): void {
    this.#streams.delete(node);
  }

  /** This node unsubscribed from a subject: later packets there do not count as a gap. */
  forgetShard(shard: Shard): void {
    for (const streams of this.#streams.values()) streams.delete(shard);
  }
}
