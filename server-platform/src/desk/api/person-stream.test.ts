import { expect, it } from 'vitest';
import type { Bus } from '../../realtime/bus/index.ts';
import type { Person } from '../../staff/people.ts';
import { createPersonCalls } from '../../staff/person-calls.ts';
import { openPersonStream } from './person-stream.ts';

const clock = { now: () => 0, setTimer: () => () => {} };
const RIGHTS = { person: { role: 'agent', queueIds: [] } as unknown as Person, mayRead: true };
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("reads the initial state of a person's streams one by one, and none for one closed meanwhile", async () => {
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
      readRights: async () => ({ person: {} as Person, mayRead: true }),
      watchRights: () => () => {},
      onFailure: (_what, error) => {
        throw error;
      },
      onSlowReader: () => {},
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

it('ends and counts the stream of a page with four megabytes unread', async () => {
  let look = (): void => {};
  let lists = 0;
  let isClosed = false;
  let slowReaders = 0;
  const stream = openPersonStream({
    ...{ clock, personId: 'a', personCalls: createPersonCalls(clock), shown: null, beatMs: 10_000 },
    bus: {} as Bus,
    log: { readPage: () => Promise.reject(new Error('No conversation is shown.')) },
    // Below the size that rests between two sendings.
    list: {
      event: 'list',
      read: async () => {
        lists += 1;
        return { nr: lists, text: 'x'.repeat(16_000) };
      },
    },
    listen: (listener) => {
      look = listener;
      return [];
    },
    readRights: async () => RIGHTS,
    watchRights: () => () => {},
    onFailure: (_what, error) => {
      throw error;
    },
    onSlowReader: () => {
      slowReaders += 1;
    },
    onClose: () => {
      isClosed = true;
    },
  });
  for (let nr = 0; nr < 400; nr += 1) {
    look();
    await settle();
  }
  expect(isClosed).toBe(true);
  expect(slowReaders).toBe(1);
  expect(lists).toBeGreaterThan(200);
  expect(lists).toBeLessThan(300);
  await stream.body.cancel();
});
