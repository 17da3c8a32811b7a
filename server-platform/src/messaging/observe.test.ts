import { expect, it } from 'vitest';
import { createLogger } from '../logger.ts';
import { createMessagingMetrics } from './metrics.ts';
import { createObserver } from './observe.ts';

it('logs a failure with the ids it is asked about by, and counts it', async () => {
  const lines: string[] = [];
  const metrics = createMessagingMetrics({ sockets: () => 0, sessions: () => 0, queuedRows: () => 0 });
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
