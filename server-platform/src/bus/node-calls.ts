import type { Clock } from '../clock.ts';
import type { BusLine, CallLine, ResultLine } from './bus-line.ts';
import { isPeerError, PeerError } from './peers.ts';

/** What calls between nodes need from the bus. */
export interface NodeCallsOptions {
  readonly clock: Clock;
  readonly canReach: (node: string) => boolean;
  readonly send: (line: BusLine) => void;
  readonly createId: () => string;
  /** A request of another node failed here. */
  readonly onFailure: (error: unknown) => void;
}

interface OpenCall {
  readonly node: string;
  readonly settle: (result: ResultLine | PeerError) => void;
}

interface Answered {
  readonly result: Promise<ResultLine>;
  isSettled: boolean;
}

const RESEND_MS = 1_000;
// Longer than any caller asks again.
const KEEP_ANSWERS_MS = 60_000;

/** Questions and answers over a bus that may lose either. */
export class NodeCalls {
  readonly #options: NodeCallsOptions;
  readonly #handlers = new Map<string, (body: unknown) => Promise<unknown>>();
  readonly #open = new Map<string, OpenCall>();
  /** Recent requests of other nodes, by caller and id. */
  readonly #answered = new Map<string, Answered>();

  constructor(options: NodeCallsOptions) {
    this.#options = options;
  }

  answer(ask: string, handler: (body: unknown) => Promise<unknown>): void {
    this.#handlers.set(ask, handler);
  }

  async call(node: string, ask: string, body: unknown, timeoutMs: number): Promise<unknown> {
    const { clock, canReach, send, createId } = this.#options;
    if (!canReach(node)) throw new PeerError('unreachable', node);
    const line: CallLine = { kind: 'call', to: node, id: createId(), ask, body };
    const giveUpAtMs = clock.now() + timeoutMs;
    let cancel = (): void => {};
    const result = await new Promise<ResultLine | PeerError>((settle) => {
      this.#open.set(line.id, { node, settle });
      const ask = (): void => {
        const leftMs = giveUpAtMs - clock.now();
        if (leftMs <= 0) {
          settle(new PeerError('unanswered', node));
          return;
        }
        send(line);
        cancel = clock.setTimer(ask, Math.min(RESEND_MS, leftMs));
      };
      ask();
    });
    cancel();
    this.#open.delete(line.id);
    if (isPeerError(result)) throw result;
    if (result.isFailed) throw new PeerError('failed', node);
    return result.value;
  }

  onResult(line: ResultLine): void {
    this.#open.get(line.id)?.settle(line);
  }

  onCall(from: string, { id, ask, body }: CallLine): void {
    const { clock, send, onFailure } = this.#options;
    const key = `${from} ${id}`;
    const known = this.#answered.get(key);
    if (known !== undefined) {
      // Asked again: the answer was lost, or is still to come.
      if (known.isSettled) void known.result.then(send);
      return;
    }
    const result = this.#run(ask, body).then(
      (value): ResultLine => ({ kind: 'result', to: from, id, isFailed: false, value }),
      (error: unknown): ResultLine => {
        onFailure(error);
        return { kind: 'result', to: from, id, isFailed: true, value: null };
      },
    );
    const answered: Answered = { result, isSettled: false };
    this.#answered.set(key, answered);
    void result.then((line) => {
      answered.isSettled = true;
      send(line);
      clock.setTimer(() => this.#answered.delete(key), KEEP_ANSWERS_MS);
    });
  }

  /** A node is gone: calls that wait for its answer fail. */
  forget(node: string): void {
    for (const { node: asked, settle } of this.#open.values()) {
      if (asked === node) settle(new PeerError('unanswered', node));
    }
  }

  close(): void {
    for (const { node, settle } of this.#open.values()) settle(new PeerError('unanswered', node));
  }

  async #run(ask: string, body: unknown): Promise<unknown> {
    const handler = this.#handlers.get(ask);
    if (handler === undefined) throw new Error(`This node answers no "${ask}".`);
    return await handler(body);
  }
}
