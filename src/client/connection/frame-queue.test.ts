import { expect, it } from 'vitest';
import { createFrameQueue } from './frame-queue.ts';

function rig({ isPaced = true, isPainted = true } = {}) {
  const passed: string[] = [];
  const callbacks: (() => void)[] = [];
  const state = { isPaced };
  const nextPaint = isPainted ? (callback: () => void) => void callbacks.push(callback) : null;
  const queue = createFrameQueue({ nextPaint, isPaced: () => state.isPaced }, (texts) =>
    passed.push(texts.join('+')),
  );
  const paint = (): void => {
    for (const callback of callbacks.splice(0)) callback();
  };
  return { queue, passed, paint, callbacks, state };
}

it('passes the first frame on at once, and the following ones together before the next paint', () => {
  const { queue, passed, paint } = rig();
  for (const text of ['1', '2', '3']) queue.push(text);
  expect(passed).toEqual(['1']);
  paint();
  expect(passed).toEqual(['1', '2+3']);
  queue.push('4');
  expect(passed).toEqual(['1', '2+3']);
  paint();
  expect(passed).toEqual(['1', '2+3', '4']);
});

it('passes a frame after a pause on at once', () => {
  const { queue, passed, paint, callbacks } = rig();
  queue.push('1');
  paint();
  expect(callbacks).toEqual([]);
  queue.push('2');
  expect(passed).toEqual(['1', '2']);
});

it('leaves the rest of a flood to the next paint', () => {
  const { queue, passed, paint } = rig();
  for (let index = 0; index < 500; index += 1) queue.push('x');
  const counts = (): number[] => passed.map((texts) => texts.split('+').length);
  paint();
  expect(counts()).toEqual([1, 200]);
  paint();
  paint();
  expect(counts()).toEqual([1, 200, 200, 99]);
});

it('flushes queued frames in order, once', () => {
  const { queue, passed, paint } = rig();
  for (const text of ['1', '2', '3']) queue.push(text);
  queue.flush();
  queue.flush();
  paint();
  expect(passed).toEqual(['1', '2+3']);
});

it('passes queued frames on, in order, with the first frame that need not wait', () => {
  const { queue, passed, state } = rig();
  for (const text of ['1', '2']) queue.push(text);
  state.isPaced = false;
  queue.push('3');
  queue.push('4');
  expect(passed).toEqual(['1', '2+3', '4']);
});

it('requests no paint while nothing is shown', () => {
  const { queue, passed, callbacks, state } = rig({ isPaced: false });
  queue.push('1');
  expect(callbacks).toEqual([]);
  state.isPaced = true;
  queue.push('2');
  expect(passed).toEqual(['1', '2']);
});

it('queues nothing if nothing is painted', () => {
  const { queue, passed } = rig({ isPainted: false });
  for (const text of ['1', '2']) queue.push(text);
  expect(passed).toEqual(['1', '2']);
});
