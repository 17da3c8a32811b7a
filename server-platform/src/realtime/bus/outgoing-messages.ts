import type { AddressedPacket } from './bus-link.ts';
import { encodeNodeMessage, type NodeMessage } from './node-message.ts';
import { PacketWriter, type Shard } from './packets.ts';

// Limit of queued characters. Lines above it are lost, and receivers recover them from the log.
const MAX_WAITING_CHARACTERS = 8_388_608;

/** Queue of lines for the link, by subject, with the packet numbers. */
export class OutgoingMessages {
  readonly #node: string;
  readonly #maxPacketLength: number;
  readonly #writers = new Map<Shard, PacketWriter>();
  readonly #waiting = new Map<Shard, string>();
  #waitingCharacters = 0;

  constructor(node: string, maxPacketLength: number) {
    this.#node = node;
    this.#maxPacketLength = maxPacketLength;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /**
   * Queues a line. Returns false when the queue is full: the line is lost, and the next packet of its subject shows a
   * gap.
   */
  add(line: NodeMessage, shard: Shard): boolean {
    const text = encodeNodeMessage(line);
    if (this.#waitingCharacters + text.length > MAX_WAITING_CHARACTERS) {
      this.skip(shard);
      return false;
    }
    this.#waiting.set(shard, (this.#waiting.get(shard) ?? '') + text);
    this.#waitingCharacters += text.length;
    return true;
  }

  /** Drops a line of this subject, so that the next packet shows a gap. */
  skip(shard: Shard): void {
    this.#writerOf(shard).skip();
  }

  /** Removes everything queued and returns it as packets. */
  take(): readonly AddressedPacket[] {
    const packets = [...this.#waiting].flatMap(([shard, lines]) =>
      this.#writerOf(shard)
        .write(lines)
        .map((packet) => ({ packet, shard })),
    );
    this.#waiting.clear();
    this.#waitingCharacters = 0;
    return packets;
  }

  /** Discards the queue after a disconnection; packets in flight may be lost too. */
  drop(): void {
    this.#waiting.clear();
    this.#waitingCharacters = 0;
    for (const writer of this.#writers.values()) writer.skip();
  }

  #writerOf(shard: Shard): PacketWriter {
    const known = this.#writers.get(shard);
    if (known !== undefined) return known;
    const writer = new PacketWriter(this.#node, this.#maxPacketLength);
    this.#writers.set(shard, writer);
    return writer;
  }
}
