/** Finds where WebSocket frames end in a stream of bytes, without keeping any of them. Source: RFC 6455, 5.2. */
export class FrameBoundaries {
  /** The bytes of an incomplete header. */
  #header: number[] = [];
  #payloadBytesLeft = 0;

  /** True between two frames, where another sender's frame can be inserted. */
  get isBetweenFrames(): boolean {
    return this.#payloadBytesLeft === 0 && this.#header.length === 0;
  }

  /** Processes further bytes. Returns how many of them belong to the first frame that ends in them; -1 if none does. */
  read(bytes: Uint8Array): number {
    let firstEnd = -1;
    let position = 0;
    while (position < bytes.length) {
      if (this.#payloadBytesLeft > 0) {
        const step = Math.min(this.#payloadBytesLeft, bytes.length - position);
        this.#payloadBytesLeft -= step;
        position += step;
      } else {
        this.#header.push(bytes[position] ?? 0);
        position += 1;
        if (this.#header.length < headerLength(this.#header)) continue;
        this.#payloadBytesLeft = payloadLength(this.#header);
        this.#header = [];
      }
      if (firstEnd < 0 && this.#payloadBytesLeft === 0) firstEnd = position;
    }
    return firstEnd;
  }
}

const lengthBytes = (second: number): number => ({ 126: 2, 127: 8 })[second & 0x7f] ?? 0;

/** Length of the header, as far as known from its first bytes. */
function headerLength([, second]: readonly number[]): number {
  if (second === undefined) return 2;
  return 2 + lengthBytes(second) + (second & 0x80 ? 4 : 0);
}

function payloadLength(header: readonly number[]): number {
  const second = header[1] ?? 0;
  const extended = header.slice(2, 2 + lengthBytes(second));
  return extended.length === 0 ? second & 0x7f : extended.reduce((sum, byte) => sum * 256 + byte, 0);
}
