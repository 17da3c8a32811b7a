import type { Logger } from 'pino';
import { isUploadAborted } from '../http/index.ts';
import type { MessagingObserver } from './messaging-context.ts';
import type { MessagingMetrics } from './metrics.ts';

/** Tells logs and metrics what happens. Nothing of a message, a token or a URL gets this far. */
export function createObserver(logger: Logger, metrics: MessagingMetrics): MessagingObserver {
  return {
    failed(what, error, about) {
      if (isUploadAborted(error)) {
        metrics.uploadsAborted();
        logger.debug({ err: error, ...about }, `a client broke its upload off: did not ${what}`);
        return;
      }
      metrics.failures(what);
      logger.error({ err: error, ...about }, `could not ${what}`);
    },
    warned(what, sessionId) {
      logger.warn({ sessionId }, what);
    },
    turnFinished: metrics.turns,
    sessionEnded(reason) {
      metrics.sessionsEnded(reason);
    },
    frameReceived: metrics.frames,
    // Read for every frame of a flood: at a level that is off, it costs nothing.
    frameRefused: logger.isLevelEnabled('debug')
      ? (fault, sessionId) => logger.debug({ fault, sessionId }, 'refused a frame')
      : null,
    handshakeRefused(code) {
      metrics.handshakesRefused(code);
      logger.debug({ code }, 'refused a handshake');
    },
    slowReaderClosed: metrics.slowReaders,
    socketOpened: metrics.socketOpened,
    socketClosed: metrics.socketClosed,
    misconfigured: (about, message) => logger.warn(about, message),
  };
}
