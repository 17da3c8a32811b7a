import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A request to a server's process. `load` is answered as soon as the code has loaded. */
export type ServerCall<Start, Command extends string> = { readonly id: number } & (
  | { readonly name: 'start'; readonly options: Start }
  | { readonly name: Command | 'load' | 'close' }
);

/** A message from a server's process. */
export type ServerMessage =
  | { readonly id: number; readonly result: number | string | null }
  | { readonly id: number; readonly error: string }
  | { readonly progress: string };

type NewCall<Call> = Call extends { readonly id: number } ? Omit<Call, 'id'> : never;

/** Options of a server process. */
export interface ServerNodeOptions {
  /** Its name in messages, such as "The platform". */
  readonly name: string;
  /** The file that the process runs. */
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
  /** One line per step of a slow start. */
  readonly onProgress: (line: string) => void;
  /** Called when the server has ended without being asked to. */
  readonly onCrash: (message: string) => void;
}

// A server is started again and again, and half of its start is the reading of its code.
const COMPILE_CACHE = join(tmpdir(), 'node-compile-cache');

/** A server in a child process. */
class ServerProcess<Start, Command extends string> {
  readonly #child: ChildProcess;
  readonly #ended: Promise<string>;
  readonly #calls = new Map<number, PromiseWithResolvers<number | string | null>>();
  #lastId = 0;
  /** A process that was never started has nothing to lose, and no crash to report. */
  #isExpectedToRun = false;

  constructor({ name, program, environment, onProgress, onCrash }: ServerNodeOptions) {
    this.#child = fork(program, {
      // Without protected pages of compiled code, for which V8 ends a process now and then (nodejs/node 64500).
      execArgv: ['--conditions=@natter/source', '--no-memory-protection-keys'],
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment },
    });
    const killWithParent = (): void => void this.#child.kill('SIGKILL');
    process.once('exit', killWithParent);
    this.#ended = once(this.#child, 'exit').then(([status, signal]) => {
      process.removeListener('exit', killWithParent);
      const message = `${name}'s process has ended: ${signal ?? `status ${status}`}.`;
      for (const { reject } of this.#calls.values()) reject(new Error(message));
      if (this.#isExpectedToRun) onCrash(message);
      return message;
    });
    this.#child.on('message', (message: ServerMessage) => {
      if ('progress' in message) onProgress(message.progress);
      else if ('error' in message) this.#take(message.id)?.reject(new Error(message.error));
      else this.#take(message.id)?.resolve(message.result);
    });
  }

  async call(call: NewCall<ServerCall<Start, Command>>): Promise<number | string | null> {
    if (!this.#child.connected) throw new Error(await this.#ended);
    if (call.name !== 'load') this.#isExpectedToRun = call.name !== 'close';
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = Promise.withResolvers<number | string | null>();
    this.#calls.set(id, answer);
    // The end of the process rejects the call too, in case that it ends before it has read this.
    this.#child.send({ ...call, id }, (error) => error && answer.reject(error));
    return await answer.promise;
  }

  async close(): Promise<void> {
    this.#isExpectedToRun = false;
    if (this.#child.connected) {
      await this.call({ name: 'close' } as NewCall<ServerCall<Start, Command>>);
      this.#child.disconnect();
    }
    await this.#ended;
  }

  async kill(): Promise<void> {
    this.#isExpectedToRun = false;
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  #take(id: number): PromiseWithResolvers<number | string | null> | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }
}

/** A server in a process that can be killed, and that another one can take the place of. */
export class ServerNode<Start extends { readonly port: number }, Command extends string = never> {
  readonly #options: ServerNodeOptions;
  #process: ServerProcess<Start, Command>;
  #start: Start | null = null;
  #replacement: Promise<void> | null = null;

  /** Starts the process, which loads its code meanwhile; {@link start} brings the server up. */
  constructor(options: ServerNodeOptions) {
    this.#options = options;
    this.#process = new ServerProcess(options);
  }

  /** Brings the server up and returns its address. */
  async start(start: Start): Promise<string> {
    const url = await this.#ask('start', start);
    // The next process listens on the same port.
    this.#start = { ...start, port: Number(new URL(url).port) };
    return url;
  }

  /** Runs a command in the server. */
  async run(name: Command): Promise<number | string | null> {
    return await this.#process.call({ name } as NewCall<ServerCall<Start, Command>>);
  }

  restart(): Promise<void> {
    return this.#replace((process) => process.close());
  }

  kill(): Promise<void> {
    return this.#replace((process) => process.kill());
  }

  /**
   * Replaces the process by one with the current code. The running process is closed once that code has loaded; if it does
   * not load, the running process stays and the promise rejects.
   */
  async reload(): Promise<void> {
    await this.#replacement?.catch(() => undefined);
    const next = new ServerProcess<Start, Command>(this.#options);
    await next.call({ name: 'load' } as NewCall<ServerCall<Start, Command>>);
    await this.#replace((process) => process.close().catch(() => undefined), next);
  }

  async close(): Promise<void> {
    await this.#replacement?.catch(() => undefined);
    await this.#process.close();
  }

  async #ask(name: 'start', options: Start): Promise<string> {
    return String(
      await this.#process.call({ name, options } as unknown as NewCall<ServerCall<Start, Command>>),
    );
  }

  /** Ends the process and starts another one; further calls meanwhile share the same replacement. */
  #replace(
    end: (process: ServerProcess<Start, Command>) => Promise<void>,
    next: ServerProcess<Start, Command> | null = null,
  ): Promise<void> {
    this.#replacement ??= this.#endAndStart(end, next).finally(() => {
      this.#replacement = null;
    });
    return this.#replacement;
  }

  async #endAndStart(
    end: (process: ServerProcess<Start, Command>) => Promise<void>,
    next: ServerProcess<Start, Command> | null,
  ): Promise<void> {
    const start = this.#start;
    if (start === null) throw new Error(`${this.#options.name} has not started yet.`);
    await end(this.#process);
    this.#process = next ?? new ServerProcess(this.#options);
    await this.#ask('start', start);
  }
}
