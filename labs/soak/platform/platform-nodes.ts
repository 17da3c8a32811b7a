import type { PlatformHandle, PlatformHandleOptions } from './platform-handle.ts';
import { startPlatformProcess } from './platform-handle.ts';

/** Options of several nodes. */
export interface PlatformNodesOptions extends Omit<PlatformHandleOptions, 'onReady' | 'output'> {
  readonly nodes: number;
  /** Where the nodes take connections, whenever that has changed. */
  readonly onReady: (ports: readonly number[]) => void;
}

/** Several nodes of one platform that fail in turn: each fault hits the next one. */
class Nodes implements PlatformHandle {
  readonly output: string[] = [];
  readonly #nodes: PlatformHandle[] = [];
  readonly #starting: Promise<void>;
  #turns = 0;

  constructor({ nodes, onReady, onAnswer, ...options }: PlatformNodesOptions) {
    const ports = new Map<number, number>();
    const start = (index: number): PlatformHandle => {
      const node = startPlatformProcess({
        ...options,
        output: this.output,
        onReady: (port) => {
          ports.set(index, port);
          onReady([...ports.values()]);
        },
        // One of them is asked how fast the time may pass.
        ...(index === 0 && onAnswer !== undefined && { onAnswer }),
      });
      this.#nodes.push(node);
      return node;
    };
    const first = start(0);
    // One after the other: the first one makes the tables.
    this.#starting = first.ready().then(() => {
      for (let index = 1; index < nodes; index += 1) start(index);
    });
    // Callers of `ready()` are notified.
    this.#starting.catch(() => {});
  }

  get starts(): number {
    return this.#nodes.reduce((sum, { starts }) => sum + starts, 0);
  }

  async ready(): Promise<void> {
    await this.#starting;
    await Promise.all(this.#nodes.map((node) => node.ready()));
  }

  kill(): void {
    this.#next().kill();
  }

  async crashAt(...where: Parameters<PlatformHandle['crashAt']>): Promise<void> {
    await this.#next().crashAt(...where);
  }

  async restart(): Promise<void> {
    await this.#next().restart();
  }

  async readLogs(sessionIds: readonly string[]): ReturnType<PlatformHandle['readLogs']> {
    return await this.#first().readLogs(sessionIds);
  }

  async readCpuMs(): Promise<number | null> {
    const each = await Promise.all(this.#nodes.map((node) => node.readCpuMs()));
    return each.reduce((sum, ms) => (sum === null || ms === null ? null : sum + ms), 0);
  }

  async close(patienceMs?: number): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.close(patienceMs)));
  }

  #next(): PlatformHandle {
    const node = this.#nodes[this.#turns % this.#nodes.length] ?? this.#first();
    this.#turns += 1;
    return node;
  }

  #first(): PlatformHandle {
    const [node] = this.#nodes;
    if (node === undefined) throw new Error('There is no node.');
    return node;
  }
}

/** Starts several nodes of one platform. `ready()` rejects when one cannot start. */
export function startPlatformNodes(options: PlatformNodesOptions): PlatformHandle {
  return new Nodes(options);
}
