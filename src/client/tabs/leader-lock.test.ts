import { expect, it } from 'vitest';
import { createLeaderLock } from './leader-lock.ts';

type Ask = Parameters<NonNullable<Parameters<typeof createLeaderLock>[0]['port']>['lock']>;

/** A lock whose requests the test grants and refuses. */
function askForLock() {
  const happened: string[] = [];
  const asked: { readonly options: Ask[1]; grant(): Promise<void>; refuse(): void }[] = [];
  const lock = createLeaderLock({
    name: 'conversation',
    port: {
      lock: (_name, options, hold) =>
        new Promise((resolve, reject) => {
          asked.push({
            options,
            grant: () => hold().then(() => resolve(undefined)),
            refuse: () => reject(new DOMException('', 'AbortError')),
          });
        }),
      openChannel: () => expect.unreachable(),
    },
    onAcquired: () => happened.push('acquired'),
    onStolen: () => happened.push('stolen'),
  });
  lock.request();
  return { lock, asked, happened };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

it('distinguishes a stolen lock from an unavailable one', async () => {
  const held = askForLock();
  void held.asked[0]?.grant();
  held.asked[0]?.refuse();
  await settle();
  expect(held.happened).toEqual(['acquired', 'stolen']);
  const refused = askForLock();
  refused.asked[0]?.refuse();
  await settle();
  expect(refused.happened).toEqual(['acquired']);
});

it('replaces an earlier lock request with a later one, and drops all on release', async () => {
  const { lock, asked, happened } = askForLock();
  lock.request(true);
  expect(asked.map(({ options }) => options.signal?.aborted ?? 'steals')).toEqual([true, 'steals']);
  asked[0]?.refuse();
  lock.release();
  await asked[1]?.grant();
  expect(happened).toEqual([]);
});
