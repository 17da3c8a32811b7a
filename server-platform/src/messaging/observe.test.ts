import { expect, it } from 'vitest';
import { UploadAborted } from '../http/json-body.ts';
import { createLogger } from '../logger.ts';
import { createMessagingMetrics } from './metrics.ts';
import { createObserver } from './observe.ts';

it('logs a failure with the ids it is asked about by, and counts it', async () => {
  const lines: string[] = [];
  const metrics = createMessagingMetrics({ queuedRows: 0 });
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  const observer = createObserver(logger, metrics);
  observer.failed('create a session', new Error('gone'), { correlationId: 'c-1' });
  observer.failed('answer a turn', new Error('gone'), { sessionId: 's-1' });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'could not create a session', correlationId: 'c-1', err: { message: 'gone' } },
    { msg: 'could not answer a turn', sessionId: 's-1', err: { message: 'gone' } },
  ]);
  expect(await metrics.page()).toContain('natter_failures_total{what="create a session"} 1');
});

it('takes an upload that its client broke off for no failure', async () => {
  const lines: string[] = [];
  const metrics = createMessagingMetrics({ queuedRows: 0 });
  const logger = createLogger('debug', { write: (line) => lines.push(line) });
  createObserver(logger, metrics).failed('create a session', new UploadAborted('gone'), {
    correlationId: 'c-1',
  });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 20, correlationId: 'c-1' });
  const page = await metrics.page();
  expect(page).toContain('natter_uploads_aborted_total 1');
  expect(page).not.toContain('natter_failures_total{');
});

it('counts what needs no line of its own, and logs it where that is asked for', async () => {
  for (const level of ['info', 'debug'] as const) {
    const lines: string[] = [];
    const metrics = createMessagingMetrics({ queuedRows: 0 });
    const observer = createObserver(createLogger(level, { write: (line) => lines.push(line) }), metrics);
    observer.handshakeRefused('RATE_LIMITED');
    observer.sessionEnded('REASON_USER_END');
    observer.slowReaderClosed();
    observer.frameRefused?.('too large', 's-1');
    const page = await metrics.page();
    expect(page).toContain('natter_handshakes_refused_total{code="RATE_LIMITED"} 1');
    expect(page).toContain('natter_sessions_ended_total{reason="REASON_USER_END"} 1');
    expect(page).toContain('natter_slow_readers_total 1');
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(
      level === 'info' ? [] : ['refused a handshake', 'refused a frame'],
    );
  }
});

it('warns of what the operator can set right', () => {
  const lines: string[] = [];
  const metrics = createMessagingMetrics({ queuedRows: 0 });
  const observer = createObserver(createLogger('info', { write: (line) => lines.push(line) }), metrics);
  observer.warned('a cursor was not valid', 's-1');
  observer.misconfigured?.({ host: 'example.com' }, 'a host is missing');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, msg: 'a cursor was not valid', sessionId: 's-1' },
    { level: 40, msg: 'a host is missing', host: 'example.com' },
  ]);
});
