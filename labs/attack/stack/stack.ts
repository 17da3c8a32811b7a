import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MessagingLimits } from '@natter/platform';
import { PATIENCE } from '../../../e2e/patience.ts';
import type { StackInfo } from '../attack.ts';
import type { StackReport, StackRequest, Vitals } from './stack-messages.ts';

/** A running stack: platform and token proxy in a separate process. */
export interface Stack {
  readonly info: StackInfo;
  /** Why the process ended unexpectedly; null while it runs. */
  readonly death: string | null;
  /** Lines that the stack logged as errors, in the order in which they came. */
  readonly errors: readonly string[];
  /** Null when the stack does not answer within the time. */
  measure(patienceMs?: number): Promise<Vitals | null>;
  /** Ends the stack, by force when it does not stop in time, and removes its database. */
  stop(): Promise<void>;
}

const ENTRY = fileURLToPath(new URL('stack-process.ts', import.meta.url));
const COMPILE_CACHE = join(tmpdir(), 'natter-soak-compile-cache');
// Memory must not depend on the texts.
const HEAP_MEBIBYTES = 512;
const START_PATIENCE_MS = 120_000;
const STOP_PATIENCE_MS = 15_000;
const MEASURE_PATIENCE_MS = 10_000 * PATIENCE;
const PINO_ERROR = 50;
const MAX_ERRORS = 1_000;

const isErrorLine = (line: string): boolean => {
  const level = /"level":(\d+)/.exec(line)?.[1];
  // Lines that are no log lines are a crash's stack trace.
  return line.trim() !== '' && (level === undefined || Number(level) >= PINO_ERROR);
};

/** Starts a stack on free ports of the loopback interface. Rejects when it does not come up. */
export async function startStack(limits: Partial<MessagingLimits> = {}): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'natter-attack-'));
  const child = fork(ENTRY, [join(folder, 'data'), JSON.stringify(limits)], {
    execArgv: [
      ...['--conditions=@natter/source', '--disable-warning=ExperimentalWarning', '--expose-gc'],
      // A fault of V8 with the engine of the embedded database (nodejs/node 64500) can end the process at its start.
      '--no-memory-protection-keys',
      `--max-old-space-size=${HEAP_MEBIBYTES}`,
    ],
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const errors: string[] = [];
  for (const stream of [child.stdout, child.stderr]) readLines(stream, errors);
  const state: { death: string | null } = { death: null };
  child.once('exit', (code, signal) => {
    state.death = `the stack's process ended: ${code ?? signal}`;
  });
  const stopChild = async (): Promise<void> => {
    if (state.death === null) await endProcess(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const report = await waitFor(child, START_PATIENCE_MS, ({ kind: tell }) => tell === 'ready');
    if (report?.kind !== 'ready') throw new Error(`The stack did not start.\n${errors.join('\n')}`);
    let asked = 0;
    return {
      info: report.info,
      get death() {
        return state.death;
      },
      errors,
      async measure(patienceMs = MEASURE_PATIENCE_MS) {
        if (state.death !== null) return null;
        asked += 1;
        const id = asked;
        const answer = waitFor(child, patienceMs, (told) => told.kind === 'vitals' && told.id === id);
        send(child, { ask: 'measure', id });
        const reply = await answer;
        return reply?.kind === 'vitals' ? reply.vitals : null;
      },
      stop: stopChild,
    };
  } catch (error) {
    await stopChild();
    throw error;
  }
}

function readLines(stream: NodeJS.ReadableStream | null, errors: string[]): void {
  let rest = '';
  stream?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (isErrorLine(line) && errors.length < MAX_ERRORS) errors.push(line);
  });
}

function send(child: ChildProcess, request: StackRequest): void {
  // A process that has just ended is noticed by its exit event.
  if (child.connected) child.send(request, () => {});
}

/** Null when the time has passed, or the process has ended, before. */
function waitFor(
  child: ChildProcess,
  patienceMs: number,
  isIt: (report: StackReport) => boolean,
): Promise<StackReport | null> {
  return new Promise((resolve) => {
    const finish = (report: StackReport | null): void => {
      clearTimeout(timer);
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(report);
    };
    const onMessage = (message: unknown): void => {
      // Sent by `stack-process.ts` from the same type.
      const report = message as StackReport;
      if (isIt(report)) finish(report);
    };
    const onExit = (): void => finish(null);
    const timer = setTimeout(() => finish(null), patienceMs);
    child.on('message', onMessage);
    child.on('exit', onExit);
  });
}

async function endProcess(child: ChildProcess): Promise<void> {
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  send(child, { ask: 'stop', id: 0 });
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
  await exited;
  clearTimeout(timer);
}
