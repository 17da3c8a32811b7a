import type { Clock } from '../../clock.ts';
import { OutboundError, type OutboundPhase, toOutboundError } from './outbound-error.ts';

/** Limits of one exchange. An absent time limit means none. */
export interface OutboundLimits {
  /** From the request to the first byte of the response body. */
  readonly firstByteTimeoutMs?: number;
  /** Between two pieces of the body. */
  readonly idleTimeoutMs?: number;
  /** From the request to the end of the body. */
  readonly totalTimeoutMs?: number;
  /** Bytes of the body. */
  readonly maxBytes: number;
}

const WAITS: Readonly<Record<OutboundPhase, string>> = {
  connect: 'no connection',
  first_byte: 'no answer',
  idle: 'no more of its answer',
  total: 'no whole answer',
};

/** One request and its response: limits, the caller's signal, and cleanup. */
export class Exchange {
  readonly host: string;
  readonly limits: OutboundLimits;
  readonly #clock: Clock;
  readonly #startedAtMs: number;
  readonly #stop = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #cancelTotal: () => void;
  readonly #onEnd: () => void;
  #isFinished = false;

  /** `onEnd` is called once, when the exchange ends. */
  constructor(
    host: string,
    limits: OutboundLimits,
    clock: Clock,
    caller: AbortSignal | undefined,
    onEnd: () => void,
  ) {
    this.host = host;
    this.limits = limits;
    this.#clock = clock;
    this.#startedAtMs = clock.now();
    this.#caller = caller;
    this.#onEnd = onEnd;
    caller?.addEventListener('abort', this.#onAbort, { once: true });
    this.#cancelTotal = this.#limit('total', limits.totalTimeoutMs);
    if (caller?.aborted === true) this.#onAbort();
  }

  /** Aborted when the exchange ends before its response is complete. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Waits for work of the connection. Rejects with the caller's reason, or with an {@link OutboundError}. */
  async within<T>(phase: 'first_byte' | 'idle', work: () => Promise<T>): Promise<T> {
    const { firstByteTimeoutMs, idleTimeoutMs } = this.limits;
    const spentMs = phase === 'idle' ? 0 : this.#clock.now() - this.#startedAtMs;
    const cancel = this.#limit(phase, phase === 'idle' ? idleTimeoutMs : firstByteTimeoutMs, spentMs);
    try {
      return await unlessAborted(this.signal, work());
    } catch (error) {
      throw this.signal.aborted ? this.signal.reason : toOutboundError(error, this.host);
    } finally {
      cancel();
    }
  }

  /** Throws when the declared length of the body exceeds the limit. */
  checkLength(announced: string | null): void {
    if (announced !== null && Number(announced) > this.limits.maxBytes) throw this.tooLarge();
  }

  tooLarge(): OutboundError {
    const message = `${this.host} answered with more than ${this.limits.maxBytes} bytes. Check the address.`;
    return new OutboundError('too_large', message);
  }

  /** Marks the response as complete, so that its connection may be reused. */
  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#cancelTotal();
    this.#caller?.removeEventListener('abort', this.#onAbort);
    this.#onEnd();
  }

  /** Ends the exchange; if the response is incomplete, the connection is closed. */
  discard(): void {
    if (this.#isFinished) return;
    this.finish();
    this.#stop.abort(new Error('The rest of the answer is not needed.'));
  }

  readonly #onAbort = (): void => this.#fail(this.#caller?.reason);

  #fail(reason: unknown): void {
    if (this.#isFinished) return;
    this.finish();
    this.#stop.abort(reason);
  }

  #limit(phase: OutboundPhase, limitMs: number | undefined, spentMs = 0): () => void {
    if (limitMs === undefined) return () => {};
    return this.#clock.setTimer(() => {
      const message = `${this.host} sent ${WAITS[phase]} within ${limitMs} ms. Check the server, or raise the limit.`;
      this.#fail(new OutboundError('timeout', message, { phase }));
    }, limitMs - spentMs);
  }
}

/** Rejects as soon as the signal is aborted, in every phase of the connection. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
