import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/**
 * Time limit for the start of a program: five seconds on an idle machine, about twenty times as long on a busy one. A
 * program that ends meanwhile is detected at once.
 */
export const START_TIMEOUT_MS = 150_000;

/** A running program of this repository. */
export interface RunningProcess {
  readonly child: ChildProcess;
  /** Everything that it has printed so far. */
  readonly output: readonly string[];
  /** Resolves with the first line, past or future, that `pattern` matches. */
  waitForLine(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ends it with `signal` and waits for its exit. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a TypeScript file of the repository with the Node that runs the tests. */
export function runProcess(
  file: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): RunningProcess {
  const child = spawn(process.execPath, ['--conditions=@natter/source', file, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  const waiting = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      output.push(line);
      for (const look of waiting) look();
    });
  }
  child.on('exit', () => {
    for (const look of waiting) look();
  });

  return {
    child,
    output,
    waitForLine: (pattern) =>
      new Promise((resolve, reject) => {
        const settle = (run: () => void): void => {
          clearTimeout(timer);
          waiting.delete(look);
          run();
        };
        const look = (): void => {
          const found = output.map((line) => pattern.exec(line)).find((match) => match !== null);
          if (found) settle(() => resolve(found));
          else if (child.exitCode !== null) {
            settle(() => reject(new Error(`${file} ended with ${child.exitCode}:\n${output.join('\n')}`)));
          }
        };
        const timer = setTimeout(
          () => settle(() => reject(new Error(`${file} did not print ${pattern}:\n${output.join('\n')}`))),
          START_TIMEOUT_MS,
        );
        waiting.add(look);
        look();
      }),
    stop: async (signal = 'SIGTERM') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
  };
}
