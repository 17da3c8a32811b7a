import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PATIENCE } from '../../../e2e/patience.ts';
import { ATTACKERS_READY, type AttackersReport, type AttackersRequest } from './attackers-messages.ts';

/** The process of the hostile peers. */
export interface Attackers {
  /**
   * Starts the process unless it runs. To load its code takes a core for a second, which is not what an attack costs the
   * stack. Rejects when it does not start.
   */
  prepare(): Promise<void>;
  /** Runs one attack. A process that does not end is killed, and the next attack starts another one. */
  run(request: AttackersRequest): Promise<AttackersReport>;
  stop(): void;
}

const ENTRY = fileURLToPath(new URL('attackers-process.ts', import.meta.url));
const START_PATIENCE_MS = 60_000;
// After an attack's own time: counting places, closing thousands of sockets.
const OVERTIME_MS = 20_000 * PATIENCE;

/** Describes the process; `prepare` starts it. */
export function createAttackers(): Attackers {
  let child: ChildProcess | null = null;
  const stop = (): void => {
    child?.kill('SIGKILL');
    child = null;
  };
  return {
    async prepare() {
      if (child !== null) return;
      child = fork(ENTRY, {
        execArgv: ['--conditions=@natter/source', '--disable-warning=ExperimentalWarning'],
      });
      const hello = await receive(child, START_PATIENCE_MS);
      if (hello === ATTACKERS_READY) return;
      stop();
      throw new Error(`The attackers did not start: ${hello instanceof Error ? hello.message : hello}`);
    },
    async run(request) {
      if (child === null) throw new Error('The attackers were not prepared.');
      const received = receive(child, request.milliseconds + OVERTIME_MS);
      child.send(request);
      const report = await received;
      // Sent by `attackers-process.ts` from the same type.
      if (!(report instanceof Error)) return report as AttackersReport;
      stop();
      return { outcomes: {}, failure: report.message };
    },
    stop,
  };
}

/** The next message of the process, or an error that says why there is none. */
function receive(child: ChildProcess, patienceMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const finish = (message: unknown): void => {
      clearTimeout(timer);
      child.off('message', finish);
      child.off('exit', onExit);
      resolve(message);
    };
    const onExit = (code: number | null): void => finish(new Error(`The attackers' process ended: ${code}.`));
    const timer = setTimeout(() => finish(new Error('The attackers did not come to an end.')), patienceMs);
    child.on('message', finish);
    child.on('exit', onExit);
  });
}
