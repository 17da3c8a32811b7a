import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PlatformFaults } from './bench/faults.ts';

/** What the platform's process is started with. */
export interface PlatformStart {
  readonly configFile: string;
  readonly dataDir: string;
  /** 0: a free one. */
  readonly port: number;
  readonly testBenchUrl: string;
}

/** What the platform's process is asked. */
export type PlatformCall = { readonly id: number } & (
  | { readonly name: 'start'; readonly options: PlatformStart }
  | { readonly name: 'expireSessions' | 'expireTokens' | 'close' }
);

/** What the platform's process says. */
export type PlatformMessage =
  | { readonly id: number; readonly result: number | string | null }
  | { readonly id: number; readonly error: string }
  | { readonly progress: string };

type NewCall<Call = PlatformCall> = Call extends PlatformCall ? Omit<Call, 'id'> : never;

const PROGRAM = fileURLToPath(new URL('./platform-process.ts', import.meta.url));

/** How a platform is run. */
export interface PlatformNodeOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** One line per step of a slow start. */
  readonly onProgress: (line: string) => void;
  /** Called when the platform has ended without being asked to. */
  readonly onCrash: (message: string) => void;
}

/** A platform in a child process. */
class PlatformProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<string>;
  readonly #calls = new Map<number, PromiseWithResolvers<number | string | null>>();
  #lastId = 0;
  #isAskedToEnd = false;

  constructor({ environment, onProgress, onCrash }: PlatformNodeOptions) {
    this.#child = fork(PROGRAM, { execArgv: ['--conditions=@natter/source'], env: environment });
    const killWithParent = (): void => void this.#child.kill('SIGKILL');
    process.once('exit', killWithParent);
    this.#ended = once(this.#child, 'exit').then(([status, signal]) => {
      process.removeListener('exit', killWithParent);
      const message = `The platform's process has ended: ${signal ?? `status ${status}`}.`;
      for (const { reject } of this.#calls.values()) reject(new Error(message));
      if (!this.#isAskedToEnd) onCrash(message);
      return message;
    });
    this.#child.on('message', (message: PlatformMessage) => {
      if ('progress' in message) onProgress(message.progress);
      else if ('error' in message) this.#take(message.id)?.reject(new Error(message.error));
      else this.#take(message.id)?.resolve(message.result);
    });
  }

  async call(call: NewCall): Promise<number | string | null> {
    if (!this.#child.connected) throw new Error(await this.#ended);
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = Promise.withResolvers<number | string | null>();
    this.#calls.set(id, answer);
    // The end of the process rejects the call too, in case that it ends before it has read this.
    this.#child.send({ ...call, id }, (error) => error && answer.reject(error));
    return await answer.promise;
  }

  async close(): Promise<void> {
    this.#isAskedToEnd = true;
    if (this.#child.connected) {
      await this.call({ name: 'close' });
      this.#child.disconnect();
    }
    await this.#ended;
  }

  async kill(): Promise<void> {
    this.#isAskedToEnd = true;
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  #take(id: number): PromiseWithResolvers<number | string | null> | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }
}

/** The demo's platform: a process that can be killed, and that another one can take the place of. */
export class PlatformNode implements PlatformFaults {
  readonly #options: PlatformNodeOptions;
  #process: PlatformProcess;
  #start: PlatformStart | null = null;
  #replacement: Promise<void> | null = null;

  /** Starts the process, which loads its code meanwhile; {@link start} brings the platform up. */
  constructor(options: PlatformNodeOptions) {
    this.#options = options;
    this.#process = new PlatformProcess(options);
  }

  /** Brings the platform up and returns its address. */
  async start(start: PlatformStart): Promise<string> {
    const url = String(await this.#process.call({ name: 'start', options: start }));
    // The next process listens on the same port.
    this.#start = { ...start, port: Number(new URL(url).port) };
    return url;
  }

  async expireSessions(): Promise<number> {
    return Number(await this.#process.call({ name: 'expireSessions' }));
  }

  async expireTokens(): Promise<void> {
    await this.#process.call({ name: 'expireTokens' });
  }

  restart(): Promise<void> {
    return this.#replace((process) => process.close());
  }

  kill(): Promise<void> {
    return this.#replace((process) => process.kill());
  }

  async close(): Promise<void> {
    await this.#replacement?.catch(() => undefined);
    await this.#process.close();
  }

  /** Ends the process and starts another one; asked again meanwhile, it is the same replacement. */
  #replace(end: (process: PlatformProcess) => Promise<void>): Promise<void> {
    this.#replacement ??= this.#endAndStart(end).finally(() => {
      this.#replacement = null;
    });
    return this.#replacement;
  }

  async #endAndStart(end: (process: PlatformProcess) => Promise<void>): Promise<void> {
    const start = this.#start;
    if (start === null) throw new Error('The platform has not started yet.');
    await end(this.#process);
    this.#process = new PlatformProcess(this.#options);
    await this.#process.call({ name: 'start', options: start });
  }
}
