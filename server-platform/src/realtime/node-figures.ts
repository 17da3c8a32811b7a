import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import * as v from 'valibot';

/** Interval between samples of a node's figures, in milliseconds. */
export const SAMPLE_MS = 10_000;

// A quarter of an hour, the range of the console's charts.
const SAMPLES_KEPT = 90;
// Number of recent failure kinds that are listed.
const FAILURES_LISTED = 20;
// Resolution of the timer that measures the delay. The measurement includes this period.
const LOOP_RESOLUTION_MS = 20;
const NANOSECONDS_PER_MS = 1e6;
const MICROSECONDS_PER_MS = 1_000;
// Longer commits are recorded as one minute.
const LONGEST_COMMIT_US = 60_000_000;

const count = v.pipe(v.number(), v.minValue(0));

const sampleSchema = v.object({
  at_ms: v.number(),
  /** Open WebSockets. */
  sockets: count,
  /** Sessions owned by the node. */
  sessions: count,
  /** Events waiting for their commit. */
  queued_rows: count,
  /** Group commits since the previous sample, with median and 95th percentile; null when there were none. */
  commits: count,
  commit_p50_ms: v.nullable(count),
  commit_p95_ms: v.nullable(count),
  /** Failures since the previous sample. */
  failures: count,
  /** 99th percentile of the event loop delay. */
  loop_delay_ms: count,
  resident_bytes: count,
});

/** Current figures of a node, and counts since the previous sample. */
export type FigureSample = v.InferOutput<typeof sampleSchema>;

/** A node's answer to `node figures` on the bus. */
export const nodeFiguresSchema = v.object({
  version: v.string(),
  started_at_ms: v.number(),
  /** Oldest first. */
  samples: v.array(sampleSchema),
  /** Kinds of failures since the start, latest first. */
  failures: v.array(v.object({ what: v.string(), count, last_at_ms: v.number() })),
});

/** A node's answer to `node figures` on the bus. */
export type NodeFigures = v.InferOutput<typeof nodeFiguresSchema>;

/** Values that each sample reads. */
export interface FigureSources {
  readonly sockets: () => number;
  readonly sessions: () => number;
}

/** Keeps recent figures of this process in memory for the console. A metrics system keeps them longer. */
export class FigureRecorder {
  readonly #log: { readonly queuedRows: number };
  readonly #commits = createHistogram({ lowest: 1, highest: LONGEST_COMMIT_US, figures: 3 });
  // Does not keep the process alive. Separate from the metrics page's histogram, which every scrape resets.
  readonly #delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  readonly #failures = new Map<string, { count: number; lastAtMs: number }>();
  readonly #samples: FigureSample[] = [];
  #sources: FigureSources = { sockets: () => 0, sessions: () => 0 };
  #failed = 0;

  constructor(log: { readonly queuedRows: number }) {
    this.#log = log;
  }

  /** Includes a gateway's numbers in later samples. */
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

  /** Starts measuring the event loop delay. */
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
