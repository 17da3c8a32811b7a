import { describe, expect, it } from 'vitest';
import { createDoor } from '../../../test/realtime/scripted-agent.ts';
import { createWorkLimit } from './work-limit.ts';

const { signal } = new AbortController();

describe('a limit of work', () => {
  it('runs a limited amount of work at once, in order, and refuses work that would wait too long', async () => {
    const limit = createWorkLimit(1, 1);
    const [first, second] = [createDoor(), createDoor()];
    const order: string[] = [];
    const one = limit.run(signal, async () => {
      await first.opened;
      order.push('one');
    });
    const two = limit.run(signal, async () => {
      await second.opened;
      order.push('two');
    });
    await expect(limit.run(signal, async () => {})).rejects.toMatchObject({ code: 'busy' });
    second.open();
    first.open();
    await Promise.all([one, two]);
    expect(order).toEqual(['one', 'two']);
    expect(await limit.run(signal, async () => 'free again')).toBe('free again');
  });

  it('gives the slot of failed or aborted work to the next', async () => {
    const limit = createWorkLimit(1, 5);
    const controller = new AbortController();
    const door = createDoor();
    const running = limit.run(signal, async () => {
      await door.opened;
      throw new Error('failed');
    });
    const aborted = limit.run(controller.signal, async () => {});
    const last = limit.run(signal, async () => 'done');
    controller.abort(new Error('gone'));
    door.open();
    await expect(running).rejects.toThrow('failed');
    await expect(aborted).rejects.toThrow('gone');
    expect(await last).toBe('done');
  });
});
