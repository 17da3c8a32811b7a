import { type ChildProcess, fork } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CrashPoint } from '../schedule.ts';
import type { PlatformReport, PlatformRequest, PlatformSettings, SessionLog } from './platform-messages.ts';

/** A platform in a separate process, which is restarted after every crash. */
export interface PlatformHandle {
  /** Its log and its output. */
  readonly output: readonly string[];
  /** How often a new process was ready, the first one included. */
  readonly starts: number;
  /** Resolves when a process accepts connections. */
  ready(): Promise<void>;
  /** SIGKILL, at once. */
  kill(): void;
  /** Dies by SIGKILL the next time it gets to this place, after passing it `skip` times. */
  crashAt(at: CrashPoint, skip?: number): Promise<void>;
  /** A graceful shutdown; resolves when the next process accepts connections. */
  restart(): Promise<void>;
  readLogs(sessionIds: readonly string[]): Promise<readonly SessionLog[]>;
  /** Processor time of the process that runs now, in milliseconds; null when it has just died. */
  readCpuMs(): Promise<number | null>;
  /** A final graceful shutdown; kills after `patienceMs`. */
  close(patienceMs?: number): Promise<void>;
}

/** Callbacks of a handle. */
export interface PlatformHandleOptions {
  readonly settings: PlatformSettings;
  /** Where to write its output. Default: a new list. */
  readonly output?: string[];
  /** While a file of this name exists, the process has a full disk. */
  readonly fullDisk?: string;
  /** A process accepts connections on this port. */
  readonly onReady: (port: number) => void;
  /** It has answered. With this callback it is polled continuously; the next poll follows when the promise has resolved. */
  readonly onAnswer?: () => Promise<void>;
}

const ENTRY = fileURLToPath(new URL('platform-process.ts', import.meta.url));
const FULL_DISK = new URL('../../../server-platform/test/db/full-disk.ts', import.meta.url).href;
// Platforms are started over and over: what one has compiled, the next need not.
const COMPILE_CACHE = join(tmpdir(), 'natter-soak-compile-cache');
const CLOSE_PATIENCE_MS = 15_000;
const PING_EVERY_MS = 20;

type Asked = Exclude<PlatformRequest, { ask: 'stop' }>;
/** A request before it has its number. */
type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never;

class Handle implements PlatformHandle {
  readonly output: string[];
  starts = 0;
  readonly #options: PlatformHandleOptions;
  #child: ChildProcess | null = null;
  #isReady = false;
  #isClosing = false;
  #failure: Error | null = null;
  #requests = 0;
  readonly #waiting = new Set<{ readonly resolve: () => void; readonly reject: (error: Error) => void }>();
  readonly #answers = new Map<number, (report: PlatformReport | null) => void>();
  #isPinging = false;
  readonly #pinging: NodeJS.Timeout;

  constructor(options: PlatformHandleOptions) {
    this.#options = options;
    this.output = options.output ?? [];
    this.#pinging = setInterval(() => void this.#ping(), PING_EVERY_MS);
    this.#pinging.unref();
    this.#start();
  }

  ready(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#isReady) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiting.add({ resolve, reject }));
  }

  kill(): void {
    this.#isReady = false;
    this.#child?.kill('SIGKILL');
  }

  async crashAt(at: CrashPoint, skip = 0): Promise<void> {
    await this.ready();
    await this.#ask({ ask: 'crash', at, skip });
  }

  async restart(): Promise<void> {
    await this.ready();
    this.#isReady = false;
    this.#send({ ask: 'stop', id: 0 });
    await this.ready();
  }

  async readLogs(sessionIds: readonly string[]): Promise<readonly SessionLog[]> {
    for (;;) {
      await this.ready();
      const report = await this.#ask({ ask: 'logs', sessionIds });
      if (report?.kind === 'logs') return report.logs;
      // It died before it answered: the next one reads the same log.
    }
  }

  async readCpuMs(): Promise<number | null> {
    await this.ready();
    const report = await this.#ask({ ask: 'usage' });
    return report?.kind === 'usage' ? report.cpuMs : null;
  }

  async close(patienceMs = CLOSE_PATIENCE_MS): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#pinging);
    const child = this.#child;
    if (child === null) return;
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    this.#send({ ask: 'stop', id: 0 });
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    await exited;
    clearTimeout(timer);
  }

  async #ping(): Promise<void> {
    if (!this.#isReady || this.#isPinging || !this.#options.onAnswer) return;
    this.#isPinging = true;
    if (await this.#ask({ ask: 'ping' })) await this.#options.onAnswer();
    this.#isPinging = false;
  }

  #start(): void {
    const { settings, fullDisk } = this.#options;
    const execArgv = ['--conditions=@natter/source', '--disable-warning=ExperimentalWarning'];
    const child = fork(ENTRY, [JSON.stringify(settings)], {
      execArgv: fullDisk === undefined ? execArgv : [...execArgv, `--import=${FULL_DISK}`],
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        ...(fullDisk !== undefined && { NATTER_FULL_DISK: fullDisk }),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.output.push(text));
    }
    // Written by `platform-process.ts` from the same types.
    child.on('message', (message) => this.#receive(message as PlatformReport));
    child.once('error', (error) => this.output.push(String(error)));
    child.once('exit', (code, signal) => this.#exited(code, signal));
  }

  #receive(report: PlatformReport): void {
    switch (report.kind) {
      case 'ready':
        this.#isReady = true;
        this.starts += 1;
        this.#options.onReady(report.port);
        for (const { resolve } of this.#waiting) resolve();
        this.#waiting.clear();
        return;
      case 'trouble':
        this.output.push(`${report.text}\n`);
        return;
      case 'logs':
      case 'usage':
      case 'done':
        this.#answers.get(report.id)?.(report);
        this.#answers.delete(report.id);
    }
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): void {
    const wasReady = this.#isReady;
    this.#isReady = false;
    this.#child = null;
    for (const answer of this.#answers.values()) answer(null);
    this.#answers.clear();
    if (this.#isClosing) return;
    const isExpected = signal === 'SIGKILL' || code === 0;
    if (!isExpected && !wasReady) {
      const last = this.output.slice(-20).join('');
      this.#failure = new Error(`The platform process could not start (exit ${code ?? signal}).\n${last}`);
      for (const { reject } of this.#waiting) reject(this.#failure);
      this.#waiting.clear();
      return;
    }
    if (!isExpected) this.output.push(`the platform process ended by itself: ${code ?? signal}\n`);
    this.#start();
  }

  /** Null when the process died instead of answering. */
  #ask(request: Unnumbered<Asked>): Promise<PlatformReport | null> {
    this.#requests += 1;
    const id = this.#requests;
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      if (!this.#send({ ...request, id })) {
        this.#answers.delete(id);
        resolve(null);
      }
    });
  }

  #send(request: PlatformRequest): boolean {
    const child = this.#child;
    if (!child?.connected) return false;
    // The process may be gone already; its exit event says so.
    child.send(request, () => {});
    return true;
  }
}

/** Starts a platform process. `ready()` rejects when it cannot start. */
export function startPlatformProcess(options: PlatformHandleOptions): PlatformHandle {
  return new Handle(options);
}
