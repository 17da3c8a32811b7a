import { parseCursor } from 'natter/protocol';
import type { ReplaySessions } from '../../../recording/replay-proxy.ts';
import type { ReplayPeer, ReplaySession } from '../../../recording/replay-session.ts';

const [CONNECTING, OPEN, CLOSING, CLOSED] = [0, 1, 2, 3];
const ABNORMAL = 1_006;

/** A class in place of the browser's `WebSocket`, whose other end is a replay in the same page. */
export function createReplaySocket(sessions: ReplaySessions): unknown {
  return class extends EventTarget {
    static readonly CONNECTING = CONNECTING;
    static readonly OPEN = OPEN;
    static readonly CLOSING = CLOSING;
    static readonly CLOSED = CLOSED;
    readonly url: string;
    readonly bufferedAmount = 0;
    readyState = CONNECTING;
    readonly #session: ReplaySession | null;
    readonly #peer: ReplayPeer = {
      send: (text) => this.#later(() => this.dispatchEvent(new MessageEvent('message', { data: text }))),
      close: (code) => this.#end(code),
      terminate: () => this.#end(ABNORMAL),
    };

    constructor(address: string) {
      super();
      this.url = address;
      const url = new URL(address);
      this.#session = sessions.findByAddress(url);
      queueMicrotask(() => {
        if (this.#session === null) this.#end(ABNORMAL);
        if (this.readyState !== CONNECTING) return;
        this.readyState = OPEN;
        this.dispatchEvent(new Event('open'));
        this.#session?.open(this.#peer, parseCursor(url.searchParams.get('cursor')).cursor);
      });
    }

    send(text: string): void {
      this.#later(() => this.#session?.receive(this.#peer, text));
    }

    close(code?: number): void {
      this.#end(code ?? 1_005);
    }

    #end(code: number): void {
      if (this.readyState >= CLOSING) return;
      this.readyState = CLOSING;
      this.#session?.leave(this.#peer);
      // After earlier frames.
      queueMicrotask(() => {
        this.readyState = CLOSED;
        this.dispatchEvent(new CloseEvent('close', { code, wasClean: code !== ABNORMAL }));
      });
    }

    /** Both ends get messages after the call that sends them, as over a network. */
    #later(act: () => void): void {
      queueMicrotask(() => {
        if (this.readyState !== CLOSED) act();
      });
    }
  };
}
