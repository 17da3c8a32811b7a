import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { untilHeard } from '../until-heard.ts';

/** A TCP connection of a test that writes arbitrary bytes, as a hostile client does. */
export interface RawPeer {
  readonly socket: Socket;
  /** Everything received so far, as Latin-1 text. */
  readonly received: string;
  /** Resolves when the connection is closed, with everything received. */
  readonly closed: Promise<string>;
  /** Resolves as soon as the received text contains `part`; rejects when the connection closes before or nothing comes for long. */
  sees(part: string): Promise<void>;
  /** Sends a TCP reset and waits until this end is closed. */
  reset(): Promise<void>;
}

/** Connects to a port of this machine. Errors of the connection only close it. */
export async function openRawPeer(
  port: number,
  /** `allowHalfOpen`: the peer can still write after the other end has finished. */
  options: { readonly allowHalfOpen?: boolean } = {},
): Promise<RawPeer> {
  const socket = connect({ port, host: '127.0.0.1', ...options });
  let received = '';
  socket.on('error', () => {});
  socket.on('data', (part) => {
    received += part.toString('latin1');
  });
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  const peer: RawPeer = {
    socket,
    get received() {
      return received;
    },
    closed,
    async sees(part) {
      while (!received.includes(part)) {
        if (socket.destroyed) throw new Error(`closed before ${part}; got ${received}`);
        await untilHeard(
          (heard) => {
            socket.once('data', heard);
            socket.once('close', heard);
          },
          () => `${part}; got ${received}`,
        );
      }
    },
    async reset() {
      socket.resetAndDestroy();
      await closed;
    },
  };
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('close', () => reject(new Error('not connected')));
  });
  return peer;
}

/** The text of a WebSocket handshake. */
export function upgradeRequest(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = {
    Host: '127.0.0.1',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** One masked frame of a client; the mask is zero, so that the payload is readable on the wire. */
export function clientFrame(payload: string | Buffer, opcode = 1, isLast = true): Buffer {
  const bytes = Buffer.from(payload);
  const first = (isLast ? 0x80 : 0) | opcode;
  const mask = Buffer.alloc(4);
  if (bytes.length < 126) return Buffer.concat([Buffer.from([first, 0x80 | bytes.length]), mask, bytes]);
  const header = Buffer.alloc(bytes.length < 65_536 ? 4 : 10);
  header[0] = first;
  header[1] = 0x80 | (bytes.length < 65_536 ? 126 : 127);
  if (bytes.length < 65_536) header.writeUInt16BE(bytes.length, 2);
  else header.writeBigUInt64BE(BigInt(bytes.length), 2);
  return Buffer.concat([header, mask, bytes]);
}
