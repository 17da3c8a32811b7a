import { expect, it } from 'vitest';
import { createDoor } from '../../../test/realtime/scripted-agent.ts';
import { VisitorDataQueue } from './visitor-data-queue.ts';

it('refuses a caller whose slots are all in use, and no other caller', async () => {
  const line = new VisitorDataQueue(2);
  const done: string[] = [];
  const call = (caller: string): Promise<string | null> =>
    line.wait(caller, async () => {
      done.push(caller);
      return caller;
    });
  const flood = Array.from({ length: 5 }, () => call('mallory'));
  const honest = call('alice');
  expect(await Promise.all(flood)).toEqual(['mallory', 'mallory', null, null, null]);
  expect(await honest).toBe('alice');
  expect(done).toEqual(['mallory', 'mallory', 'alice']);
  // Slots are released even after a failure.
  await expect(line.wait('mallory', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await Promise.all([call('mallory'), call('mallory')])).toEqual(['mallory', 'mallory']);
});

it('frees one slot per finished call', async () => {
  const line = new VisitorDataQueue(2);
  const doors = [createDoor(), createDoor()];
  const [first, second] = doors.map((door) => line.wait('mallory', () => door.opened));
  doors[0]?.open();
  await first;
  const third = line.wait('mallory', async () => 'third');
  expect(await line.wait('mallory', async () => 'fourth')).toBeNull();
  doors[1]?.open();
  await second;
  expect(await third).toBe('third');
});
