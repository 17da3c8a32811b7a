import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startProcess } from '../servers/start-process.ts';
import type { Measured, Task } from './client-process.ts';

const PROCESS = fileURLToPath(new URL('./client-process.ts', import.meta.url));

/** Processes full of clients, which do the same at the same time. */
export class Clients {
  readonly #processes: readonly ChildProcess[];

  constructor(count: number) {
    this.#processes = Array.from({ length: count }, () => startProcess(PROCESS, {}));
  }

  /** Every process does its part of the task: counts and rates are divided among them. */
  async run(task: Task): Promise<Measured> {
    const share = 1 / this.#processes.length;
    const parts = await Promise.all(
      this.#processes.map(async (child) => {
        child.send(divide(task, share));
        const [measured] = (await once(child, 'message')) as [Measured];
        return measured;
      }),
    );
    const sum = (key: 'done' | 'failed' | 'all'): number =>
      parts.reduce((total, part) => total + part[key], 0);
    return {
      done: sum('done'),
      failed: sum('failed'),
      all: sum('all'),
      seconds: Math.max(...parts.map(({ seconds }) => seconds)),
      times: parts.flatMap(({ times }) => times),
      reason: parts.find(({ reason }) => reason !== '')?.reason ?? '',
    };
  }

  async end(): Promise<void> {
    await Promise.all(
      this.#processes.map(async (child) => {
        const exited = once(child, 'exit');
        child.send({ do: 'end' } satisfies Task);
        await exited;
      }),
    );
  }
}

function divide(task: Task, share: number): Task {
  const part = (count: number): number => Math.ceil(count * share);
  switch (task.do) {
    case 'open':
    case 'connect':
    case 'come back':
      return { ...task, count: part(task.count), atOnce: part(task.atOnce) };
    case 'echo':
      return { ...task, sockets: part(task.sockets) };
    case 'pace':
      return { ...task, perSecond: task.perSecond * share };
    case 'listen':
    case 'stream':
      return { ...task, sessions: part(task.sessions) };
    case 'end':
      return task;
  }
}
