import * as library from 'reconnecting-websocket';

/** What the driver hears from one socket. After `close()` nothing more is heard. */
export interface SocketListeners {
  readonly onOpen: () => void;
  readonly onText: (text: string) => void;
  readonly onBinary: () => void;
  readonly onClose: (code: number) => void;
}

/** One attempt at a connection. */
export interface OneSocket {
  /** False when the socket is not open; nothing is queued. */
  send(text: string): boolean;
  /** Closes; `isSilent` also stops listening. */
  close(code: number, isSilent: boolean): void;
}

// The package is CommonJS whose `module.exports` is the class, while its types say `exports.default`: under
// Node's resolution the compiler wants `.default.default`, which does not exist at run time.
const ReconnectingWebSocket = library.default as unknown as typeof library.default.default;

/** The library reads 0 and Infinity as "at once"; our own timer decides long before this. */
const NEVER_MS = 2_147_483_647;
const ABNORMAL = 1006;

/**
 * Opens one socket through the library, and makes sure that the library never decides anything:
 *
 * - One instance per attempt with no retries. With `maxRetries: 0` its `reconnect()` stays locked for ever
 *   after the first close, so an instance cannot be used twice.
 * - On an `error` event it hides the real close and reports a synthetic one with code 1000, which would
 *   read as the end of the chat. A close whose target is not the socket itself is therefore 1006.
 * - A constructor that throws (a content security policy, a bad address) would become an unhandled
 *   rejection whose message holds the address with the token. It is caught here and reads as 1006.
 */
export function openOneSocket(
  WebSocketClass: typeof WebSocket,
  urlProvider: () => string,
  listeners: SocketListeners,
): OneSocket {
  let isSilent = false;
  let isOpen = false;
  const hearClose = (code: number): void => {
    isOpen = false;
    if (isSilent) return;
    isSilent = true;
    listeners.onClose(code);
  };

  // A declaration, because the library calls it with `new`, and only an object it returns counts then.
  function Guarded(url: string): WebSocket {
    try {
      return new WebSocketClass(url);
    } catch {
      // The error's text may hold the address; only the fact that it failed is passed on.
      queueMicrotask(() => hearClose(ABNORMAL));
      const inert = { readyState: 3, addEventListener() {}, removeEventListener() {}, close() {} };
      // The library only touches these members of a socket that never opens.
      return inert as unknown as WebSocket;
    }
  }
  const socket = new ReconnectingWebSocket(urlProvider, [], {
    WebSocket: Object.assign(Guarded, { CLOSING: 2 }),
    maxRetries: 0,
    maxEnqueuedMessages: 0,
    minUptime: NEVER_MS,
    connectionTimeout: NEVER_MS,
  });
  socket.onopen = () => {
    if (isSilent) return;
    isOpen = true;
    listeners.onOpen();
  };
  socket.onmessage = (message: MessageEvent<unknown>) => {
    if (isSilent) return;
    if (typeof message.data === 'string') listeners.onText(message.data);
    else listeners.onBinary();
  };
  socket.onclose = (event) => hearClose(event.target === socket ? ABNORMAL : event.code);

  return {
    send(text) {
      if (!isOpen || socket.readyState !== socket.OPEN) return false;
      socket.send(text);
      return true;
    },
    close(code, shouldBeSilent) {
      if (shouldBeSilent) isSilent = true;
      isOpen = false;
      socket.close(code);
    },
  };
}
