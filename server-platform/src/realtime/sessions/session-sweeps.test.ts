import { expect, it } from 'vitest';
import type { MessagingContext } from '../messaging-context.ts';
import type { SessionManager } from './session-manager.ts';
import { SessionSweeps } from './session-sweeps.ts';

const INTERRUPTED = 1_000;

/** Sweeps over a dead node's sessions; each takeover completes on request. */
function create() {
  const left = new Set(Array.from({ length: INTERRUPTED }, (_, n) => `session-${n}`));
  const begun: string[] = [];
  const seen = { searches: 0, failures: [] as string[] };
  let waiting: (() => void)[] = [];
  const database = {
    query: (_text: string, [limit, except]: readonly [number, readonly string[]]) => {
      seen.searches += 1;
      const ids = [...left].filter((id) => !except.includes(id)).slice(0, limit);
      return Promise.resolve(ids.map((id) => ({ id })));
    },
  };
  const manager = {
    isClosing: false,
    leftOpen: [],
    unloadUnused: () => Promise.resolve(),
    read: (id: string) => Promise.resolve({ id }),
    load: ({ id }: { readonly id: string }): Promise<object | null> =>
      Promise.resolve({
        recover: async () => {
          begun.push(id);
          await new Promise<void>((resolve) => waiting.push(resolve));
          if (id === 'session-7') throw new Error('It cannot be read.');
          left.delete(id);
        },
      }),
  };
  const context = {
    database,
    clock: { now: () => 0 },
    lease: { node: 'this' },
    limits: { inactivityMs: 600_000 },
    observer: { failed: (what: string) => void seen.failures.push(what) },
  };
  const sweeps = new SessionSweeps(
    context as unknown as MessagingContext,
    manager as unknown as SessionManager,
  );
  /** Completes all takeovers in flight; returns false if there are none. */
  const finishRound = async (): Promise<boolean> => {
    await new Promise((resolve) => setImmediate(resolve));
    const round = waiting;
    waiting = [];
    for (const finish of round) finish();
    return round.length > 0;
  };
  return { begun, finishRound, left, manager, seen, sweeps };
}

it('takes over a thousand sessions of a dead node in one run, with 65 rounds and six searches', async () => {
  const { begun, finishRound, left, seen, sweeps } = create();
  const recovering = sweeps.recover();
  let rounds = 0;
  while (await finishRound()) rounds += 1;
  await recovering;
  // 13 rounds of sixteen for each 200. A sweep begins every 5 s, so a round may take 77 ms if all are done within 10 s.
  expect(rounds).toBe(65);
  expect(seen.searches).toBe(6);
  expect(new Set(begun).size).toBe(INTERRUPTED);
  expect(begun.length).toBe(INTERRUPTED);
  // A failure does not block other sessions, and is not retried in the same run.
  expect([...left]).toEqual(['session-7']);
  expect(seen.failures).toEqual(['recover a session']);
});

it('skips a session whose connector is gone, and starts nothing more once the node stops', async () => {
  const { finishRound, left, manager, seen, sweeps } = create();
  for (const id of left) if (id !== 'session-1') left.delete(id);
  manager.load = () => Promise.resolve(null);
  await sweeps.recover();
  expect([...left]).toEqual(['session-1']);
  expect([await finishRound(), seen.failures]).toEqual([false, []]);
  manager.isClosing = true;
  const { searches } = seen;
  await sweeps.notifyAgents();
  // The leases of nodes that are gone are removed all the same.
  await sweeps.run();
  expect(seen.searches).toBe(searches + 1);
});

it('shares one search among concurrent calls, and starts none when the node stops', async () => {
  const { finishRound, manager, seen, sweeps } = create();
  const both = [sweeps.recover(), sweeps.recover()];
  await finishRound();
  expect(seen.searches).toBe(1);
  manager.isClosing = true;
  while (await finishRound());
  await Promise.all(both);
  expect(seen.searches).toBe(1);
  await sweeps.recover();
  expect(seen.searches).toBe(1);
});
