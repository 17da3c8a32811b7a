import type { Database, Sql } from '../../db/index.ts';
import type { Scheduled, Scheduler } from '../../jobs/index.ts';
import type { Clock } from '../../kit/clock.ts';
import type { AlertEvent } from './alert-event.ts';
import type { StoredAlertRule } from './alert-rule.ts';
import { evaluateDueRule } from './evaluate-rule.ts';
import { type MetricReader, readMetric, scopeOf } from './read-metric.ts';

/** The evaluation of rules as seen by the routes. */
export interface EvaluationBackend {
  /**
   * Accepts a new or changed rule before it is committed. Rejects when the rule cannot be evaluated; the change is then
   * refused and nothing is stored. Source: AL-3.
   */
  accept(sql: Sql, rule: StoredAlertRule): Promise<void>;
}

/** Options of {@link AlertEvaluator}. */
export interface AlertEvaluatorOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Source: AL-5. */
  readonly intervalMs: number;
  /** Stores the deliveries of an event. */
  readonly emit: (sql: Sql, accountId: string, event: AlertEvent) => Promise<void>;
  /** Called when events may have been stored for delivery. */
  readonly onEvaluated: () => void;
  readonly onFailure: (what: string, error: unknown) => void;
  /** Default: reads the conversation records. */
  readonly readMetric?: MetricReader;
}

/** Evaluates every enabled rule periodically, on any number of nodes. Source: 9.1. */
export class AlertEvaluator implements EvaluationBackend {
  readonly #options: AlertEvaluatorOptions;
  #task: Scheduled | null = null;
  #running: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: AlertEvaluatorOptions) {
    this.#options = options;
  }

  start(): void {
    const { scheduler, intervalMs: everyMs } = this.#options;
    const run = (): Promise<void> => this.evaluate();
    this.#task = scheduler.every({ what: 'evaluate the alert rules', everyMs, run });
  }

  /** Accepts a rule only if its metric can be read; otherwise it would be stored but never fire. */
  async accept(sql: Sql, rule: StoredAlertRule): Promise<void> {
    if (this.#isClosed) throw new Error('The evaluation of alert rules has been stopped.');
    const { clock, readMetric: read = readMetric } = this.#options;
    if (rule.isEnabled) await read(sql, rule.metric, scopeOf(rule, clock.now()));
  }

  /** Evaluates due rules after the current run. Failures are logged and retried next time. */
  async evaluate(): Promise<void> {
    const work = this.#running.then(() => this.#evaluateAll());
    this.#running = work;
    await work;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#task?.stop();
    await this.#running;
  }

  async #evaluateAll(): Promise<void> {
    const { database, clock, intervalMs, emit, onEvaluated, onFailure } = this.#options;
    const nowMs = clock.now();
    // The scheduler shortens its pauses by up to a tenth, and the rule must be due again by then.
    const dueAgainMs = nowMs + intervalMs * 0.9;
    const options = {
      database,
      readMetric: this.#options.readMetric ?? readMetric,
      nowMs,
      dueAgainMs: Math.round(dueAgainMs),
      emit,
      onMetricFailure: (error: unknown) => onFailure('read a metric', error),
      onRuleFailure: (error: unknown) => onFailure('evaluate an alert rule', error),
    };
    try {
      // In rounds of one rule per account, so that an account with many slow rules does not delay other accounts.
      let served: string[] = [];
      while (!this.#isClosed) {
        const accountId = await evaluateDueRule({ ...options, skippedAccounts: served });
        if (accountId === null && served.length === 0) break;
        served = accountId === null ? [] : [...served, accountId];
      }
    } catch (error) {
      onFailure('evaluate the alert rules', error);
    }
    onEvaluated();
  }
}
