import { CLOSE_CODES } from '../../protocol/index.ts';

/** A socket class for reconnecting-websocket. */
export interface SocketClass {
  /** Constant by which the library recognises a socket class. */
  readonly CLOSING: number;
  new (url: string): object;
}

type Handler = (event: object) => void;

/** Values of `readyState`; the port's class need not carry the constants. */
const CONNECTING = 0;
const CLOSED = 3;

/** Closes the socket that was abandoned while connecting; does nothing without one. */
interface LeftSocket {
  close(): void;
}

/**
 * A socket for reconnecting-websocket, which uses it instead of the browser's. It
 *
 * - reports one `close` with the true code and never `error`, because after an error the library reports a close 1000
 *   which in this protocol is the end of the chat;
 * - never throws in its constructor, because the library would be locked for good, and the unhandled rejection holds the
 *   address with the token;
 * - is not closed while it connects, because browsers then print the address. It is closed when it has opened, or when
 *   the next socket needs its place: browsers open one socket at a time to a host. Source: TOK-8.
 */
class GuardedSocket {
  static readonly CLOSING = 2;
  readonly #handlers = new Map<string, Handler>();
  readonly #left: LeftSocket;
  #socket: WebSocket | null = null;
  #leavingCode: number | null = null;
  #hasOpened = false;
  #hasEnded = false;

  constructor(url: string, NativeSocket: typeof WebSocket, left: LeftSocket) {
    this.#left = left;
    left.close();
    try {
      this.#socket = new NativeSocket(url);
      this.#listen(this.#socket);
    } catch {
      // Blocked by a content security policy, or no sockets at all. The error's text may contain the address with the
      // token.
      queueMicrotask(() => this.#end(CLOSE_CODES.abnormal));
    }
  }

  get readyState(): number {
    return this.#hasEnded ? CLOSED : (this.#socket?.readyState ?? CONNECTING);
  }

  addEventListener(type: string, handler: Handler): void {
    this.#handlers.set(type, handler);
  }

  removeEventListener(type: string): void {
    this.#handlers.delete(type);
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  close(code: number): void {
    const socket = this.#socket;
    if (socket?.readyState !== CONNECTING) socket?.close(code);
    else {
      this.#leavingCode = code;
      this.#left.close = () => socket.close(code);
    }
  }

  #listen(socket: WebSocket): void {
    socket.addEventListener('open', (event) => {
      this.#hasOpened = true;
      if (this.#leavingCode === null) this.#handlers.get('open')?.(event);
      else socket.close(this.#leavingCode);
    });
    socket.addEventListener('message', (event) => this.#handlers.get('message')?.(event));
    socket.addEventListener('close', ({ code }) => this.#end(code));
    // In Chromium a socket blocked by a content security policy emits an error but no close event.
    socket.addEventListener('error', () => this.#hasOpened || this.#end(CLOSE_CODES.abnormal));
  }

  #end(code: number): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#handlers.get('close')?.({ code });
  }
}

/** Returns the class of sockets of one connection. */
export function createGuardedSocketClass(NativeSocket: typeof WebSocket): SocketClass {
  const left: LeftSocket = { close: () => {} };
  return class extends GuardedSocket {
    constructor(url: string) {
      super(url, NativeSocket, left);
    }
  };
}
