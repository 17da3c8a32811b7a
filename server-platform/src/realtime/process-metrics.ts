import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, type Registry } from 'prom-client';

/** Registers a gauge whose value is read when the page is requested. */
export type AddGauge = (name: string, help: string, read: () => number) => void;

const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

/** Adds CPU, memory and event loop metrics under the names of Prometheus's standard client libraries. */
export function addProcessMetrics(registry: Registry, gauge: AddGauge): void {
  // Does not keep the process alive.
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const startedAtSeconds = Date.now() / 1000 - process.uptime();
  gauge('process_start_time_seconds', 'When the process started, since 1970.', () => startedAtSeconds);
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process.',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / MICROSECONDS);
    },
  });
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  gauge(
    'nodejs_heap_used_bytes',
    'Memory of the objects of JavaScript.',
    () => process.memoryUsage().heapUsed,
  );
  gauge(
    'nodejs_eventloop_lag_p99_seconds',
    "99th percentile of the event loop's delay since the page was last read.",
    () => {
      const seconds = delay.count === 0 ? 0 : delay.percentile(99) / NANOSECONDS;
      delay.reset();
      return seconds;
    },
  );
}
