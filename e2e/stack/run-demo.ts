import { join } from 'node:path';
import { type DemoKeys, readKeys } from '../../demo/demo-keys.ts';
import { type RunningProcess, runProcess } from './run-process.ts';

/** A demo as `npm start` runs it. */
export interface RunningDemo extends RunningProcess {
  /** Resolves with addresses, people and keys when everything is ready. Rejects if the demo ends before. */
  whenReady(): Promise<DemoKeys>;
  /** Returns the address of a part, once it is ready. */
  urlOf(part: keyof DemoKeys['urls']): Promise<string>;
  /** Returns the password of a person of the demo company, once the demo is ready. */
  passwordOf(email: string): Promise<string>;
}

/** Starts a demo on free ports, with its data in `folder`. */
export function runDemo(folder: string, ...args: readonly string[]): RunningDemo {
  return runDemoOf('.', folder, ...args);
}

/** Starts the demo of the sources at `root`. */
export function runDemoOf(root: string, folder: string, ...args: readonly string[]): RunningDemo {
  const running = runProcess(join(root, 'demo/start.ts'), ['--port-base', '0', '--data', folder, ...args]);
  const whenReady = async (): Promise<DemoKeys> => {
    await running.waitForLine(/^ {2}Test bench/);
    const keys = readKeys(folder);
    if (keys === null) throw new Error(`The demo has left no keys in ${folder}.`);
    return keys;
  };
  return {
    ...running,
    whenReady,
    urlOf: async (part) => (await whenReady()).urls[part] ?? '',
    passwordOf: async (email) =>
      (await whenReady()).people.find((person) => person.email === email)?.password ?? '',
  };
}
