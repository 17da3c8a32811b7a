import { type Lane, startLane } from './lane.ts';
import { NodeTab } from './node-tab.ts';
import { createDice } from './random.ts';
import { type OpenTab, runSchedule, type ScheduleResult } from './run-schedule.ts';
import { buildSchedule, type FaultKind } from './schedule.ts';

/** What a soak runs. */
export interface SoakOptions {
  readonly schedules: number;
  /** Schedule n has the seed `seed + n`. */
  readonly seed: number;
  /** Overrides the seeds' own choice. */
  readonly kind?: FaultKind;
  /** Platforms side by side. */
  readonly lanes: number;
  readonly speed: number;
  readonly isInBrowser?: boolean;
  readonly onResult?: (result: ScheduleResult) => Promise<void> | void;
}

/** Tabs of the headless client in this process. Their jitter comes from the seed. */
export function openNodeTabs(lane: Lane, seed: number): OpenTab {
  return async (index, first) =>
    new NodeTab({
      endpoint: lane.endpoint,
      clock: lane.clock,
      dice: createDice(seed ^ (index + 1)),
      ...(first instanceof NodeTab && { storage: first.copyStorage() }),
    });
}

/** Runs schedules, each lane one at a time, and resolves with what became of them in the order of their seeds. */
export async function runSoak(options: SoakOptions): Promise<readonly ScheduleResult[]> {
  const { schedules, seed, kind, speed } = options;
  const lanes = await Promise.all(
    Array.from({ length: Math.max(1, Math.min(options.lanes, schedules)) }, () => startLane({ speed })),
  );
  const results: ScheduleResult[] = [];
  let next = 0;
  try {
    await Promise.all(
      lanes.map(async (lane) => {
        while (next < schedules) {
          const schedule = buildSchedule(seed + next, kind);
          next += 1;
          const result = await runSchedule(lane, schedule, openNodeTabs(lane, schedule.seed));
          results.push(result);
          await options.onResult?.(result);
        }
      }),
    );
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
  }
  return results.sort((a, b) => a.seed - b.seed);
}
