import type { Socket } from 'node:net';
import { CLOSE_CODES } from 'natter/protocol';
import { FrameBoundaries } from './frame-boundaries.ts';

/** Two sockets whose bytes are forwarded to each other. */
export interface JoinedSockets {
  /** Ends both, the browser's with a close frame 1001 after the current frame. */
  goAway(): void;
  /** Ends both at once; the browser sees 1006. */
  destroy(): void;
}

/** Which side ended a pair. */
export type JoinEnd = 'browser' | 'platform' | 'stalled' | 'shutdown';

/** Time limit for a peer to read pending bytes. */
const STALL_MS = 60_000;
/** How long one side may continue to write after the other has closed. */
const LINGER_MS = 5_000;
/** When a silent peer is first probed. Less than the platform's own 30 s for two pings. */
const KEEP_ALIVE_MS = 30_000;

/** A close frame without a reason. Source: RFC 6455, 5.5.1. */
const GOING_AWAY = Buffer.from([0x88, 2, CLOSE_CODES.goingAway >> 8, CLOSE_CODES.goingAway & 0xff]);

/**
 * Forwards the bytes of an open WebSocket between browser and platform unchanged: frames, pings, pongs and close codes
 * pass through, so each side detects that the other is gone. A side that does not read stops reading from the other
 * one, and is closed after `STALL_MS`; its buffer stays below two chunks.
 */
export function joinSockets(browser: Socket, platform: Socket, onEnd: (end: JoinEnd) => void): JoinedSockets {
  const frames = new FrameBoundaries();
  const timers = new Set<NodeJS.Timeout>();
  let isGoingAway = false;
  let end: JoinEnd | null = null;

  const destroyAfter = (delayMs: number, why: JoinEnd): (() => void) => {
    const timer = setTimeout(() => destroy(why), delayMs).unref();
    timers.add(timer);
    return () => {
      clearTimeout(timer);
      timers.delete(timer);
    };
  };

  const finish = (why: JoinEnd): void => {
    if (end !== null) return;
    end = why;
    destroyAfter(LINGER_MS, why);
  };

  const destroy = (why: JoinEnd): void => {
    end ??= why;
    browser.destroy();
    platform.destroy();
  };

  const carry = (
    from: Socket,
    to: Socket,
    name: 'browser' | 'platform',
    write: (bytes: Buffer) => boolean,
  ) => {
    let cancelStall: (() => void) | null = null;
    from.setTimeout(0).setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    from.on('data', (bytes: Buffer) => {
      // Bytes after an end are discarded.
      if (to.writableEnded || write(bytes)) return;
      from.pause();
      cancelStall ??= destroyAfter(STALL_MS, 'stalled');
    });
    from.resume();
    to.on('drain', () => {
      cancelStall?.();
      cancelStall = null;
      from.resume();
    });
    from.once('end', () => {
      finish(name);
      to.end();
    });
    from.on('error', () => {});
    from.once('close', () => {
      finish(name);
      // Without an end of its stream it was reset, so the other side is reset too.
      if (from.readableEnded) to.destroySoon();
      else to.destroy();
      if (browser.closed && platform.closed) {
        for (const timer of timers) clearTimeout(timer);
        onEnd(end ?? name);
      }
    });
  };

  const leave = (): void => {
    browser.end(GOING_AWAY);
    platform.end();
  };

  carry(browser, platform, 'browser', (bytes) => platform.write(bytes));
  carry(platform, browser, 'platform', (bytes) => {
    const firstEnd = frames.read(bytes);
    if (!isGoingAway || firstEnd < 0) return browser.write(bytes);
    browser.write(bytes.subarray(0, firstEnd));
    leave();
    return true;
  });
  return {
    goAway() {
      if (end !== null) return;
      finish('shutdown');
      isGoingAway = true;
      if (frames.isBetweenFrames) leave();
    },
    destroy: () => destroy('shutdown'),
  };
}
