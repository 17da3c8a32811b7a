import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../e2e/stack/free-port.ts';
import { PROGRAM_ENVIRONMENT } from '../../server-platform/test/run-platform.ts';

/** Options of a node. */
export interface ClusterNodeOptions {
  readonly name: string;
  readonly databaseUrl: string;
  readonly busUrl: string;
  readonly configFile: string;
  readonly tokenSecret: string;
  /** Folder of the release that it runs. Default: this one. */
  readonly release?: string;
  /** How far its machine's clock is ahead. */
  readonly clockAheadMs?: number;
}

const THIS_RELEASE = fileURLToPath(new URL('../..', import.meta.url));
const SHIFT_CLOCK = new URL('../../server-platform/test/realtime/shift-clock.ts', import.meta.url).href;
const READY_WITHIN_MS = 90_000;

/** A node of the cluster: `natter-platform serve` in a separate process, as an operator starts it. */
export class ClusterNode {
  readonly name: string;
  readonly port: number;
  readonly output: string[] = [];
  readonly #process: ChildProcess;
  readonly #exited: Promise<unknown>;

  private constructor(
    { release = THIS_RELEASE, clockAheadMs = 0, ...options }: ClusterNodeOptions,
    port: number,
  ) {
    this.name = options.name;
    this.port = port;
    const url = new URL(options.databaseUrl);
    // Identifies the writer in the database.
    url.searchParams.set('application_name', options.name);
    const preload = clockAheadMs === 0 ? [] : ['--import', SHIFT_CLOCK];
    const words = ['server-platform/bin/natter-platform.js', 'serve', '--config', options.configFile];
    this.#process = spawn(process.execPath, [...preload, ...words], {
      cwd: release,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...PROGRAM_ENVIRONMENT,
        DATABASE_URL: url.href,
        NATTER_BUS_URL: options.busUrl,
        NATTER_TOKEN_SECRET: options.tokenSecret,
        NATTER_PORT: String(port),
        NATTER_LOG_LEVEL: 'warn',
        SHIFT_CLOCK_BY_MS: String(clockAheadMs),
      },
    });
    this.#exited = once(this.#process, 'exit');
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => this.output.push(text));
  }

  /** Starts a node; resolves when it is ready. */
  static async start(options: ClusterNodeOptions): Promise<ClusterNode> {
    const node = new ClusterNode(options, await findFreePort());
    await node.#ready();
    return node;
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Stands still: the process stays, with all its connections. */
  stop(): void {
    this.#process.kill('SIGSTOP');
  }

  resume(): void {
    this.#process.kill('SIGCONT');
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exited;
  }

  /** Ends it in order, as an orchestrator does. */
  async terminate(): Promise<void> {
    this.#process.kill('SIGTERM');
    await this.#exited;
  }

  async #ready(): Promise<void> {
    const givenUpAt = performance.now() + READY_WITHIN_MS;
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => null);
      if (answer?.ok === true) return;
      if (!this.isRunning || performance.now() > givenUpAt) {
        await this.kill();
        throw new Error(`The node ${this.name} did not start.\n${this.output.join('')}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
