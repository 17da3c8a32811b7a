import { parseArgs } from 'node:util';
import { startLane } from './lane.ts';
import { NodeTab } from './node-tab.ts';
import { createDice } from './random.ts';
import { quantile } from './report.ts';

/** How many clients come back after a restart, and how fast. Times are real, in milliseconds. */
export interface StormResult {
  readonly clients: number;
  /** From the kill until the next process took connections. */
  readonly downMs: number;
  /** From then on, for every client, until its connection was open. */
  readonly recoveryMs: readonly number[];
  /** Clients that were not open in the end. */
  readonly missing: number;
  /** Clients that had used up their budget and needed the visitor's button. */
  readonly buttons: number;
  /** Clients that came back with another session. */
  readonly renewed: number;
  /** Connections to the platform after its start, by 100 ms. */
  readonly connectionsPer100Ms: readonly number[];
}

/** What a storm is made of. */
export interface StormOptions {
  readonly clients: number;
  readonly how: 'kill' | 'shutdown';
  readonly onProgress?: (line: string) => void;
}

const AT_ONCE = 40;
const PATIENCE_MS = 120_000;
const BIN_MS = 100;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens many conversations in real time, ends the platform, and measures how they all come back. */
export async function runStorm({ clients, how, onProgress = () => {} }: StormOptions): Promise<StormResult> {
  const lane = await startLane({ speed: 1, limits: { maxReconnectAttempts: 10 } });
  const tabs: NodeTab[] = [];
  try {
    for (let opened = 0; opened < clients; opened += AT_ONCE) {
      const group = Array.from({ length: Math.min(AT_ONCE, clients - opened) }, (_, index) => {
        return new NodeTab({ endpoint: lane.endpoint, clock: lane.clock, dice: createDice(opened + index) });
      });
      tabs.push(...group);
      await untilOpen(group);
    }
    onProgress(`${clients} clients are open`);
    const recovery = new Map<NodeTab, number>();
    const killedAt = performance.now();
    const restarted = how === 'kill' ? undefined : lane.platform.restart();
    if (how === 'kill') lane.platform.kill();
    await (restarted ?? lane.platform.ready());
    const readyAt = performance.now();
    lane.connectionTimes.length = 0;
    onProgress(`the platform was away for ${Math.round(readyAt - killedAt)} ms`);
    const waiting = new Set(tabs);
    let buttons = 0;
    while (waiting.size > 0 && performance.now() - readyAt < PATIENCE_MS) {
      for (const tab of waiting) {
        const { connection } = await tab.view();
        if (connection === 'failed') {
          buttons += 1;
          await tab.reconnect();
        }
        if (connection !== 'open') continue;
        recovery.set(tab, performance.now() - readyAt);
        waiting.delete(tab);
      }
      await pause(20);
    }
    const traces = await Promise.all(tabs.map((tab) => tab.trace()));
    const bins: number[] = [];
    for (const at of lane.connectionTimes) {
      const bin = Math.floor((at - readyAt) / BIN_MS);
      if (bin >= 0) bins[bin] = (bins[bin] ?? 0) + 1;
    }
    return {
      clients,
      downMs: readyAt - killedAt,
      recoveryMs: [...recovery.values()],
      missing: waiting.size,
      buttons,
      renewed: traces.filter(({ renewals }) => renewals > 0).length,
      connectionsPer100Ms: Array.from(bins, (count) => count ?? 0),
    };
  } finally {
    await Promise.all(tabs.map((tab) => tab.close()));
    await lane.close();
  }
}

async function untilOpen(tabs: readonly NodeTab[]): Promise<void> {
  const givenUpAt = performance.now() + PATIENCE_MS;
  for (const tab of tabs) {
    while ((await tab.view()).connection !== 'open') {
      if (performance.now() > givenUpAt) throw new Error('A client could not connect before the storm.');
      await pause(5);
    }
  }
}

/** The figures of a storm in words. */
export function formatStorm(result: StormResult): string {
  const { clients, downMs, recoveryMs, missing, buttons, renewed, connectionsPer100Ms } = result;
  const ms = (share: number): string => `${Math.round(quantile(recoveryMs, share) ?? 0)} ms`;
  return [
    `${clients} clients; the platform was away for ${Math.round(downMs)} ms`,
    `open again after its start: median ${ms(0.5)}, p99 ${ms(0.99)}, last ${ms(1)}`,
    `not back: ${missing}, needed the button: ${buttons}, with another session: ${renewed}`,
    `connections in the busiest 100 ms: ${Math.max(0, ...connectionsPer100Ms)}`,
    `connections per 100 ms: ${connectionsPer100Ms.slice(0, 100).join(' ')}`,
  ].join('\n');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      clients: { type: 'string', default: '2000' },
      shutdown: { type: 'boolean', default: false },
    },
  });
  const result = await runStorm({
    clients: Number(values.clients),
    how: values.shutdown ? 'shutdown' : 'kill',
    onProgress: (line) => process.stdout.write(`${line}\n`),
  });
  process.stdout.write(`${formatStorm(result)}\n`);
  process.exitCode = result.missing === 0 ? 0 : 1;
}
