import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { AttackersReport, AttackersRequest } from './attackers-messages.ts';

/** The process of the hostile peers. */
export interface Attackers {
  /** Runs one attack. A process that does not come to an end is killed, and the next attack has another one. */
  run(request: AttackersRequest): Promise<AttackersReport>;
  stop(): void;
}

const ENTRY = fileURLToPath(new URL('attackers-process.ts', import.meta.url));
// After an attack's own time: counting places, closing thousands of sockets.
const OVERTIME_MS = 20_000;

/** Starts the process with the first attack. */
export function createAttackers(): Attackers {
  let child: ChildProcess | null = null;
  const current = (): ChildProcess => {
    child ??= fork(ENTRY, {
      execArgv: ['--conditions=@natter/source', '--disable-warning=ExperimentalWarning'],
    });
    return child;
  };
  const stop = (): void => {
    child?.kill('SIGKILL');
    child = null;
  };
  return {
    run: (request) =>
      new Promise((resolve) => {
        const attackers = current();
        const finish = (report: AttackersReport): void => {
          clearTimeout(timer);
          attackers.off('message', onMessage);
          attackers.off('exit', onExit);
          resolve(report);
        };
        const fail = (failure: string): void => {
          stop();
          finish({ outcomes: {}, failure });
        };
        // Sent by `attackers-process.ts` from the same type.
        const onMessage = (message: unknown): void => finish(message as AttackersReport);
        const onExit = (code: number | null): void => fail(`The attackers' process ended: ${code}.`);
        const timer = setTimeout(
          () => fail('The attackers did not come to an end.'),
          request.milliseconds + OVERTIME_MS,
        );
        attackers.on('message', onMessage);
        attackers.on('exit', onExit);
        attackers.send(request);
      }),
    stop,
  };
}
