import type { FakePlatform } from './fake-platform.ts';
import type { FakePeer } from './fake-session.ts';

/**
 * Creates a WebSocket class whose other end is a platform in the same page. Everything arrives in a later microtask.
 */
export function createFakeWebSocket(platform: FakePlatform): typeof WebSocket {
  class FakeWebSocket extends EventTarget {
    static readonly CONNECTING = 0;
    static readonly OPEN = 1;
    static readonly CLOSING = 2;
    static readonly CLOSED = 3;
    readonly CONNECTING = 0;
    readonly OPEN = 1;
    readonly CLOSING = 2;
    readonly CLOSED = 3;
    readonly url: string;
    readyState = 0;
    binaryType = 'blob';
    #leave: () => void = () => {};
    #receive: (text: string) => void = () => {};

    constructor(url: string | URL) {
      super();
      this.url = String(url);
      queueMicrotask(() => this.#shakeHands());
    }

    send(text: string): void {
      if (this.readyState !== 1) throw new Error('The socket is not open.');
      queueMicrotask(() => this.#receive(text));
    }

    close(code = 1005): void {
      if (this.readyState >= 2) return;
      const wasOpen = this.readyState === 1;
      this.readyState = 2;
      this.#leave();
      queueMicrotask(() => (wasOpen ? this.#end(code) : this.#fail()));
    }

    #shakeHands(): void {
      if (this.readyState !== 0) return;
      const accepted = platform.accept(new URL(this.url));
      if (!accepted) {
        this.#fail();
        return;
      }
      const { session, cursor } = accepted;
      const peer: FakePeer = {
        send: (frame) => queueMicrotask(() => this.#hear(frame)),
        close: (code) => {
          session.peers.delete(peer);
          queueMicrotask(() => this.#end(code));
        },
        terminate: () => {
          session.peers.delete(peer);
          queueMicrotask(() => this.#end(1006));
        },
      };
      this.#leave = () => session.peers.delete(peer);
      this.#receive = (text) => session.receive(peer, text);
      this.readyState = 1;
      this.dispatchEvent(new Event('open'));
      session.open(peer, cursor);
    }

    #hear(frame: string | Uint8Array): void {
      if (this.readyState === 1) this.dispatchEvent(Object.assign(new Event('message'), { data: frame }));
    }

    #fail(): void {
      this.readyState = 3;
      this.dispatchEvent(new Event('error'));
      // For a socket that the page's policy forbids, Chromium emits no further event.
      if (platform.isForbidden) return;
      this.dispatchEvent(Object.assign(new Event('close'), { code: 1006, reason: '', wasClean: false }));
    }

    #end(code: number): void {
      if (this.readyState === 3) return;
      this.readyState = 3;
      this.dispatchEvent(Object.assign(new Event('close'), { code, reason: '', wasClean: code !== 1006 }));
    }
  }
  // Replaces the browser's class, with the members that the client uses.
  return FakeWebSocket as unknown as typeof WebSocket;
}
