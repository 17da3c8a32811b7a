import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DatabaseError } from '../database-error.ts';
import type { QueryOptions, SqlValue } from '../sql.ts';
import type { WorkerFailure, WorkerMessage, WorkerRequest, WorkerTask } from './worker-protocol.ts';

// Beside this file with the same extension, both in the sources and in builds.
const WORKER = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);

type Waiting = {
  readonly resolve: (rows: readonly object[]) => void;
  readonly reject: (error: DatabaseError) => void;
};

/** The thread that runs the engine. */
export class EngineThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #failure: DatabaseError | null = null;
  #isLasting = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Starts the thread and resolves when the engine answers. */
  static async start(folder: string | null, isDurable: boolean): Promise<EngineThread> {
    const thread = new EngineThread(startWorker({ task: 'serve', folder, durable: isDurable }));
    try {
      await thread.#untilReady();
    } catch (error) {
      await thread.kill();
      throw error;
    }
    return thread;
  }

  /** Creates a database in an empty folder and flushes it to disk, in a temporary thread that frees its memory. */
  static async create(folder: string): Promise<void> {
    const worker = startWorker({ task: 'create', folder });
    let failure: DatabaseError | null = null;
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'broken') failure = toError(message.failure);
    });
    const [exitCode] = await once(worker, 'exit');
    if (exitCode !== 0) throw failure ?? stopped();
  }

  /** Why the thread no longer responds; null while it does. */
  get failure(): DatabaseError | null {
    return this.#failure;
  }

  /** Whether a new thread on the same folder could not be trusted either. */
  get isLasting(): boolean {
    return this.#isLasting;
  }

  /** Runs a statement. Statements run in the order of the calls. */
  query(text: string, params: readonly SqlValue[], options: QueryOptions = {}): Promise<readonly object[]> {
    return this.#ask((id) => ({ kind: 'query', id, text, params, options }));
  }

  /** Finishes pending requests, shuts the engine down and ends the thread. */
  async close(): Promise<void> {
    const exit = once(this.#worker, 'exit');
    if (this.#failure === null) {
      await this.#ask((id) => ({ kind: 'close', id }));
      await exit;
    }
  }

  /** Terminates the thread immediately, and resolves when it has released its folder. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(build: (id: number) => WorkerRequest): Promise<readonly object[]> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage(build(id));
    });
  }

  async #untilReady(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#waiting.set(0, { resolve: () => resolve(), reject });
      this.#worker.on('message', (message: WorkerMessage) => this.#hear(message));
      this.#worker.on('error', () => this.#fail(stopped()));
      this.#worker.on('exit', () => this.#fail(stopped()));
    });
  }

  #hear(message: WorkerMessage): void {
    switch (message.kind) {
      case 'ready':
        this.#settle(0)?.resolve([]);
        break;
      case 'rows':
        this.#settle(message.id)?.resolve(message.rows);
        break;
      case 'failed':
        this.#settle(message.id)?.reject(toError(message.failure));
        break;
      case 'broken':
        this.#isLasting = message.isLasting;
        this.#fail(toError(message.failure));
        break;
    }
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #fail(error: DatabaseError): void {
    this.#failure ??= error;
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(this.#failure);
  }
}

function startWorker(task: WorkerTask): Worker {
  // The engine writes its log to the standard streams; relevant errors arrive with their SQLSTATE.
  return new Worker(WORKER, { workerData: task, name: 'natter-database', stdout: true, stderr: true });
}

function toError(failure: WorkerFailure): DatabaseError {
  const { code, message, sqlState, constraint } = failure;
  return new DatabaseError(code, message, {
    sqlState: sqlState ?? undefined,
    constraint: constraint ?? undefined,
  });
}

function stopped(): DatabaseError {
  return new DatabaseError(
    'unavailable',
    'The embedded database stopped unexpectedly. Start the platform again.',
  );
}
