import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../server-platform/src/db/index.ts';
import { createDice } from './dice.ts';
import { type Lane, startLane } from './lane.ts';
import { type OpenTab, runSchedule, type ScheduleResult } from './run-schedule.ts';
import { buildSchedule, type FaultKind, type Schedule } from './schedule.ts';
import { type SoakBrowser, startSoakBrowser } from './tabs/browser-tab.ts';
import { createVisitor, NodeTab } from './tabs/node-tab.ts';

/** Options of a soak. */
export interface SoakOptions {
  readonly schedules: number;
  /** Schedule n has the seed `seed + n`. */
  readonly seed: number;
  /** Overrides the seeds' own choice. */
  readonly kind?: FaultKind;
  /** A PostgreSQL server; every lane gets a separate schema. Default: an embedded database in each platform. */
  readonly databaseUrl?: string;
  /** Nodes of each platform, and the bus between them. Default: 1; the database's. */
  readonly nodes?: number;
  readonly busUrl?: string;
  /** Platforms side by side. */
  readonly lanes: number;
  readonly speed: number;
  /** Tabs of Chromium instead of clients in this process. */
  readonly isInBrowser?: boolean;
  readonly onResult?: (result: ScheduleResult) => Promise<void> | void;
}

/**
 * Tabs of the headless client in this process. Their jitter comes from the seed. Two in three visitors have a browser
 * whose tabs can share a conversation.
 */
function openNodeTabs(lane: Lane, seed: number): OpenTab {
  const visitor = seed % 3 === 0 ? null : createVisitor();
  return async (index, first) =>
    new NodeTab({
      endpoint: lane.endpoint,
      clock: lane.clock,
      dice: createDice(seed ^ (index + 1)),
      ...(visitor ? { visitor } : first instanceof NodeTab && { storage: first.copyStorage() }),
    });
}

async function runIn(lane: Lane, schedule: Schedule, browser: SoakBrowser | null): Promise<ScheduleResult> {
  if (!browser) return await runSchedule(lane, schedule, openNodeTabs(lane, schedule.seed));
  const visitor = await browser.openVisitor(lane, schedule.seed);
  try {
    return await runSchedule(lane, schedule, visitor.openTab);
  } finally {
    await visitor.close();
  }
}

async function dropSchemas(databaseUrl: string, schemas: readonly string[]): Promise<void> {
  const database = await openDatabase({ databaseUrl });
  for (const schema of schemas) await database.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await database.close();
}

/** Runs schedules, each lane one at a time, and resolves with what became of them in the order of their seeds. */
export async function runSoak(options: SoakOptions): Promise<readonly ScheduleResult[]> {
  const { schedules, seed, kind, speed, databaseUrl, nodes = 1, busUrl, isInBrowser = false } = options;
  const browser = isInBrowser ? await startSoakBrowser() : null;
  const lanes: Lane[] = [];
  const schemas: string[] = [];
  const results: ScheduleResult[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    const schema = `natter_soak_${randomUUID().replaceAll('-', '')}`;
    if (databaseUrl !== undefined) schemas.push(schema);
    const lane = await startLane({
      ...(databaseUrl !== undefined && { database: { databaseUrl, schema } }),
      nodes,
      ...(busUrl !== undefined && { busUrl }),
      speed,
      ...(browser && { origins: [browser.origin] }),
    });
    lanes.push(lane);
    while (next < schedules) {
      const schedule = buildSchedule(seed + next, { kind, hasSeveralTabs: isInBrowser });
      next += 1;
      const result = await runIn(lane, schedule, browser);
      results.push(result);
      await options.onResult?.(result);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(1, Math.min(options.lanes, schedules)) }, work));
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
    if (databaseUrl !== undefined) await dropSchemas(databaseUrl, schemas);
    await browser?.close();
  }
  return results.sort((a, b) => a.seed - b.seed);
}
