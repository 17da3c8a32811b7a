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

it('does not delay a heartbeat for frames that do not change the interval (HB-1)', () => {
  for (let second = 0; second < 10; second++) {
    clock.advance(1_000);
    heartbeat.noteFrame(true);
    heartbeat.followPace();
  }
  expect(sent).toBe(1);
  expect(silences).toBe(0);
});

it('sends another heartbeat when the first has no answer within 5 s, and reports silence 5 s later (DEL-4a)', () => {
  clock.advance(10_000);
  expect(sent).toBe(1);
  clock.advance(5_000);
  expect(sent).toBe(2);
  clock.advance(4_999);
  expect(silences).toBe(0);
  clock.advance(1);
  expect(silences).toBe(1);
});

it('sends a heartbeat when a message has no answer within 5 s, and none when it has (DEL-4a)', () => {
  heartbeat.awaitAnswer();
  clock.advance(4_000);
  heartbeat.noteFrame(true);
  clock.advance(5_000);
  expect([sent, silences]).toEqual([0, 0]);
  heartbeat.awaitAnswer();
  clock.advance(500);
  // A second frame does not postpone the first one's deadline.
  heartbeat.awaitAnswer();
  clock.advance(9_500);
  expect(silences).toBe(1);
});

it('keeps waiting while other frames arrive, because the response may follow them on a slow line', () => {
  heartbeat.awaitAnswer();
  for (let second = 0; second < 30; second += 3) {
    clock.advance(3_000);
    heartbeat.noteFrame(false);
  }
  expect(silences).toBe(0);
  clock.advance(5_000);
  expect(silences).toBe(1);
});

it('sends no heartbeat at interval 0, and starts when the platform names one (HB-1)', () => {
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

it('applies no interval before the start, and waits for nothing once stopped', () => {
  const idle = createIdleHeartbeat();
  heartbeat.stop();
  idle.followPace();
  expect(clock.pending).toBe(0);
  idle.start();
  clock.advance(10_000);
  idle.stop();
  expect(clock.pending).toBe(0);
});

it('stays stopped when the frame that ended the connection changes the interval', () => {
  heartbeat.stop();
  seconds = 5;
  heartbeat.followPace();
  expect(clock.pending).toBe(0);
});
