import { isDeepStrictEqual } from 'node:util';
import { isRetentionByPartition, type RetentionDays } from '../../accounts/index.ts';
import { dayOf, firstIdOfDay } from '../../db/ids/index.ts';
import { type Database, isDatabaseError, type Sql } from '../../db/index.ts';
import { type Clock, sleep } from '../../kit/clock.ts';
import {
  addEventPartitions,
  dropEventPartition,
  LOCK_NOT_AVAILABLE,
  listEventPartitions,
  withTableLocks,
} from '../../realtime/event-log/index.ts';
import { removeSessions } from './remove-sessions.ts';
import { RemovedRows } from './removed-rows.ts';
import { takeRetentionLock } from './retention-lock.ts';
import { storeUsersOfSessions } from './users-of-conversations.ts';

/** A project with limited retention. */
export type ProjectRetention = { readonly id: string; readonly days: RetentionDays };

/** Options of the removal by partitions. */
export interface PartitionRetentionOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Rows that were removed, by table. */
  readonly onRemoved: (counts: Readonly<Record<string, number>>) => void;
}

const DAY_MS = 86_400_000;
// A partition must exist when its day's first session starts, even if adding it was blocked for a while.
const DAYS_AHEAD = 3;
// A node's clock may be slightly slow.
const DAYS_BEFORE_DROP = 2;
// Their events are read in one statement, which blocks all others on the embedded database.
const SESSIONS_AT_ONCE = 100;
const PAUSE_MS = 25;
// Maximum share of a day's events to keep. They are copied in one statement, which blocks the embedded database.
const MOST_KEPT = 0.05;
const LOCK_ATTEMPTS = 5;
const BETWEEN_ATTEMPTS_MS = 1_000;

/**
 * The longest event retention among projects that remove events by partition; null: none does. A day's partition is
 * dropped once the day has expired for the projects with this retention. Events of other projects are removed row by
 * row.
 */
export function longestByPartition(projects: readonly ProjectRetention[]): number | null {
  const kept = projects.map(({ days }) => days.events).filter(isRetentionByPartition);
  return kept.length === 0 ? null : Math.max(...kept);
}

/**
 * Removes due sessions if they make up nearly a whole day: drops the partition of their events, keeps the events of
 * sessions that are not due, and then removes the sessions. Settings are read again for each day, because an operator
 * may change them during a long run.
 */
export async function removeDueDays(
  options: PartitionRetentionOptions,
  readProjects: () => Promise<readonly ProjectRetention[]>,
): Promise<void> {
  const { database, clock, signal } = options;
  for (const day of await listEventPartitions(database)) {
    const projects = await readProjects();
    const longest = longestByPartition(projects);
    if (longest === null || day >= dayOf(clock.now()) - longest || signal.aborted) return;
    const isUnchanged = async (): Promise<boolean> => isDeepStrictEqual(projects, await readProjects());
    await removeDay(options, day, projects, isUnchanged);
  }
}

/** Adds partitions for coming days if a project needs them. */
export async function addUpcomingPartitions(
  { database, clock }: Pick<PartitionRetentionOptions, 'database' | 'clock'>,
  projects: readonly ProjectRetention[],
): Promise<void> {
  if (longestByPartition(projects) === null) return;
  const today = dayOf(clock.now());
  const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, ahead) => today + ahead);
  await addEventPartitions(database, days);
}

/** Drops partitions of past days without sessions. */
export async function dropEmptyDays({
  database,
  clock,
}: Pick<PartitionRetentionOptions, 'database' | 'clock'>): Promise<void> {
  const today = dayOf(clock.now());
  for (const day of await listEventPartitions(database)) {
    if (day > today - DAYS_BEFORE_DROP || (await hasSessions(database, day))) continue;
    await withTableLocks(database, async (sql) => {
      if (await takeRetentionLock(sql)) await dropEventPartition(sql, day);
    });
  }
}

async function hasSessions(sql: Sql, day: number): Promise<boolean> {
  const rows = await sql.query('SELECT 1 FROM sessions WHERE id >= $1 AND id < $2 LIMIT 1', idsOf(day));
  return rows.length > 0;
}

const idsOf = (day: number): readonly [from: string, below: string] => [
  firstIdOfDay(day),
  firstIdOfDay(day + 1),
];

// Sessions of one day with their projects' event retention.
const SESSIONS = `sessions s
  JOIN connectors c ON c.id = s.connector_id
  LEFT JOIN unnest($3::text[], $4::bigint[]) AS kept (project_id, ended_before) ON kept.project_id = c.project_id
 WHERE s.id >= $1::uuid AND s.id < $2::uuid`;
const IS_DUE = 'coalesce(s.ended_at < kept.ended_before, false)';

/** Counts the events of a day's sessions, and of the due ones among them. */
const COUNT_EVENTS = `
SELECT coalesce(sum(last_sequence), 0)::bigint AS all,
       coalesce(sum(last_sequence) FILTER (WHERE ${IS_DUE}), 0)::bigint AS due
  FROM ${SESSIONS}`;
const LIST_KEPT = `SELECT s.id, s.last_sequence FROM ${SESSIONS} AND NOT ${IS_DUE}`;
const LIST_DUE = `
SELECT s.id FROM ${SESSIONS} AND ${IS_DUE} AND c.project_id = $5 AND s.id > $6::uuid
 ORDER BY s.id LIMIT ${SESSIONS_AT_ONCE}`;

/** The day, and the end time before which sessions are due, per project. */
type DayParams = readonly [
  from: string,
  below: string,
  projectIds: readonly string[],
  before: readonly number[],
];

async function removeDay(
  options: PartitionRetentionOptions,
  day: number,
  projects: readonly ProjectRetention[],
  isUnchanged: () => Promise<boolean>,
): Promise<void> {
  const { database, clock, signal, onRemoved } = options;
  const nowMs = clock.now();
  const kept = projects.flatMap(({ id, days: { events } }) =>
    events === null ? [] : [{ id, endedBeforeMs: nowMs - events * DAY_MS }],
  );
  const params: DayParams = [
    ...idsOf(day),
    kept.map(({ id }) => id),
    kept.map(({ endedBeforeMs }) => endedBeforeMs),
  ];
  const [counted] = await database.query<{ all: number; due: number }>(COUNT_EVENTS, params);
  if (counted === undefined || counted.due === 0) return;
  if (counted.all - counted.due > MOST_KEPT * counted.all) return;
  // The events name a session's user, so what a later erasure needs is stored before they are dropped.
  await eachPageOfDue(options, params, async (projectId, ids) => {
    await storeUsersOfSessions(database, projectId, ids);
  });
  if (signal.aborted || !(await isUnchanged())) return;
  const isDropped = await retryForLock(options, async (sql) => {
    if (!(await takeRetentionLock(sql))) return false;
    // Another node may have dropped it.
    if (!(await listEventPartitions(sql)).includes(day)) return false;
    const sessions = await sql.query<{ id: string; last_sequence: number }>(LIST_KEPT, params);
    await dropEventPartition(
      sql,
      day,
      sessions.map(({ id, last_sequence: lastSequence }) => ({ id, lastSequence })),
    );
    return true;
  });
  if (!isDropped) return;
  const events = new RemovedRows();
  events.add('events', counted.due);
  onRemoved(events.counts);
  await eachPageOfDue(options, params, async (_projectId, ids) => {
    const removed = new RemovedRows();
    await database.tx((sql) => removeSessions(sql, ids, removed));
    onRemoved(removed.counts);
  });
}

/** Sessions of a day that are due, project by project and page by page. */
async function eachPageOfDue(
  { database, clock, signal }: PartitionRetentionOptions,
  params: DayParams,
  work: (projectId: string, ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const [first, , projectIds] = params;
  for (const projectId of projectIds) {
    let after = first;
    while (!signal.aborted) {
      const rows = await database.query<{ id: string }>(LIST_DUE, [...params, projectId, after]);
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0) await work(projectId, ids);
      if (ids.length < SESSIONS_AT_ONCE) break;
      after = ids.at(-1) ?? after;
      await sleep(clock, PAUSE_MS, signal);
    }
  }
}

async function retryForLock<T>(
  { database, clock, signal }: PartitionRetentionOptions,
  run: (sql: Sql) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withTableLocks(database, run);
    } catch (error) {
      const isBusy = isDatabaseError(error) && error.sqlState === LOCK_NOT_AVAILABLE;
      if (!isBusy || attempt === LOCK_ATTEMPTS || signal.aborted) throw error;
    }
    await sleep(clock, BETWEEN_ATTEMPTS_MS, signal);
  }
}
