import { randomBytes } from 'node:crypto';

/** Fields of a WebSocket frame (RFC 6455, 5.2), each of which may be wrong. */
export interface FrameFields {
  /** Default 1, text. */
  readonly opcode?: number;
  /** Default true. */
  readonly isFinal?: boolean;
  /** The three reserved bits; 4 is RSV1, "compressed". Default 0. */
  readonly reserved?: number;
  /** Clients must mask. Default true. */
  readonly isMasked?: boolean;
  /** The length that the header names. Default: the payload's. */
  readonly declaredLength?: bigint;
}

export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Encodes a frame as a client does, with the given faults. */
export function encodeFrame(payload: string | Buffer, fields: FrameFields = {}): Buffer {
  const { opcode = OPCODES.text, isFinal = true, reserved = 0, isMasked = true } = fields;
  const bytes = Buffer.from(payload);
  const length = fields.declaredLength ?? BigInt(bytes.length);
  const first = (isFinal ? 0x80 : 0) | (reserved << 4) | opcode;
  const maskBit = isMasked ? 0x80 : 0;
  const head = encodeHead(first, maskBit, length);
  if (!isMasked) return Buffer.concat([head, bytes]);
  const mask = randomBytes(4);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (bytes[at] ?? 0) ^ (mask[at % 4] ?? 0);
  return Buffer.concat([head, mask, bytes]);
}

function encodeHead(first: number, maskBit: number, length: bigint): Buffer {
  if (length < 126n) return Buffer.from([first, maskBit | Number(length)]);
  if (length < 65_536n) {
    const head = Buffer.from([first, maskBit | 126, 0, 0]);
    head.writeUInt16BE(Number(length), 2);
    return head;
  }
  const head = Buffer.alloc(10);
  head[0] = first;
  head[1] = maskBit | 127;
  head.writeBigUInt64BE(length, 2);
  return head;
}

/** The same frame over and over, up to about `totalBytes`, to be written at once. */
export function repeatFrame(frame: Buffer, totalBytes: number): Buffer {
  return Buffer.concat(
    Array.from({ length: Math.max(1, Math.floor(totalBytes / frame.length)) }, () => frame),
  );
}

/** A client event as its frame. */
export function encodeEvent(type: string, payload: object = {}): Buffer {
  return encodeFrame(JSON.stringify({ type: `EVENT_TYPE_${type}`, payload }));
}
