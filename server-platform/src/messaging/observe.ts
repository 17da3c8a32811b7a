import type { Logger } from 'pino';
import type { MessagingMetrics } from './metrics.ts';
import type { MessagingObserver } from './session-services.ts';

/** Tells logs and metrics what happens. Nothing of a message, a token or a URL gets this far. */
export function createObserver(logger: Logger, metrics: MessagingMetrics): MessagingObserver {
  return {
    failed(what, error, about) {
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
    handshakeRefused(code) {
      metrics.handshakesRefused(code);
      logger.debug({ code }, 'refused a handshake');
    },
    slowReaderClosed: metrics.slowReaders,
  };
}
