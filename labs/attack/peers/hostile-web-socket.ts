import { OPCODES } from './frames.ts';
import type { HostileSocket, SocketEnd } from './hostile-socket.ts';

// A close frame behind this much unread data is not looked for.
const MAX_PENDING_BYTES = 4_194_304;
const EVENT_TYPE = /EVENT_TYPE_[A-Z_]+/g;

/** A WebSocket after its handshake: writes any bytes, counts received bytes, and enforces no protocol rule. */
export class HostileWebSocket {
  readonly socket: HostileSocket;
  frames = 0;
  /** The status of the stack's close frame; null: there was none. */
  closeCode: number | null = null;
  /** Every event type that the stack named, in frames and in batches. */
  readonly types = new Set<string>();
  #pending: Buffer;

  constructor(socket: HostileSocket) {
    this.socket = socket;
    const { received } = socket;
    this.#pending = Buffer.from(received.slice(received.indexOf('\r\n\r\n') + 4), 'latin1');
    this.#read();
    socket.onBytes = (bytes) => {
      if (this.#pending.length > MAX_PENDING_BYTES) return;
      this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
      this.#read();
    };
  }

  write(bytes: Buffer): Promise<void> {
    return this.socket.write(bytes);
  }

  /** Resolves when an event of this type has come, the connection is over, or the time has passed. */
  async waitForEvent(type: string, patienceMs: number): Promise<void> {
    await this.socket.wait(() => this.types.has(`EVENT_TYPE_${type}`), patienceMs);
  }

  /** Whether the stack has ended the connection, or said that it will. */
  get isOver(): boolean {
    return this.closeCode !== null || this.socket.isEnded;
  }

  /** Resolves when {@link isOver} or the time has passed, and ends the connection. */
  async finish(patienceMs: number): Promise<void> {
    await this.socket.wait(() => this.closeCode !== null, patienceMs);
    this.socket.destroy();
    await this.socket.ended;
  }

  /** Ends the connection and resolves when it is over. */
  async leave(how: 'reset' | 'destroy' = 'destroy'): Promise<SocketEnd> {
    this.socket[how]();
    return await this.socket.ended;
  }

  #read(): void {
    for (;;) {
      const frame = this.#pending;
      const [first, second] = frame;
      if (first === undefined || second === undefined) return;
      const isLong = second === 127;
      const headBytes = isLong ? 10 : second === 126 ? 4 : 2;
      if (frame.length < headBytes) return;
      const length = isLong
        ? Number(frame.readBigUInt64BE(2))
        : second === 126
          ? frame.readUInt16BE(2)
          : second;
      if (frame.length < headBytes + length) return;
      this.#take(first & 0x0f, frame.subarray(headBytes, headBytes + length));
      this.#pending = frame.subarray(headBytes + length);
    }
  }

  #take(opcode: number, payload: Buffer): void {
    this.frames += 1;
    if (opcode === OPCODES.close) this.closeCode = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
    else if (opcode === OPCODES.text)
      for (const [type] of payload.toString('latin1').matchAll(EVENT_TYPE)) this.types.add(type);
  }
}

/** The name under which the end of a socket is counted. */
export function closeOutcome({ closeCode, socket }: HostileWebSocket): string {
  if (closeCode !== null) return `close ${closeCode}`;
  return socket.isEnded ? 'dropped' : 'open';
}
