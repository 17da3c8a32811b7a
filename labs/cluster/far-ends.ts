import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** To the thread of the far ends. */
export type FarEndsRequest =
  | { readonly ask: 'hold' | 'release' | 'close' }
  | { readonly ask: 'balance'; readonly ports: readonly number[] };

/** From the thread of the far ends. */
export type FarEndsReport =
  | { readonly kind: 'ready'; readonly endpoint: string; readonly modelUrl: string }
  | { readonly kind: 'logged'; readonly line: string };

/** Options of the far ends. */
export interface FarEndsOptions {
  /** Delay of the model per word. */
  readonly wordPauseMs: number;
  readonly connectorToken: string;
}

/**
 * The model, the load balancer and the token proxy, in a separate thread: hundreds of clients would make each of the
 * dozen steps that a connection takes between them wait for all clients.
 */
export class FarEnds {
  /** Of the token proxy. */
  endpoint = '';
  modelUrl = '';
  /** Log of the token proxy. */
  readonly log: string[] = [];
  readonly #worker: Worker;

  readonly #ready: Promise<void>;

  private constructor(options: FarEndsOptions) {
    this.#worker = new Worker(new URL('far-ends-worker.ts', import.meta.url), { workerData: options });
    this.#ready = new Promise((resolve, reject) => {
      this.#worker.on('error', reject);
      this.#worker.on('message', (report: FarEndsReport) => {
        if (report.kind === 'logged') this.log.push(report.line);
        else {
          this.endpoint = report.endpoint;
          this.modelUrl = report.modelUrl;
          resolve();
        }
      });
    });
  }

  static async start(options: FarEndsOptions): Promise<FarEnds> {
    const ends = new FarEnds(options);
    await ends.#ready;
    return ends;
  }

  /** From now on the model stops in the middle of each answer, until `releaseAnswers`. */
  holdAnswers(): void {
    this.#ask({ ask: 'hold' });
  }

  releaseAnswers(): void {
    this.#ask({ ask: 'release' });
  }

  /** New connections go to these ports in turn. */
  balance(ports: readonly number[]): void {
    this.#ask({ ask: 'balance', ports });
  }

  async close(): Promise<void> {
    const exited = once(this.#worker, 'exit');
    this.#ask({ ask: 'close' });
    await exited;
  }

  #ask(request: FarEndsRequest): void {
    this.#worker.postMessage(request);
  }
}
