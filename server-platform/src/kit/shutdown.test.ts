import { describe, expect, it } from 'vitest';
import { runShutdown, type ShutdownStep } from './shutdown.ts';

describe('a shutdown', () => {
  it('runs every shutdown step in order, even after a failure, and reports those that failed', async () => {
    const ran: string[] = [];
    const reported: string[] = [];
    const step = (what: string, run: () => Promise<unknown>): ShutdownStep => ({
      what,
      timeoutMs: 20,
      run: () => {
        ran.push(what);
        return run();
      },
    });
    await runShutdown(
      [
        step('fail', () => Promise.reject(new Error('no'))),
        step('hang', () => new Promise(() => {})),
        step('throw', () => {
          throw new Error('at once');
        }),
        step('end', async () => {}),
      ],
      (what, error) => reported.push(`${what}: ${error instanceof Error ? error.message : ''}`),
    );
    expect(ran).toEqual(['fail', 'hang', 'throw', 'end']);
    expect(reported).toEqual(['fail: no', 'hang: It took longer than 20 ms.', 'throw: at once']);
  });
});
