/** A piece of a byte stream that a link forwards as a whole. */
export interface WirePart {
  readonly bytes: Buffer;
  /** `text` for a whole, unfragmented WebSocket text frame; `frame` for any other; `raw` for bytes of HTTP. */
  readonly kind: 'text' | 'frame' | 'raw';
}

const HEAD_END = '\r\n\r\n';
const TEXT_OPCODE = 1;
const MAX_HEAD_BYTES = 65_536;

/** Length of the frame at the start of `bytes`, header included; null while it is unknown. */
function frameLength(bytes: Buffer): number | null {
  const second = bytes[1];
  if (second === undefined) return null;
  const maskBytes = second & 0x80 ? 4 : 0;
  const short = second & 0x7f;
  if (short < 126) return 2 + maskBytes + short;
  if (short === 126) return bytes.length < 4 ? null : 4 + maskBytes + bytes.readUInt16BE(2);
  return bytes.length < 10 ? null : 10 + maskBytes + Number(bytes.readBigUInt64BE(2));
}

const isWhole = (first: number): boolean => (first & 0x80) !== 0 && (first & 0x0f) === TEXT_OPCODE;

/**
 * Cuts one direction of a connection into WebSocket frames, masked ones too (RFC 6455, 5.2), once its HTTP head says that
 * it becomes a WebSocket. All other bytes pass unchanged.
 */
export class FrameSplitter {
  readonly #direction: 'toServer' | 'toClient';
  #mode: 'head' | 'frames' | 'raw' = 'head';
  #head = '';
  #rest: Buffer = Buffer.alloc(0);

  constructor(direction: 'toServer' | 'toClient') {
    this.#direction = direction;
  }

  push(chunk: Buffer): readonly WirePart[] {
    if (this.#mode === 'raw') return [{ bytes: chunk, kind: 'raw' }];
    return this.#mode === 'head' ? this.#readHead(chunk) : this.#readFrames(chunk);
  }

  #readHead(chunk: Buffer): readonly WirePart[] {
    const before = this.#head.length;
    this.#head += chunk.toString('latin1');
    const end = this.#head.indexOf(HEAD_END);
    if (end < 0) {
      if (this.#head.length > MAX_HEAD_BYTES) this.#mode = 'raw';
      return [{ bytes: chunk, kind: 'raw' }];
    }
    const isUpgrade =
      this.#direction === 'toClient'
        ? /^HTTP\/1\.1 101 /.test(this.#head)
        : /\r\nupgrade: *websocket *\r\n/i.test(this.#head.slice(0, end + 2));
    this.#mode = isUpgrade ? 'frames' : 'raw';
    this.#head = '';
    if (!isUpgrade) return [{ bytes: chunk, kind: 'raw' }];
    const headBytes = end + HEAD_END.length - before;
    return [
      { bytes: chunk.subarray(0, headBytes), kind: 'raw' },
      ...this.#readFrames(chunk.subarray(headBytes)),
    ];
  }

  #readFrames(chunk: Buffer): readonly WirePart[] {
    const parts: WirePart[] = [];
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (
      let length = frameLength(rest);
      length !== null && rest.length >= length;
      length = frameLength(rest)
    ) {
      parts.push({ bytes: rest.subarray(0, length), kind: isWhole(rest[0] ?? 0) ? 'text' : 'frame' });
      rest = rest.subarray(length);
    }
    this.#rest = rest;
    return parts;
  }
}
