import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** The files and sockets that a process started by {@link startProcess} may have open. */
export async function readDescriptorLimit(): Promise<number> {
  const child = spawn('sh', ['-c', `${RAISE}; ulimit -n`], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  return Number(String(text).trim());
}

/** Files and sockets that the bench asks for: 20,000 sockets and what a process has open besides. */
export const WANTED_DESCRIPTORS = 65_536;
// Where that is not allowed, as many as are.
const RAISE = `ulimit -n ${WANTED_DESCRIPTORS} 2>/dev/null || ulimit -n "$(ulimit -Hn)" 2>/dev/null`;

/** Starts a script in a separate process that may have as many files and sockets open as the system allows. */
export function startProcess(script: string, env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(
    'sh',
    [
      '-c',
      `${RAISE}; exec "$@"`,
      'sh',
      process.execPath,
      // As this process was started.
      ...process.execArgv,
      '--expose-gc',
      script,
    ],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: { ...process.env, ...env } },
  );
}
