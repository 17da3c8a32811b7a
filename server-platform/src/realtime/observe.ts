import type { Logger } from 'pino';
import type { Clock } from '../kit/clock.ts';
import { isUploadAborted } from '../kit/http/index.ts';
import type { MessagingObserver } from './messaging-context.ts';
import type { MessagingMetrics } from './metrics.ts';
import { codeOf, logTraceEvent, type SessionTraces } from './trace/index.ts';

/** Where an observer reports to. */
export interface ObserverTargets {
  readonly logger: Logger;
  readonly metrics: MessagingMetrics;
  readonly traces: SessionTraces;
  readonly clock: Clock;
}

/** Logs and counts failures. A component's logger attributes the lines to that component. */
export function createFailureReport(logger: Logger, metrics: MessagingMetrics): MessagingObserver['failed'] {
  return (what, error, about) => {
    if (isUploadAborted(error)) {
      metrics.uploadsAborted();
      logger.debug({ err: error, ...about }, `client aborted its upload: did not ${what}`);
      return;
    }
    metrics.failures(what);
    logger.error({ err: error, ...about }, `could not ${what}`);
  };
}

/** Reports events to logs, metrics and traces. They contain no message, token or URL. */
export function createObserver({ logger, metrics, traces, clock }: ObserverTargets): MessagingObserver {
  const report = createFailureReport(logger, metrics);
  // Checked once, because frames and commits report often and a disabled level must cost nothing.
  const isDebugging = logger.isLevelEnabled('debug');
  return {
    failed(what, error, about) {
      report(what, error, about);
      const sessionId = about?.sessionId;
      if (sessionId !== undefined)
        traces.add(sessionId, { kind: 'failed', what, code: codeOf(error) }, clock.now());
    },
    warned(what, sessionId) {
      logger.warn({ sessionId }, what);
      if (sessionId !== undefined) traces.add(sessionId, { kind: 'warned', what }, clock.now());
    },
    happened(sessionId, fact) {
      traces.add(sessionId, fact, clock.now());
      if (isDebugging) logTraceEvent(logger, sessionId, fact);
      if (fact.kind === 'turn_ended') metrics.turns(fact.result, fact.ms);
      else if (fact.kind === 'ended') metrics.sessionsEnded(fact.reason);
    },
    erased: (sessionId) => traces.forget(sessionId),
    frameReceived: metrics.frames,
    frameRefused: isDebugging
      ? (fault, sessionId) => logger.debug({ fault, sessionId }, 'refused a frame')
      : null,
    handshakeRefused(code, sessionId) {
      metrics.handshakesRefused(code);
      // Clients can name any session id: an id unknown to this node gets neither trace nor log line.
      const isKnown = sessionId !== null && traces.has(sessionId);
      if (isKnown) traces.add(sessionId, { kind: 'handshake_refused', code }, clock.now());
      logger.debug({ code, ...(isKnown && { sessionId }) }, 'refused a handshake');
    },
    slowReaderClosed: metrics.slowReaders,
    socketOpened: metrics.socketOpened,
    socketClosed: metrics.socketClosed,
    misconfigured: (about, message) => logger.warn(about, message),
  };
}
