import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Environment variables with which a test's program starts, and starts sooner. */
export const PROGRAM_ENVIRONMENT: Readonly<NodeJS.ProcessEnv> = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A run of the command line as an operator starts it. */
export interface PlatformRun {
  /** Text of standard output and standard error so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves with the address as soon as the platform serves; fails with the output when it ends before. */
  readonly serving: Promise<string>;
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>;
  /** Asks the process to shut down, and resolves when it has. */
  stop(): Promise<void>;
  /** Ends the process as a crash does. */
  kill(): void;
}

/**
 * Starts `natter-platform` in a separate process, with these environment variables and no others but the path and Node's
 * cache of compiled code. `release` is the folder whose platform runs; default: this checkout.
 */
export function runPlatform(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  release: string = ROOT,
): PlatformRun {
  const cli = join(release, 'server-platform/src/cli.ts');
  const child: ChildProcess = spawn(process.execPath, ['--conditions=@natter/source', cli, ...args], {
    env: { ...PROGRAM_ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const serving = new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (data) => {
      out += data;
      const address = /^Serving on (.+)$/m.exec(out)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.stderr?.on('data', (data) => {
      err += data;
    });
    ended.then((code) => reject(new Error(`ended with ${code}:\n${out}\n${err}`)), reject);
  });
  // A run that is expected to end has no address, and its test looks at the exit code.
  serving.catch(() => undefined);
  return {
    out: () => out,
    err: () => err,
    serving,
    ended,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
