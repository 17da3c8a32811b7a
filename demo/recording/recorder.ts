import type { RecordedLine, Recording } from './recording.ts';
import { FrameRedactor } from './redact-frame.ts';

/** One frame as the widget's event `frame` reports it. */
export interface TracedFrame {
  readonly direction: 'in' | 'out' | 'local';
  readonly atMs: number;
  readonly text: string;
}

/** Heartbeats have no content, and their times are arbitrary. */
const IGNORED = ['EVENT_TYPE_HEARTBEAT'];
const LOST = 'connection reconnecting';

/** Collects the frames of one widget into a recording. */
export class Recorder {
  readonly #frames: TracedFrame[] = [];

  take(frame: TracedFrame): void {
    this.#frames.push(frame);
  }

  /** Frames so far. */
  get count(): number {
    return this.#frames.length;
  }

  /** The recording so far, redacted. Throws while there is no frame. */
  finish(title: string, offers: readonly string[] = []): Recording {
    const [first] = this.#frames;
    if (!first) throw new Error('Nothing was recorded. Open the widget and try again.');
    const redactor = new FrameRedactor();
    const lines: RecordedLine[] = [];
    let isOpen = false;
    for (const { direction, atMs: at, text } of this.#frames) {
      const atMs = Math.max(0, Math.round(at - first.atMs), lines.at(-1)?.atMs ?? 0);
      if (direction !== 'local') {
        const frame = readFrame(text);
        isOpen = true;
        if (frame && !IGNORED.includes(frame.type))
          lines.push({ way: direction, atMs, frame: redactor.redact(frame) });
      } else if (text === LOST && isOpen) {
        isOpen = false;
        lines.push({ way: 'cut', atMs });
      }
    }
    return {
      version: 1,
      title,
      recordedAt: new Date(first.atMs).toISOString(),
      offers: [...offers],
      lines,
    };
  }
}

/** A frame's object; null for one that the client could not read either. */
function readFrame(text: string): ({ type: string } & Record<string, unknown>) | null {
  try {
    const frame: unknown = JSON.parse(text);
    if (typeof frame !== 'object' || frame === null) return null;
    const { type, ...rest } = frame as Record<string, unknown>;
    // The type first, as it is when a file is read and written again.
    return typeof type === 'string' ? { type, ...rest } : null;
  } catch {
    return null;
  }
}
