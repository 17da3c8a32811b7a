import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import * as v from 'valibot';

/** How often a node takes a sample of its figures, in milliseconds. */
export const SAMPLE_MS = 10_000;

// A quarter of an hour, which is what the charts of the console show.
const SAMPLES_KEPT = 90;
// The failures that are listed: the latest kinds.
const FAILURES_LISTED = 20;
// Of the timer that measures the delay. The measurement includes its own period.
const LOOP_RESOLUTION_MS = 20;
const NANOSECONDS_PER_MS = 1e6;
const MICROSECONDS_PER_MS = 1_000;
// A minute, beyond which every commit counts as one of a minute.
const LONGEST_COMMIT_US = 60_000_000;

const count = v.pipe(v.number(), v.minValue(0));

const sampleSchema = v.object({
  at_ms: v.number(),
  /** Open WebSockets. */
  sockets: count,
  /** Sessions that the node holds. */
  sessions: count,
  /** Events that wait for their commit. */
  queued_rows: count,
  /** Group commits since the sample before, with their median and 95th percentile; null: there was none. */
  commits: count,
  commit_p50_ms: v.nullable(count),
  commit_p95_ms: v.nullable(count),
  /** Failures since the sample before. */
  failures: count,
  /** 99 of 100 turns of the event loop were late by at most so much. */
  loop_delay_ms: count,
  resident_bytes: count,
});

/** Figures of a node at a time, and of the time since the sample before. */
export type FigureSample = v.InferOutput<typeof sampleSchema>;

/** A node's figures for the others: its answer to `node figures` on the bus. */
export const nodeFiguresSchema = v.object({
  version: v.string(),
  started_at_ms: v.number(),
  /** The oldest first. */
  samples: v.array(sampleSchema),
  /** Kinds of failures since the start, the latest first. */
  failures: v.array(v.object({ what: v.string(), count, last_at_ms: v.number() })),
});

/** A node's figures for the others. */
export type NodeFigures = v.InferOutput<typeof nodeFiguresSchema>;

/** Values that are read when a sample is taken. */
export interface FigureSources {
  readonly sockets: () => number;
  readonly sessions: () => number;
}

/** Keeps the figures of this process for some minutes, for the console. Metrics pages go further back. */
export class FigureRecorder {
  readonly #log: { readonly queuedRows: number };
  readonly #commits = createHistogram({ lowest: 1, highest: LONGEST_COMMIT_US, figures: 3 });
  // Does not keep the process alive. The metrics page has its own, which is reset with every scrape.
  readonly #delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  readonly #failures = new Map<string, { count: number; lastAtMs: number }>();
  readonly #samples: FigureSample[] = [];
  #sources: FigureSources = { sockets: () => 0, sessions: () => 0 };
  #failed = 0;

  constructor(log: { readonly queuedRows: number }) {
    this.#log = log;
  }

  /** From now on samples have the numbers of a gateway. */
  watch(sources: FigureSources): void {
    this.#sources = sources;
  }

  noteCommit(durationMs: number): void {
    const us = Math.round(durationMs * MICROSECONDS_PER_MS);
    this.#commits.record(Math.min(Math.max(us, 1), LONGEST_COMMIT_US));
  }

  noteFailure(what: string, nowMs: number): void {
    this.#failed += 1;
    this.#failures.set(what, { count: (this.#failures.get(what)?.count ?? 0) + 1, lastAtMs: nowMs });
  }

  /** Begins to measure the delay of the event loop. */
  start(): void {
    this.#delay.enable();
  }

  stop(): void {
    this.#delay.disable();
  }

  /** Takes a sample: current values, and counts since the previous sample. */
  sample(nowMs: number): void {
    const hasCommits = this.#commits.count > 0;
    const percentile = (share: number): number | null =>
      hasCommits ? this.#commits.percentile(share) / MICROSECONDS_PER_MS : null;
    this.#samples.push({
      at_ms: nowMs,
      sockets: this.#sources.sockets(),
      sessions: this.#sources.sessions(),
      queued_rows: this.#log.queuedRows,
      commits: this.#commits.count,
      commit_p50_ms: percentile(50),
      commit_p95_ms: percentile(95),
      failures: this.#failed,
      loop_delay_ms: this.#readLoopDelay(),
      resident_bytes: process.memoryUsage.rss(),
    });
    if (this.#samples.length > SAMPLES_KEPT) this.#samples.shift();
    this.#commits.reset();
    this.#delay.reset();
    this.#failed = 0;
  }

  read(version: string, nowMs: number): NodeFigures {
    return {
      version,
      started_at_ms: nowMs - Math.round(process.uptime() * 1_000),
      samples: [...this.#samples],
      failures: [...this.#failures]
        .map(([what, { count, lastAtMs }]) => ({ what, count, last_at_ms: lastAtMs }))
        .sort((a, b) => b.last_at_ms - a.last_at_ms)
        .slice(0, FAILURES_LISTED),
    };
  }

  #readLoopDelay(): number {
    if (this.#delay.count === 0) return 0;
    return Math.max(0, this.#delay.percentile(99) / NANOSECONDS_PER_MS - LOOP_RESOLUTION_MS);
  }
}
