import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startTokenProxy } from '@natter/token-proxy/node';
import { findFreePort } from '../../e2e/stack/free-port.ts';
import { type PlatformHandle, startPlatformProcess } from './platform/platform-handle.ts';
import { quantile } from './report.ts';
import type { StormReport, StormRequest, StormReturns } from './storm-clients.ts';
import { unlimitedProxy } from './unlimited-proxy.ts';

/** Number and speed of reconnects after a restart. Times are real, in milliseconds. */
interface StormResult {
  readonly clients: number;
  /** From the end of the old process until the next one took connections. */
  readonly downMs: number;
  /** From then on, for every connection that was accepted. */
  readonly recoveryMs: readonly number[];
  /** Clients that were not open in the end. */
  readonly missing: number;
  /** Clients that had used up their budget and needed the visitor's button. */
  readonly buttons: number;
  /** Clients that came back with another session. */
  readonly renewed: number;
  /** Processor time from the platform's start on, in milliseconds: its own, and that of all clients. */
  readonly platformCpuMs: number;
  readonly clientsCpuMs: number;
  /** Connections that clients began, and that the platform accepted, in every second after its start. */
  readonly begunPerSecond: readonly number[];
  readonly acceptedPerSecond: readonly number[];
}

/** Options of a storm. */
interface StormOptions {
  readonly clients: number;
  readonly how: 'kill' | 'shutdown';
  /** A PostgreSQL server and a schema that it may fill. Default: an embedded database. */
  readonly database?: { readonly databaseUrl: string; readonly schema: string };
  readonly onProgress?: (line: string) => void;
}

const CLIENTS = fileURLToPath(new URL('storm-clients.ts', import.meta.url));
// Each has a file descriptor per client, and one core to itself at most.
const CLIENTS_PER_PROCESS = 2_500;
const PLENTY = 1_000_000;

/** Opens many conversations in real time, ends the platform, and measures how they all come back. */
async function runStorm(options: StormOptions): Promise<StormResult> {
  const { clients, how, onProgress = () => {} } = options;
  const folder = await mkdtemp(join(tmpdir(), 'natter-storm-'));
  const connectorToken = `storm-${randomBytes(16).toString('hex')}`;
  const port = await findFreePort();
  const platform = startPlatformProcess({
    settings: {
      database: options.database ?? { dataDir: join(folder, 'data') },
      tokenSecret: randomBytes(32).toString('base64'),
      connectorToken,
      // All come from one address. Ten tries: the budget that the contract assumes when none is named.
      limits: { accessTokensPerMinute: PLENTY, sessionsPerMinute: PLENTY, maxReconnectAttempts: 10 },
      wordPauseMs: 2,
      node: 'storm',
      port,
    },
    onReady: () => {},
  });
  const proxy = await startTokenProxy(
    unlimitedProxy({ upstreamPort: port, connectorToken, write: () => {} }),
  );
  const processes = Array.from({ length: Math.ceil(clients / CLIENTS_PER_PROCESS) }, startClients);
  try {
    await platform.ready();
    const beganAt = performance.now();
    await askAll(processes, (index) => ({
      ask: 'open',
      endpoint: proxy.url,
      clients: Math.min(CLIENTS_PER_PROCESS, clients - index * CLIENTS_PER_PROCESS),
      seed: index * CLIENTS_PER_PROCESS,
    }));
    const tookS = Math.round((performance.now() - beganAt) / 1_000);
    onProgress(`${clients} clients in ${processes.length} processes are open after ${tookS} s`);
    const downMs = await restart(platform, how);
    const readyAtMs = Date.now();
    onProgress(`the platform was away for ${Math.round(downMs)} ms`);
    const cpuBeforeMs = await platform.readCpuMs();
    const reports = await askAll(processes, () => ({ ask: 'watch', readyAtMs }));
    const platformCpuMs = ((await platform.readCpuMs()) ?? 0) - (cpuBeforeMs ?? 0);
    const returns = reports.flatMap((report) => (report.kind === 'returns' ? [report.returns] : []));
    return summarise({ clients, downMs, platformCpuMs }, readyAtMs, returns);
  } finally {
    for (const clientProcess of processes) clientProcess.kill('SIGKILL');
    await platform.close();
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function startClients(): ChildProcess {
  return fork(CLIENTS, {
    execArgv: ['--conditions=@natter/source', '--disable-warning=ExperimentalWarning'],
  });
}

async function askAll(
  processes: readonly ChildProcess[],
  request: (index: number) => StormRequest,
): Promise<readonly StormReport[]> {
  return await Promise.all(
    processes.map(async (clientProcess, index) => {
      const answer = once(clientProcess, 'message');
      const exit = once(clientProcess, 'exit');
      clientProcess.send(request(index));
      const [report] = await Promise.race([
        answer,
        exit.then(() => [{ kind: 'failed', reason: 'A process of clients ended by itself.' }]),
      ]);
      // Sent by `storm-clients.ts` from the same type.
      const result = report as StormReport;
      if (result.kind === 'failed') throw new Error(result.reason);
      return result;
    }),
  );
}

/** Resolves with the length of the outage when the next process accepts connections. */
async function restart(platform: PlatformHandle, how: StormOptions['how']): Promise<number> {
  const beganAt = performance.now();
  if (how === 'shutdown') {
    await platform.restart();
  } else {
    platform.kill();
    await platform.ready();
  }
  return performance.now() - beganAt;
}

function summarise(
  known: Pick<StormResult, 'clients' | 'downMs' | 'platformCpuMs'>,
  readyAtMs: number,
  returns: readonly StormReturns[],
): StormResult {
  const acceptedAtMs = returns.flatMap((each) => each.acceptedAtMs);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  return {
    ...known,
    clientsCpuMs: sum(returns.map(({ cpuMs }) => cpuMs)),
    recoveryMs: acceptedAtMs.map((at) => at - readyAtMs),
    missing: sum(returns.map(({ missing }) => missing)),
    buttons: sum(returns.map(({ buttons }) => buttons)),
    renewed: sum(returns.map(({ renewed }) => renewed)),
    begunPerSecond: countPerSecond(
      returns.flatMap(({ begunAtMs }) => begunAtMs),
      readyAtMs,
    ),
    acceptedPerSecond: countPerSecond(acceptedAtMs, readyAtMs),
  };
}

function countPerSecond(timesMs: readonly number[], startMs: number): readonly number[] {
  const counts: number[] = [];
  for (const at of timesMs) {
    const second = Math.floor((at - startMs) / 1_000);
    counts[second] = (counts[second] ?? 0) + 1;
  }
  return Array.from(counts, (count) => count ?? 0);
}

/** The figures of a storm in words. */
function formatStorm(result: StormResult): string {
  const { clients, downMs, recoveryMs, missing, buttons, renewed } = result;
  const { begunPerSecond, acceptedPerSecond, platformCpuMs, clientsCpuMs } = result;
  const perClient = (ms: number): string => `${(ms / clients).toFixed(2)} ms`;
  const seconds = (share: number): string => `${((quantile(recoveryMs, share) ?? 0) / 1_000).toFixed(1)} s`;
  const last = quantile(recoveryMs, 1) ?? 0;
  const perSecond = last === 0 ? 0 : Math.round(recoveryMs.length / (last / 1_000));
  return [
    `${clients} clients; the platform was away for ${(downMs / 1_000).toFixed(1)} s`,
    `open again after its start: median ${seconds(0.5)}, p99 ${seconds(0.99)}, last ${seconds(1)}`,
    `not back: ${missing}, needed the button: ${buttons}, with another session: ${renewed}`,
    `processor time per client: platform ${perClient(platformCpuMs)}, client ${perClient(clientsCpuMs)}`,
    `accepted per second: ${perSecond}, in the busiest second ${Math.max(0, ...acceptedPerSecond)}`,
    `begun in the busiest second: ${Math.max(0, ...begunPerSecond)}`,
    `accepted per second, from the start: ${acceptedPerSecond.join(' ')}`,
    `begun per second, from the start: ${begunPerSecond.join(' ')}`,
  ].join('\n');
}

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
