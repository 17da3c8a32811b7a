import { isRetentionByPartition, listRetention, readRetentionDays } from '../../accounts/index.ts';
import { createSessionId, createSessionIdOfDay, dayOf } from '../../db/ids/index.ts';
import type { Sql } from '../../db/index.ts';
import { listEventPartitions } from '../event-log/index.ts';

/** Gives sessions their ids: one of the day where the project's events are removed by partitions, any other one where not. */
export class SessionIds {
  #projects: ReadonlySet<string> = new Set();
  #days: ReadonlySet<number> = new Set();

  /** Reads which projects keep their events for how long, and which days have a partition. */
  async refresh(sql: Sql): Promise<void> {
    const projects = await listRetention(sql);
    this.#projects = new Set(projects.filter(({ days }) => isByPartition(days)).map(({ id }) => id));
    this.#days = new Set(await listEventPartitions(sql));
  }

  /** A new id. Never one of a day that has no partition: its events could not be stored. */
  create(projectId: string, nowMs: number): string {
    const day = dayOf(nowMs);
    const isOfDay = this.#projects.has(projectId) && this.#days.has(day);
    return isOfDay ? createSessionIdOfDay(day) : createSessionId();
  }
}

function isByPartition(stored: unknown): boolean {
  try {
    return isRetentionByPartition(readRetentionDays(stored).events);
  } catch {
    // Settings that cannot be read are reported by the retention, and are of no consequence for other projects.
    return false;
  }
}
