import { beforeEach, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { createHeartbeat, type Heartbeat } from './heartbeat.ts';

let clock: FakeClock;
let seconds: number;
let sent: number;
let heartbeat: Heartbeat;
beforeEach(() => {
  clock = new FakeClock();
  seconds = 10;
  sent = 0;
  heartbeat = createHeartbeat({
    clock,
    capabilities: () => ({ heartbeat_interval_seconds: seconds }),
    send: () => {
      sent += 1;
    },
    onCheck: () => {},
    onSilent: () => expect.unreachable(),
  });
  heartbeat.start();
});

it('is not put off by frames that change nothing about its pace (HB-1)', () => {
  for (let second = 0; second < 10; second++) {
    clock.advance(1_000);
    heartbeat.noteFrame();
    heartbeat.followPace();
  }
  expect(sent).toBe(1);
});

it('stays stopped when the frame that ended the connection changes the pace', () => {
  heartbeat.stop();
  seconds = 5;
  heartbeat.followPace();
  expect(clock.pending).toBe(0);
});
