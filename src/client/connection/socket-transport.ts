import {
  CLOSE_CODES,
  type ClientEvent,
  decodeServerFrame,
  encodeClientEvent,
  type Vocabulary,
} from '../../protocol/index.ts';
import type { Transport, TransportEvents } from './transport.ts';

export interface SocketTransportOptions {
  readonly WebSocket: typeof WebSocket;
  /** Address of the next socket. Holds the access token. */
  readonly url: () => string;
  readonly vocabulary: () => Vocabulary;
}

/** Values of `readyState`; the port's class need not carry the constants. */
const CONNECTING = 0;
const OPEN = 1;

/** Carries frames over one WebSocket. */
export function createSocketTransport(options: SocketTransportOptions, events: TransportEvents): Transport {
  const { WebSocket } = options;
  let socket: WebSocket | null = null;
  let isAbandoned = false;

  function listen(opening: WebSocket): void {
    let hasOpened = false;
    opening.addEventListener('open', () => {
      hasOpened = true;
      if (isAbandoned) opening.close(CLOSE_CODES.normal);
      else events.onOpen();
    });
    opening.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') events.onFrame(decodeServerFrame(data), data);
      else events.onUnreadable();
    });
    opening.addEventListener('close', ({ code }) => events.onClose(code));
    // In Chromium a socket that a content security policy forbids has an error and no close event.
    opening.addEventListener('error', () => hasOpened || events.onClose(CLOSE_CODES.abnormal));
  }

  return {
    start() {
      try {
        socket = new WebSocket(options.url());
        listen(socket);
      } catch {
        // A content security policy, or no sockets at all. The text of the error may hold the address with the token.
        queueMicrotask(() => events.onClose(CLOSE_CODES.abnormal));
      }
    },
    stop(code) {
      // Browsers print the address, and with it the token, of a socket that is closed while it connects. Where no other
      // socket follows, this one is closed when it has opened. Source: TOK-8.
      isAbandoned = socket?.readyState === CONNECTING && code === CLOSE_CODES.normal;
      if (!isAbandoned) socket?.close(code);
    },
    send(event: ClientEvent) {
      if (socket?.readyState !== OPEN) return false;
      socket.send(encodeClientEvent(event, options.vocabulary()));
      return true;
    },
  };
}
