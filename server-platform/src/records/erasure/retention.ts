import { and, sql as fragment, isNotNull, lt, lte } from 'drizzle-orm';
import { listRetention, readRetentionDays } from '../../accounts/index.ts';
import { DATABASE_NOW, type Database, erasures, phoneNumbers, queryBuilder } from '../../db/index.ts';
import { RetryLater, type Scheduled, type Scheduler, sweepItems } from '../../jobs/index.ts';
import { type Clock, sleep } from '../../kit/clock.ts';
import {
  addUpcomingPartitions,
  dropEmptyDays,
  longestByPartition,
  type ProjectRetention,
  removeDueDays,
} from './partition-retention.ts';
import { RemovedRows } from './removed-rows.ts';
import { RETENTION_KINDS, type RetentionKind, type RetentionScope } from './retention-kinds.ts';
import { takeRetentionLock } from './retention-lock.ts';

/** Options of the retention. */
export interface RetentionOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Removes marked audio files. */
  readonly removeAudio: () => Promise<void>;
  /** Rows removed by a transaction, by table. */
  readonly onRemoved: (counts: Readonly<Record<string, number>>) => void;
  readonly onFailure: (what: string, error: unknown) => void;
}

const FIRST_RUN_MS = 60_000;
const RUN_EVERY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
// A batch blocks other writers of the embedded database: 1,500 events of 50 sessions for about 60 ms.
const BATCH = 50;
const PAUSE_MS = 50;
// Per kind and project; then the others take their turn.
const MAX_BATCHES = 80;
const FIRST_REST_MS = 10 * 60_000;
const LONGEST_REST_MS = 24 * 60 * 60_000;
/** Nodes read erasures every second. */
const KEEP_ERASURES_MS = 60 * 60_000;

/**
 * Removes data beyond its project's retention, in small transactions. Runs on one node; each batch takes an advisory
 * lock, because two nodes may be elected for a moment. Open sessions and chats are kept completely.
 */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #stop = new AbortController();
  readonly #later: RetryLater<string>;
  readonly #task: Scheduled;

  constructor(options: RetentionOptions) {
    this.#options = options;
    const { clock, scheduler } = options;
    this.#later = new RetryLater({ clock, firstMs: FIRST_REST_MS, longestMs: LONGEST_REST_MS });
    this.#task = scheduler.every({
      what: 'remove old data',
      everyMs: RUN_EVERY_MS,
      firstMs: FIRST_RUN_MS,
      onOneNode: true,
      run: () => this.#runAll(),
    });
  }

  /** Removes due rows after the current run. Failures are reported and retried later. */
  run(): Promise<void> {
    return this.#task.run();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#task.stop();
  }

  async #runAll(): Promise<void> {
    const { database, clock, removeAudio, onRemoved } = this.#options;
    const { signal } = this.#stop;
    const readProjects = () => this.#readProjects();
    // Statements that wait for a lock block others, so those that timed out are left to the next run.
    let areTablesFree = true;
    let isMoreDue = true;
    while (isMoreDue) {
      areTablesFree &&= await this.#attempt('add partitions of events', async () =>
        addUpcomingPartitions({ database, clock }, await readProjects()),
      );
      areTablesFree &&= await this.#attempt('drop the partitions of old events', () =>
        removeDueDays({ database, clock, signal, onRemoved }, readProjects),
      );
      isMoreDue = await this.#runProjects();
      await this.#attempt('remove audio', removeAudio);
      await this.#attempt('clear expired reservations', () => this.#clearExpired());
    }
    if (areTablesFree)
      await this.#attempt('drop partitions without events', () => dropEmptyDays({ database, clock }));
  }

  async #readProjects(): Promise<readonly ProjectRetention[]> {
    const projects: ProjectRetention[] = [];
    await this.#attempt('read the retention of projects', async () => {
      for (const { id, days } of await listRetention(this.#options.database))
        await this.#attempt('read the retention of a project', async () => {
          projects.push({ id, days: readRetentionDays(days) });
        });
    });
    return projects;
  }

  /** Returns true when more is due. */
  async #runProjects(): Promise<boolean> {
    let isMoreDue = false;
    // Settings are read again in every round, because an operator may change them during a long run.
    const projects = await this.#readProjects();
    const longest = longestByPartition(projects);
    for (const project of projects)
      await this.#attempt('apply the retention of a project', async () => {
        if (await this.#runProject(project, longest)) isMoreDue = true;
      });
    return isMoreDue;
  }

  /** Returns true when more is due. */
  async #runProject({ id, days }: ProjectRetention, longest: number | null): Promise<boolean> {
    const nowMs = this.#options.clock.now();
    const isByPartition = days.events !== null && days.events === longest;
    let isMoreDue = false;
    for (const kind of RETENTION_KINDS) {
      const kept = days[kind.name];
      if (kept === null) continue;
      const outcome = await this.#removeKind(kind, {
        projectId: id,
        beforeMs: nowMs - kept * DAY_MS,
        // Data removed together with or after its events must wait until their partition is dropped.
        waits: isByPartition && kept >= longest,
      });
      if (outcome === 'stopped') return false;
      isMoreDue ||= outcome === 'more is due';
    }
    return isMoreDue;
  }

  /** `stopped`: another node is running, or this one is about to stop. */
  async #removeKind(
    kind: RetentionKind,
    due: Pick<RetentionScope, 'projectId' | 'beforeMs' | 'waits'>,
  ): Promise<'done' | 'more is due' | 'stopped'> {
    const { database, clock, onFailure } = this.#options;
    const { signal } = this.#stop;
    const { projectId } = due;
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      if (signal.aborted) return 'stopped';
      const ids = await kind.list(database, { ...due, limit: BATCH, except: this.#later.resting });
      if (ids.length === 0) return 'done';
      let isOurs = true;
      try {
        isOurs = await this.#removeBatch(kind, projectId, ids);
      } catch {
        // Trying each alone shows which one cannot be removed, and reports it.
        await sweepItems(ids, {
          later: this.#later,
          work: async (id) => void (await this.#removeBatch(kind, projectId, [id])),
          onFailure: (error) => onFailure(`remove old ${kind.name}`, error),
        });
      }
      if (!isOurs) return 'stopped';
      if (ids.length < BATCH) return 'done';
      await sleep(clock, PAUSE_MS, signal);
    }
    return 'more is due';
  }

  async #removeBatch(kind: RetentionKind, projectId: string, ids: readonly string[]): Promise<boolean> {
    const { database, clock, onRemoved } = this.#options;
    const removed = await database.tx(async (sql) => {
      if (!(await takeRetentionLock(sql))) return null;
      const counts = new RemovedRows();
      await kind.remove(sql, { projectId, ids, nowMs: clock.now() }, counts);
      return counts;
    });
    if (removed === null) return false;
    onRemoved(removed.counts);
    return true;
  }

  /** Removes expired rows, in every project. */
  async #clearExpired(): Promise<void> {
    const { database, clock, onRemoved } = this.#options;
    const cleared = new RemovedRows();
    const build = queryBuilder(database);
    const { number, attributes, reservedUntil } = phoneNumbers;
    const emptied = await build
      .update(phoneNumbers)
      .set({ attributes: null })
      .where(and(isNotNull(attributes), lte(reservedUntil, clock.now())))
      .returning({ number });
    cleared.add('phone_numbers', emptied.length);
    if (cleared.total > 0) onRemoved(cleared.counts);
    const isOld = lt(
      erasures.erasedAt,
      fragment`${fragment.raw(DATABASE_NOW)} - ${KEEP_ERASURES_MS}::bigint`,
    );
    await build.delete(erasures).where(isOld);
  }

  /** Returns false after a failure, which was reported. */
  async #attempt(what: string, work: () => Promise<void>): Promise<boolean> {
    if (this.#stop.signal.aborted) return true;
    try {
      await work();
      return true;
    } catch (error) {
      this.#options.onFailure(what, error);
      return false;
    }
  }
}
