import { Worker } from 'node:worker_threads';
import type { RankedConversation, RankQuery, VectorPage } from './vector-table.ts';

// Beside this file, and with its extension: sources run as they are, builds run built.
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './vector-worker.ts' : './vector-worker.js',
  import.meta.url,
);

/** What the thread is asked, by kind. Tables have names, and are made by the first vectors put into them. */
export type VectorQuestions = {
  readonly put: { readonly table: string; readonly size: number; readonly page: VectorPage };
  readonly remove: { readonly table: string; readonly ids: readonly string[] };
  readonly drop: { readonly table: string };
  readonly ids: { readonly table: string; readonly row: number; readonly limit: number };
  /** `only`: the conversations to choose from, a list of ids as JSON; null: all. */
  readonly rank: { readonly table: string; readonly query: RankQuery; readonly only: string | null };
};

/** Answers by kind: numbers are vectors in the table. */
export type VectorAnswers = {
  readonly put: number;
  readonly remove: number;
  readonly drop: number;
  readonly ids: readonly string[];
  readonly rank: readonly RankedConversation[];
};

/** A question on its way to the thread. */
export type VectorQuestion<Kind extends keyof VectorQuestions> = {
  readonly id: number;
  readonly kind: Kind;
  readonly question: VectorQuestions[Kind];
};

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void };

/** The thread that holds vectors in memory and compares them. */
export class VectorThread {
  readonly #worker = new Worker(WORKER, { name: 'natter-vectors' });
  readonly #waiting = new Map<number, Waiting>();
  #nextId = 1;
  #failure: Error | null = null;

  constructor() {
    this.#worker.on('message', ({ id, value }: { readonly id: number; readonly value: unknown }) => {
      this.#waiting.get(id)?.resolve(value);
      this.#waiting.delete(id);
    });
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('The thread that compares vectors has ended.')));
  }

  /** Whether it answers nothing any more. */
  get hasEnded(): boolean {
    return this.#failure !== null;
  }

  /** Questions are answered in the order of the calls. Rejects when the thread ends before. */
  ask<Kind extends keyof VectorQuestions>(
    kind: Kind,
    question: VectorQuestions[Kind],
  ): Promise<VectorAnswers[Kind]> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      // What comes back under this id is the answer to this kind.
      this.#waiting.set(id, { resolve: (value) => resolve(value as VectorAnswers[Kind]), reject });
      this.#worker.postMessage({ id, kind, question } satisfies VectorQuestion<Kind>);
    });
  }

  /** Ends the thread, and with it the vectors. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}
