import { beforeEach, expect, it } from 'vitest';
import { FakeDevice } from '../../../test/chat-harness.ts';
import { FakeClock } from '../../../test/fake-clock.ts';
import { createLeaderWatch, type LeaderWatch } from './leader-watch.ts';

let clock: FakeClock;
let device: FakeDevice;
let watch: LeaderWatch;
let happened: string[];
beforeEach(() => {
  clock = new FakeClock();
  device = new FakeDevice();
  happened = [];
  watch = createLeaderWatch({
    ports: { clock, environment: device },
    ask: () => happened.push('asks'),
    onSilent: () => happened.push('silent'),
  });
  watch.start();
});

it('reports a leader that leaves two requests unanswered, and starts counting again', () => {
  clock.advance(1_499);
  expect(happened).toEqual(['asks', 'asks']);
  clock.advance(1);
  expect(happened).toEqual(['asks', 'asks', 'silent']);
  clock.advance(1_500);
  expect(happened).toEqual(['asks', 'asks', 'silent', 'asks', 'asks', 'silent']);
});

it('counts unanswered requests since the last response', () => {
  clock.advance(1_000);
  watch.noteAnswer();
  clock.advance(1_000);
  expect(happened).toEqual(['asks', 'asks', 'asks', 'asks']);
});

it('sends and counts no requests in a hidden tab', () => {
  clock.advance(1_000);
  device.setVisible(false);
  clock.advance(10_000);
  device.setVisible(true);
  clock.advance(1_000);
  expect(happened).toEqual(['asks', 'asks', 'asks', 'asks']);
});
