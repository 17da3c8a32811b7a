import { isRetentionByPartition, listRetention, readRetentionDays } from '../../accounts/index.ts';
import { createSessionId, createSessionIdOfDay, dayOf } from '../../db/ids/index.ts';
import type { Sql } from '../../db/index.ts';
import { listEventPartitions } from '../event-log/index.ts';

/** Creates session ids: of the current day if the project's events are removed by partition, otherwise random ones. */
export class SessionIds {
  #projects: ReadonlySet<string> = new Set();
  #days: ReadonlySet<number> = new Set();

  /** Reads which projects remove events by partition, and which days have a partition. */
  async refresh(sql: Sql): Promise<void> {
    const projects = await listRetention(sql);
    this.#projects = new Set(projects.filter(({ days }) => isByPartition(days)).map(({ id }) => id));
    this.#days = new Set(await listEventPartitions(sql));
  }

  /** A new id, never one of a day without a partition, because its events could not be stored. */
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
    // The retention reports unreadable settings; they must not affect other projects.
    return false;
  }
}
