import type { ClientEvent, DecodedFrame } from '../../protocol/index.ts';
import type { Transport, TransportEvents } from '../connection/transport.ts';
import { EMPTY_REPLAY } from './turn-frames.ts';

/** Close codes of a connection that failed, and of one whose place a socket takes. */
export const ABNORMAL = 1006;
export const RESTART = 1012;

/** The conversation behind a connection. */
export interface TurnConnectionOptions {
  readonly events: TransportEvents;
  /** Has the conversation at the proxy; false where it cannot be had. */
  readonly ensure: () => Promise<boolean>;
  /** The connection is open, and its empty replay is read. */
  readonly onOpen: (connection: TurnConnection) => void;
  readonly onEvent: (event: ClientEvent) => void;
}

/** A transport without a socket: its frames are made here, of the proxy's answers. */
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
    // The client may have closed it as soon as it opened; frames are for the next connection then.
    if (!this.isOpen) return;
    this.emit(EMPTY_REPLAY);
    this.#options.onOpen(this);
  }
}
