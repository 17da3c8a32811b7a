import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../db/index.ts';
import type { Peers } from './bus/index.ts';
import type { TurnResult } from './messaging-context.ts';
import { FigureRecorder } from './node-figures.ts';
import { type AddGauge, addProcessMetrics } from './process-metrics.ts';

/** Records the metrics of the messaging side. */
export interface MessagingMetrics {
  readonly contentType: string;
  page(): Promise<string>;
  /** Recent samples of some of these numbers, for the console. */
  readonly figures: FigureRecorder;
  /** Adds the gateway's gauges to the metrics page. Not present before this call. */
  watchGateway(sources: GatewaySources): void;
  readonly frames: (outcome: string) => void;
  readonly handshakesRefused: (code: string) => void;
  readonly slowReaders: () => void;
  readonly uploadsAborted: () => void;
  readonly sessionsEnded: (reason: string) => void;
  readonly turns: (result: TurnResult, durationMs: number) => void;
  readonly failures: (what: string) => void;
  /** A background task completed successfully. */
  readonly taskRun: (what: string, durationMs: number) => void;
  readonly rowsRemoved: (why: string, counts: Readonly<Record<string, number>>) => void;
  readonly requestAnswered: (family: string, method: string, status: number, durationMs: number) => void;
  readonly committed: (commit: { readonly rows: number; readonly durationMs: number }) => void;
  readonly socketOpened: () => void;
  readonly socketClosed: (code: number) => void;
  readonly webhookAttempted: (outcome: 'delivered' | 'retried' | 'given_up', durationMs: number) => void;
  readonly busMayHaveLost: () => void;
  /** Adds the gauges of database and bus connections to the metrics page. Not present before this call. */
  watchConnections(sources: ConnectionSources): void;
  /** Adds the offset between the machine's and the database's clock. The page shows 0 before this call. */
  watchClock(machineAheadMs: () => number): void;
}

/** Numbers of the database's connections and of the bus, read when the page is requested. */
export interface ConnectionSources {
  readonly database: Pick<Database, 'connections'>;
  readonly peers: Pick<Peers, 'isUp' | 'isShared' | 'names'>;
}

/** Numbers of a gateway, read when the page is requested. */
export interface GatewaySources {
  readonly sockets: () => number;
  readonly sessions: () => number;
}

// From an immediate reply to an agent that hits its time limit.
const TURN_BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180];

// From a local request to one that hits its time limit.
const REQUEST_BUCKETS_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10];

// From a RAM disk to an overloaded database.
const COMMIT_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5];

const ROW_BUCKETS = [1, 2, 5, 10, 25, 50, 100, 250, 1000];

// From a sweep that finds nothing to the removal of months of data.
const TASK_BUCKETS_SECONDS = [0.01, 0.1, 1, 10, 60, 600];

/** Makes the metrics of one platform; nothing is registered globally. */
export function createMessagingMetrics(log: { readonly queuedRows: number }): MessagingMetrics {
  const registry = new Registry();
  const add = createAdders(registry);
  let machineAheadMs = (): number => 0;
  add.gauge(
    'natter_clock_ahead_seconds',
    "How far the machine's clock is ahead of the database's; 0 with the embedded one.",
    () => machineAheadMs() / 1000,
  );
  add.gauge('natter_log_queued_rows', 'Events waiting for their commit.', () => log.queuedRows);
  addProcessMetrics(registry, add.gauge);
  const figures = new FigureRecorder(log);
  const visitors = createVisitorMetrics(add);
  const work = createWorkMetrics(add);
  const traffic = createTrafficMetrics(add);

  return {
    contentType: registry.contentType,
    page: () => registry.metrics(),
    figures,
    ...visitors,
    ...work,
    ...traffic,
    committed(commit) {
      traffic.committed(commit);
      figures.noteCommit(commit.durationMs);
    },
    failures(what) {
      work.failures(what);
      figures.noteFailure(what, Date.now());
    },
    watchClock(read) {
      machineAheadMs = read;
    },
    watchConnections: (sources) => watchConnections(registry, add, sources),
    watchGateway({ sockets, sessions }) {
      figures.watch({ sockets, sessions });
      add.gauge('natter_sockets', 'Open WebSockets.', sockets);
      add.gauge('natter_sessions', 'Sessions held by this node.', sessions);
    },
  };
}

/** Adds a metric to the page. */
interface Adders {
  readonly gauge: AddGauge;
  readonly counter: <Label extends string>(name: string, help: string, ...labels: Label[]) => Counter<Label>;
  readonly histogram: <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labels: Label[]
  ) => Histogram<Label>;
}

function createAdders(registry: Registry): Adders {
  const registers = [registry];
  return {
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    counter: (name, help, ...labelNames) => new Counter({ name, help, registers, labelNames }),
    histogram: (name, help, buckets, ...labelNames) =>
      new Histogram({ name, help, registers, buckets, labelNames }),
  };
}

/** Messages, conversations and their outcomes. */
function createVisitorMetrics({ counter, histogram }: Adders) {
  const frames = counter('natter_client_frames_total', 'Frames from clients, by outcome.', 'outcome');
  const refused = counter('natter_handshakes_refused_total', 'Refused handshakes, by error code.', 'code');
  const slow = counter(
    'natter_slow_readers_total',
    'Sockets, and streams of the desk and the console, closed because their reader was too slow.',
  );
  const aborted = counter(
    'natter_uploads_aborted_total',
    'Requests that ended before their body was complete.',
  );
  const ended = counter('natter_sessions_ended_total', 'Ended sessions, by reason.', 'reason');
  const turns = histogram(
    'natter_turn_seconds',
    'Duration of turns, by result.',
    TURN_BUCKETS_SECONDS,
    'result',
  );
  return {
    frames: (outcome: string) => frames.inc({ outcome }),
    handshakesRefused: (code: string) => refused.inc({ code }),
    slowReaders: () => slow.inc(),
    uploadsAborted: () => aborted.inc(),
    sessionsEnded: (reason: string) => ended.inc({ reason }),
    turns: (result: TurnResult, durationMs: number) => turns.observe({ result }, durationMs / 1000),
  };
}

/** Background tasks and failures. */
function createWorkMetrics({ counter, histogram }: Adders) {
  const failures = counter('natter_failures_total', 'What failed, by attempt.', 'what');
  const removed = counter(
    'natter_rows_removed_total',
    'Rows removed by retention and erasure, by table.',
    'why',
    'table',
  );
  const tasks = histogram(
    'natter_task_seconds',
    'Duration of background tasks, by task.',
    TASK_BUCKETS_SECONDS,
    'what',
  );
  return {
    failures: (what: string) => failures.inc({ what }),
    taskRun: (what: string, durationMs: number) => tasks.observe({ what }, durationMs / 1000),
    rowsRemoved(why: string, counts: Readonly<Record<string, number>>) {
      for (const [table, count] of Object.entries(counts)) removed.inc({ why, table }, count);
    },
  };
}

/** Frames received, events stored and frames sent. */
function createTrafficMetrics({ counter, histogram }: Adders) {
  const requests = histogram(
    'natter_http_request_seconds',
    'Time until requests were answered, by family, method and status.',
    REQUEST_BUCKETS_SECONDS,
    'family',
    'method',
    'status',
  );
  const commits = histogram(
    'natter_commit_seconds',
    'Duration of group commits of the event log.',
    COMMIT_BUCKETS_SECONDS,
  );
  const rows = histogram('natter_commit_rows', 'Rows of a group commit.', ROW_BUCKETS);
  const opened = counter('natter_sockets_opened_total', 'Accepted WebSockets.');
  const closed = counter('natter_sockets_closed_total', 'Closed WebSockets, by close code.', 'code');
  const attempts = histogram(
    'natter_webhook_attempt_seconds',
    'Duration of attempts to deliver a webhook, by outcome.',
    TURN_BUCKETS_SECONDS,
    'outcome',
  );
  const losses = counter('natter_bus_losses_total', 'Times that messages of the bus may have been lost.');
  return {
    requestAnswered: (family: string, method: string, status: number, durationMs: number) =>
      requests.observe({ family, method, status: String(status) }, durationMs / 1000),
    committed(commit: { readonly rows: number; readonly durationMs: number }) {
      commits.observe(commit.durationMs / 1000);
      rows.observe(commit.rows);
    },
    socketOpened: () => opened.inc(),
    // Peers choose their close codes freely, so all nonstandard codes share one label.
    socketClosed: (code: number) => closed.inc({ code: CLOSE_CODES.has(code) ? String(code) : 'other' }),
    webhookAttempted: (outcome: string, durationMs: number) =>
      attempts.observe({ outcome }, durationMs / 1000),
    busMayHaveLost: () => losses.inc(),
  };
}

// Codes of the standard and of messaging.md 12.1.
const CLOSE_CODES: ReadonlySet<number> = new Set([
  ...[1000, 1001, 1002, 1003, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013],
  ...[4000, 4001, 4002, 4003, 4004],
]);

function watchConnections(
  registry: Registry,
  { gauge }: Adders,
  { database, peers }: ConnectionSources,
): void {
  new Gauge({
    name: 'natter_database_connections',
    help: 'Connections to PostgreSQL, by state; waiting: requests waiting for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(database.connections?.() ?? {})) this.set({ state }, count);
    },
  });
  gauge('natter_bus_up', 'Whether the bus carries messages: 1, or 0. A single node has none, and 1.', () =>
    peers.isUp || !peers.isShared ? 1 : 0,
  );
  gauge('natter_bus_nodes', 'Other nodes that sent a message recently.', () => peers.names.length);
}
