import Library from 'reconnecting-websocket';
import { CLOSE_CODES, decodeServerFrame, encodeClientEvent, type Vocabulary } from '../../protocol/index.ts';
import type { NextPaint } from '../ports.ts';
import { createFrameQueue } from './frame-queue.ts';
import type { SocketClass } from './guarded-socket.ts';
import type { Transport, TransportEvents } from './transport.ts';

export interface SocketTransportOptions {
  readonly Socket: SocketClass;
  /** Address of the next socket. Holds the access token. */
  readonly url: () => string;
  readonly vocabulary: () => Vocabulary;
  readonly nextPaint: NextPaint | null;
  /** Whether frames are shown as they arrive: those faster than the page paints wait for the next paint. */
  readonly isPaced: () => boolean;
}

// The package's types describe its ES module; for its CommonJS build TypeScript expects a `default` that does not exist.
const ReconnectingWebSocket = Library as unknown as typeof Library.default;

const OPEN = 1;
/** Longest time of a timer. The connection's own transition gives up on a handshake. */
const NEVER_MS = 2 ** 31 - 1;

/** Gives the library an address when `open` was called and the library has asked for one. */
class UrlGate {
  /** `open` was called, and the library has not received its address yet. */
  #isDue = false;
  #isClosed = false;
  #resolve: ((url: string) => void) | null = null;
  readonly #url: () => string;
  readonly #onFailed: () => void;

  constructor(url: () => string, onFailed: () => void) {
    this.#url = url;
    this.#onFailed = onFailed;
  }

  /** The library calls this for the next address. */
  readonly ask = (): Promise<string> =>
    new Promise((resolve) => {
      this.#resolve = resolve;
      this.#provide();
    });

  /** Lets one address through. */
  open(): void {
    this.#isDue = true;
    this.#provide();
  }

  close(): void {
    this.#isClosed = true;
  }

  #provide(): void {
    if (this.#isClosed || !this.#isDue || !this.#resolve) return;
    this.#isDue = false;
    try {
      this.#resolve(this.#url());
      this.#resolve = null;
    } catch {
      // There is no session. The library keeps waiting, because a rejection would be unhandled and block it
      // permanently.
      queueMicrotask(this.#onFailed);
    }
  }
}

/**
 * Carries frames over the sockets of one reconnecting-websocket. The library opens the next socket after every close, and
 * asks for its address; it gets one when `start` is called again, so that the connection's transition decides whether and
 * when. An instance is never used again after `stop`, because one that was closed during a wait never connects again.
 */
export function createSocketTransport(options: SocketTransportOptions, events: TransportEvents): Transport {
  let isFirst = true;
  const gate = new UrlGate(options.url, () => events.onClose(CLOSE_CODES.abnormal));
  const socket = new ReconnectingWebSocket(gate.ask, undefined, {
    WebSocket: options.Socket,
    startClosed: true,
    maxEnqueuedMessages: 0,
    minReconnectionDelay: 0,
    maxReconnectionDelay: 0,
    minUptime: 0,
    connectionTimeout: NEVER_MS,
  });
  socket.addEventListener('open', () => events.onOpen());
  const queue = createFrameQueue(options, (texts) =>
    events.onFrames(texts.map((text) => ({ frame: decodeServerFrame(text), text }))),
  );
  socket.addEventListener('message', ({ data }: { readonly data: unknown }) => {
    if (typeof data === 'string') return queue.push(data);
    queue.flush();
    events.onUnreadable();
  });
  socket.addEventListener('close', ({ code }) => {
    queue.flush();
    events.onClose(code);
  });

  return {
    start() {
      if (isFirst) socket.reconnect();
      isFirst = false;
      gate.open();
    },
    stop(code) {
      queue.flush();
      gate.close();
      socket.close(code);
    },
    send(event) {
      // The library would drop it silently.
      if (socket.readyState !== OPEN) return false;
      socket.send(encodeClientEvent(event, options.vocabulary()));
      return true;
    },
  };
}
