import type { ClientEvent, DecodedFrame } from '../../protocol/index.ts';
import type { Transport, TransportEvents } from '../connection/transport.ts';
import { EMPTY_REPLAY } from './turn-frames.ts';

/** Close codes of a failed connection, and of one that is replaced by a socket. */
export const ABNORMAL = 1006;
export const RESTART = 1012;

/** The conversation behind a connection. */
export interface TurnConnectionOptions {
  readonly events: TransportEvents;
  /** Creates the conversation at the proxy; false if that fails. */
  readonly ensure: () => Promise<boolean>;
  /** Called when the connection is open and its empty replay was read. */
  readonly onOpen: (connection: TurnConnection) => void;
  readonly onEvent: (event: ClientEvent) => void;
}

/** A transport without a socket, which builds its frames from the proxy's responses. */
export class TurnConnection implements Transport {
  readonly #options: TurnConnectionOptions;
  #status: 'opening' | 'open' | 'closed' = 'opening';

  constructor(options: TurnConnectionOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#status === 'open';
  }

  start(): void {
    void this.#begin();
  }

  send(event: ClientEvent): boolean {
    if (!this.isOpen) return false;
    this.#options.onEvent(event);
    return true;
  }

  emit(frame: DecodedFrame): void {
    this.#options.events.onFrames([{ frame, text: JSON.stringify(frame) }]);
  }

  stop(code: number): void {
    if (this.#status === 'closed') return;
    this.#status = 'closed';
    queueMicrotask(() => this.#options.events.onClose(code));
  }

  async #begin(): Promise<void> {
    const isThere = await this.#options.ensure();
    if (this.#status !== 'opening') return;
    if (!isThere) {
      this.stop(ABNORMAL);
      return;
    }
    this.#status = 'open';
    this.#options.events.onOpen();
    // The client may have closed it right after it opened; frames are then for the next connection.
    if (!this.isOpen) return;
    this.emit(EMPTY_REPLAY);
    this.#options.onOpen(this);
  }
}
