import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { TurnResult } from './messaging-context.ts';

/** What the metrics page shows of the messaging side. */
export interface MessagingMetrics {
  readonly contentType: string;
  page(): Promise<string>;
  /** Shows the numbers of a gateway. Until then the page has none of them. */
  watchGateway(sources: GatewaySources): void;
  readonly frames: (outcome: string) => void;
  readonly handshakesRefused: (code: string) => void;
  readonly slowReaders: () => void;
  readonly uploadsAborted: () => void;
  readonly sessionsEnded: (reason: string) => void;
  readonly turns: (result: TurnResult, durationMs: number) => void;
  readonly failures: (what: string) => void;
  /** A run of a task in the background that succeeded. */
  readonly taskRun: (what: string, durationMs: number) => void;
  readonly rowsRemoved: (why: string, counts: Readonly<Record<string, number>>) => void;
}

/** Numbers of a gateway, read when the page is requested. */
export interface GatewaySources {
  readonly sockets: () => number;
  readonly sessions: () => number;
}

// From an instant reply to an agent at its time limit.
const TURN_BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180];

// From a look that finds nothing to a retention of months.
const TASK_BUCKETS_SECONDS = [0.01, 0.1, 1, 10, 60, 600];

/** Makes the metrics of one platform; nothing is registered globally. */
export function createMessagingMetrics(log: { readonly queuedRows: number }): MessagingMetrics {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  const counter = <Label extends string>(
    name: string,
    help: string,
    ...labelNames: Label[]
  ): Counter<Label> => new Counter({ name, help, registers, labelNames });

  gauge('natter_log_queued_rows', 'Events that wait for their commit.', () => log.queuedRows);
  const frames = counter('natter_client_frames_total', 'Frames from clients, by outcome.', 'outcome');
  const refused = counter('natter_handshakes_refused_total', 'Refused handshakes, by error code.', 'code');
  const slow = counter('natter_slow_readers_total', 'Sockets closed because their reader was too slow.');
  const aborted = counter(
    'natter_uploads_aborted_total',
    'Requests that ended before their body was complete.',
  );
  const ended = counter('natter_sessions_ended_total', 'Ended sessions, by reason.', 'reason');
  const failures = counter('natter_failures_total', 'What failed, by attempt.', 'what');
  const removed = counter(
    'natter_rows_removed_total',
    'Rows removed by retention and erasure, by table.',
    'why',
    'table',
  );
  const turns = new Histogram({
    name: 'natter_turn_seconds',
    help: 'Duration of turns, by result.',
    labelNames: ['result'],
    buckets: TURN_BUCKETS_SECONDS,
    registers,
  });

  const tasks = new Histogram({
    name: 'natter_task_seconds',
    help: 'Duration of the work in the background, by task.',
    labelNames: ['what'],
    buckets: TASK_BUCKETS_SECONDS,
    registers,
  });

  return {
    contentType: registry.contentType,
    page: () => registry.metrics(),
    watchGateway({ sockets, sessions }) {
      gauge('natter_sockets', 'Open WebSockets.', sockets);
      gauge('natter_sessions', 'Sessions held by this node.', sessions);
    },
    frames: (outcome) => frames.inc({ outcome }),
    handshakesRefused: (code) => refused.inc({ code }),
    slowReaders: () => slow.inc(),
    uploadsAborted: () => aborted.inc(),
    sessionsEnded: (reason) => ended.inc({ reason }),
    turns: (result, durationMs) => turns.observe({ result }, durationMs / 1000),
    failures: (what) => failures.inc({ what }),
    taskRun: (what, durationMs) => tasks.observe({ what }, durationMs / 1000),
    rowsRemoved: (why, counts) => {
      for (const [table, count] of Object.entries(counts)) removed.inc({ why, table }, count);
    },
  };
}
