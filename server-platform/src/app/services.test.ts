import { expect, it } from 'vitest';
import { Services } from './services.ts';

const start = (services: Services, log: string[], name: string, stop: () => Promise<void>): Promise<string> =>
  services.start({
    start: () => {
      log.push(`start ${name}`);
      return name;
    },
    stopping: `stop ${name}`,
    stop: (running) => {
      log.push(`stop ${running}`);
      return stop();
    },
    stopTimeoutMs: 20,
  });

it('stops every service in reverse order, even after a failure, and reports those that failed', async () => {
  const log: string[] = [];
  const services = new Services((what, error) => log.push(`${what}: ${String(error)}`));
  await start(services, log, 'database', async () => {});
  await start(services, log, 'bus', () => new Promise(() => {}));
  await start(services, log, 'port', () => Promise.reject(new Error('no')));
  await Promise.all([services.stop(), services.stop()]);
  expect(log).toEqual([
    'start database',
    'start bus',
    'start port',
    'stop port',
    'stop port: Error: no',
    'stop bus',
    'stop bus: Error: It took longer than 20 ms.',
    'stop database',
  ]);
});

it('stops only the services that have started', async () => {
  const log: string[] = [];
  const services = new Services((what) => log.push(what));
  await start(services, log, 'database', async () => {});
  const failing = services.start({
    start: () => Promise.reject(new Error('the port is taken')),
    stopping: 'stop port',
    stop: async () => log.push('stopped the port'),
    stopTimeoutMs: null,
  });
  await expect(failing).rejects.toThrow('the port is taken');
  await services.stop();
  expect(log).toEqual(['start database', 'stop database']);
});
