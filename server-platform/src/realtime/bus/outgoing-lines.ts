import { type BusLine, encodeLine } from './bus-line.ts';
import type { AddressedPacket } from './bus-link.ts';
import { PacketWriter, type Shard } from './packets.ts';

// What may wait for the link. More is lost, and found in the log.
const MAX_WAITING_CHARACTERS = 8_388_608;

/** The lines that wait for the link, by subject, and the numbers of their packets. */
export class OutgoingLines {
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

  /** False when too much waits already: the line is lost, and the next packet of its subject shows a gap. */
  add(line: BusLine, shard: Shard): boolean {
    const text = encodeLine(line);
    if (this.#waitingCharacters + text.length > MAX_WAITING_CHARACTERS) {
      this.skip(shard);
      return false;
    }
    this.#waiting.set(shard, (this.#waiting.get(shard) ?? '') + text);
    this.#waitingCharacters += text.length;
    return true;
  }

  /** A line of this subject is not sent: the next packet shows a gap. */
  skip(shard: Shard): void {
    this.#writerOf(shard).skip();
  }

  /** All that waits, as packets; nothing waits afterwards. */
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

  /** Nothing of what waits can be sent any more, and packets under way may be lost. */
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
