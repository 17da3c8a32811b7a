import { expect, it } from 'vitest';
import { createSkippingClock } from '../../test/realtime/skipping-clock.ts';
import { UploadAborted } from '../kit/http/json-body.ts';
import { createLogger, type LogLevel } from '../kit/logger.ts';
import type { MessagingObserver } from './messaging-context.ts';
import { createMessagingMetrics } from './metrics.ts';
import { createObserver, type ObserverTargets } from './observe.ts';
import { SessionTraces } from './trace/index.ts';

const observe = (
  lines: string[],
  level: LogLevel,
): ObserverTargets & { readonly observer: MessagingObserver } => {
  const targets = {
    logger: createLogger(level, { write: (line) => void lines.push(line) }),
    metrics: createMessagingMetrics({ queuedRows: 0 }),
    traces: new SessionTraces(),
    clock: createSkippingClock(),
  };
  return { ...targets, observer: createObserver(targets) };
};

it('logs a failure with the ids needed to find it, and counts it', async () => {
  const lines: string[] = [];
  const { observer, metrics, traces } = observe(lines, 'info');
  observer.failed('create a session', new Error('gone'), { correlationId: 'c-1' });
  observer.failed('answer a turn', new Error('gone'), { sessionId: 's-1' });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'could not create a session', correlationId: 'c-1', err: { message: 'gone' } },
    { msg: 'could not answer a turn', sessionId: 's-1', err: { message: 'gone' } },
  ]);
  expect(await metrics.page()).toContain('natter_failures_total{what="create a session"} 1');
  expect(traces.read('s-1')?.entries).toMatchObject([
    { fact: { kind: 'failed', what: 'answer a turn', code: 'Error' } },
  ]);
});

it('does not count an upload that its client aborted as a failure', async () => {
  const lines: string[] = [];
  const { observer, metrics } = observe(lines, 'debug');
  observer.failed('create a session', new UploadAborted('gone'), {
    correlationId: 'c-1',
  });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 20, correlationId: 'c-1' });
  const page = await metrics.page();
  expect(page).toContain('natter_uploads_aborted_total 1');
  expect(page).not.toContain('natter_failures_total{');
});

it('counts routine events, and logs them only at debug level', async () => {
  for (const level of ['info', 'debug'] as const) {
    const lines: string[] = [];
    const { observer, metrics } = observe(lines, level);
    observer.handshakeRefused('RATE_LIMITED', null);
    observer.happened('s-1', { kind: 'ended', reason: 'REASON_USER_END' });
    observer.slowReaderClosed();
    observer.frameRefused?.('too large', 's-1');
    const page = await metrics.page();
    expect(page).toContain('natter_handshakes_refused_total{code="RATE_LIMITED"} 1');
    expect(page).toContain('natter_sessions_ended_total{reason="REASON_USER_END"} 1');
    expect(page).toContain('natter_slow_readers_total 1');
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(
      level === 'info' ? [] : ['refused a handshake', 'a session ended', 'refused a frame'],
    );
  }
});

it('warns about configuration that the operator can correct', () => {
  const lines: string[] = [];
  const { observer } = observe(lines, 'info');
  observer.warned('a cursor was not valid', 's-1');
  observer.misconfigured?.({ host: 'example.com' }, 'a host is missing');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, msg: 'a cursor was not valid', sessionId: 's-1' },
    { level: 40, msg: 'a host is missing', host: 'example.com' },
  ]);
});

it('keeps and logs no session id of a refused handshake that this node does not know', () => {
  const lines: string[] = [];
  const { observer, traces } = observe(lines, 'debug');
  observer.handshakeRefused('AUTHENTICATION_FAILED', 'made-up');
  expect([traces.size, lines.join('')]).toEqual([0, expect.not.stringContaining('made-up')]);
  observer.happened('s-1', { kind: 'socket_opened', socket: 1, cursor: 0 });
  observer.handshakeRefused('AUTHENTICATION_FAILED', 's-1');
  expect(traces.read('s-1')?.entries.at(-1)?.fact).toEqual({
    kind: 'handshake_refused',
    code: 'AUTHENTICATION_FAILED',
  });
});
