import type { ClientEvent, DecodedFrame } from '../../protocol/index.ts';

/** A decoded frame; `text` is the same frame for inspectors, without tokens. */
export interface ReceivedFrame {
  readonly frame: DecodedFrame;
  readonly text: string;
}

/** Events of a transport. After `stop`, only `onClose` may follow. */
export interface TransportEvents {
  onOpen(): void;
  /** Frames in order; those in one call should be shown together. */
  onFrames(frames: readonly ReceivedFrame[]): void;
  /** The platform sent something that is not a text frame. Source: ENV-6. */
  onUnreadable(): void;
  /** The connection was closed, was lost, or could not be opened. */
  onClose(code: number): void;
}

/** Carries events to and from the platform: over a socket, or in turns over HTTPS. */
export interface Transport {
  /** Opens a connection; reports `onOpen`, or `onClose` where none can be opened. Never throws. */
  start(): void;
  /** Closes for good, also while the connection is being opened. */
  stop(code: number): void;
  /** False when no connection is open. Nothing is queued, because the outbox owns unsent messages. */
  send(event: ClientEvent): boolean;
}
