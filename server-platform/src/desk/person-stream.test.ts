import { expect, it } from 'vitest';
import type { Bus } from '../bus/index.ts';
import { createPersonCalls } from './person-calls.ts';
import { openPersonStream } from './person-stream.ts';

const clock = { now: () => 0, setTimer: () => () => {} };
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('reads what streams of one person begin with one after the other, and nothing for one that was closed meanwhile', async () => {
  const personCalls = createPersonCalls(clock);
  const begun: string[] = [];
  const answers: (() => void)[] = [];
  const open = (name: string, personId: string) =>
    openPersonStream({
      ...{ clock, personId, personCalls, shown: null, beatMs: 10_000 },
      bus: {} as Bus,
      log: { readPage: () => Promise.reject(new Error('No conversation is shown.')) },
      list: {
        event: 'list',
        read: async () => {
          begun.push(name);
          await new Promise<void>((resolve) => answers.push(resolve));
          return {};
        },
      },
      listen: () => [],
      isSignedIn: async () => true,
      onFailure: (_what, error) => {
        throw error;
      },
      onClose: () => {},
    });
  open('first', 'a');
  const second = open('second', 'a');
  open('third', 'a');
  open('of another person', 'b');
  await settle();
  expect(begun).toEqual(['first', 'of another person']);
  second.close();
  answers[0]?.();
  await settle();
  expect(begun).toEqual(['first', 'of another person', 'third']);
});
