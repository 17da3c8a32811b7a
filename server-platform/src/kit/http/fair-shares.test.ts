import { expect, it } from 'vitest';
import { acquireSlot, answerInShare, createFairShares } from './fair-shares.ts';

it('limits an account to its share, and refuses what exceeds the queue', async () => {
  const run = createFairShares({ atOnce: 2, maxWaiting: 1, createRefusal: () => new Error('busy') });
  const ends: (() => void)[] = [];
  const hang = (): Promise<string> => new Promise((resolve) => ends.push(() => resolve('over')));
  const hanging = [run('one', hang), run('one', hang), run('one', hang)];
  await expect(run('one', hang)).rejects.toThrow('busy');
  expect(ends).toHaveLength(2);
  expect(await run('other', async () => 'at once')).toBe('at once');
  while (ends.length > 0) {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await Promise.all(hanging)).toEqual(['over', 'over', 'over']);
  await expect(run('one', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await run('one', async () => 'again')).toBe('again');
});

const createRefusal = (): Error => new Error('busy');
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('frees a slot once, also when its signal is aborted, and gives none to an aborted waiter', async () => {
  const run = createFairShares({ atOnce: 1, maxWaiting: 10, createRefusal });
  const [held, waits] = [new AbortController(), new AbortController()];
  const giveBack = await acquireSlot(run, 'one', held.signal);
  const waiting = acquireSlot(run, 'one', waits.signal);
  waits.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await expect(acquireSlot(run, 'one', waits.signal)).rejects.toThrow('gone');
  held.abort();
  giveBack();
  (await acquireSlot(run, 'one', new AbortController().signal))();
});

it('keeps the slot of a response until it is read or its reader has disconnected', async () => {
  const run = createFairShares({ atOnce: 2, maxWaiting: 10, createRefusal });
  const never = new AbortController().signal;
  const text = new TextEncoder();
  const endless = () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(text.encode('more')) }));
  const gone = new AbortController();
  const [read, left] = await Promise.all([
    answerInShare(run, 'one', never, async () => new Response('all of it', { status: 201 })),
    answerInShare(run, 'one', gone.signal, async () => endless()),
  ]);
  let begun = 0;
  const others = [1, 2, 3].map(() =>
    answerInShare(run, 'one', never, async () => {
      begun += 1;
      return endless();
    }),
  );
  await nextTurn();
  expect(begun).toBe(0);
  expect(await (await answerInShare(run, 'other', never, async () => new Response('at once'))).text()).toBe(
    'at once',
  );
  expect([read.status, await read.text()]).toEqual([201, 'all of it']);
  await others[0];
  gone.abort(new Error('gone'));
  await others[1];
  await expect(left.text()).rejects.toThrow('gone');
  // The reader cancels.
  await (await others[0])?.body?.cancel();
  await others[2];
  await expect(answerInShare(run, 'two', never, () => Promise.reject(new Error('failed')))).rejects.toThrow(
    'failed',
  );
});
