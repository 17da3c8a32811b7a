import { expect, it } from 'vitest';
import { Lifecycle } from './lifecycle.ts';

it('stops every resource in reverse order, even after a failure, and reports those that failed', async () => {
  const log: string[] = [];
  const lifecycle = new Lifecycle((what, error) => log.push(`${what}: ${String(error)}`));
  const use = (name: string, stop: () => Promise<void>): string =>
    lifecycle.use(name, {
      what: `stop ${name}`,
      timeoutMs: 20,
      run: (resource) => {
        log.push(`stop ${resource}`);
        return stop();
      },
    });
  expect(use('database', async () => {})).toBe('database');
  use('bus', () => new Promise(() => {}));
  use('port', () => Promise.reject(new Error('no')));
  await Promise.all([lifecycle.stop(), lifecycle.stop()]);
  expect(log).toEqual([
    'stop port',
    'stop port: Error: no',
    'stop bus',
    'stop bus: Error: It took longer than 20 ms.',
    'stop database',
  ]);
});
