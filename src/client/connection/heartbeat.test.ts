import { beforeEach, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { createHeartbeat, type Heartbeat } from './heartbeat.ts';

let clock: FakeClock;
let seconds: number;
let sent: number;
let silences: number;
let heartbeat: Heartbeat;

function createIdleHeartbeat(): Heartbeat {
  return createHeartbeat({
    clock,
    capabilities: () => ({ heartbeat_interval_seconds: seconds }),
    send: () => {
      sent += 1;
    },
    onCheck: () => {},
    onSilent: () => {
      silences += 1;
    },
  });
}

beforeEach(() => {
  clock = new FakeClock();
  seconds = 10;
  sent = 0;
  silences = 0;
  heartbeat = createIdleHeartbeat();
  heartbeat.start();
});

it('is not put off by frames that change nothing about its pace (HB-1)', () => {
  for (let second = 0; second < 10; second++) {
    clock.advance(1_000);
    heartbeat.noteFrame();
    heartbeat.followPace();
  }
  expect(sent).toBe(1);
  expect(silences).toBe(0);
});

it('tells of silence when no frame has come within one and a half times the pace, and not after one (HB-1)', () => {
  clock.advance(10_000);
  heartbeat.noteFrame();
  clock.advance(10_000);
  clock.advance(14_999);
  expect(silences).toBe(0);
  clock.advance(1);
  expect(silences).toBe(1);
});

it('sends nothing at a pace of 0, and begins when the platform names one (HB-1)', () => {
  heartbeat.stop();
  seconds = 0;
  heartbeat.start();
  heartbeat.probe();
  expect(clock.pending).toBe(0);
  seconds = 5;
  heartbeat.followPace();
  clock.advance(5_000);
  expect(sent).toBe(1);
});

it('follows no pace before it has started, and waits for nothing once stopped', () => {
  const idle = createIdleHeartbeat();
  heartbeat.stop();
  idle.followPace();
  expect(clock.pending).toBe(0);
  idle.start();
  clock.advance(10_000);
  idle.stop();
  expect(clock.pending).toBe(0);
});

it('stays stopped when the frame that ended the connection changes the pace', () => {
  heartbeat.stop();
  seconds = 5;
  heartbeat.followPace();
  expect(clock.pending).toBe(0);
});
