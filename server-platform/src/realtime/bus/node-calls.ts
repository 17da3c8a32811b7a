import type { Clock } from '../../kit/clock.ts';
import type { RequestOutcome } from './bus-link.ts';
import {
  type CallLine,
  decodeNodeMessage,
  encodeNodeMessage,
  type NodeMessage,
  type ResultLine,
} from './node-message.ts';
import { isPeerError, PeerError } from './peers.ts';

/** Functions of the bus that calls between nodes use. */
export interface NodeCallsOptions {
  readonly clock: Clock;
  readonly canReach: (node: string) => boolean;
  readonly node: string;
  readonly send: (line: NodeMessage) => void;
  /** Sends a request through the medium; `null` when the medium has no requests and lines are used instead. */
  readonly request: ((node: string, question: string, timeoutMs: number) => Promise<RequestOutcome>) | null;
  readonly createId: () => string;
  /** This node failed to handle another node's request. */
  readonly onFailure: (error: unknown) => void;
}

type Handler = (body: unknown) => Promise<unknown>;

interface OpenCall {
  readonly node: string;
  readonly settle: (result: ResultLine | PeerError) => void;
}

interface Answered {
  readonly result: Promise<ResultLine>;
  isSettled: boolean;
}

const RESEND_MS = 1_000;
// Longer than any caller repeats its request.
const KEEP_ANSWERS_MS = 60_000;

/** Requests and responses over a bus that may lose either. */
export class NodeCalls {
  readonly #options: NodeCallsOptions;
  readonly #handlers = new Map<string, Handler>();
  readonly #open = new Map<string, OpenCall>();
  /** Recent requests from other nodes, by caller and id, so that a repeated one is not run twice. */
  readonly #answered = new Map<string, Answered>();

  constructor(options: NodeCallsOptions) {
    this.#options = options;
  }

  answer(ask: string, handler: Handler): void {
    this.#handlers.set(ask, handler);
  }

  async call(node: string, ask: string, body: unknown, timeoutMs: number): Promise<unknown> {
    const { clock, canReach, createId } = this.#options;
    if (!canReach(node)) throw new PeerError('unreachable', node);
    const line: CallLine = { kind: 'call', to: node, id: createId(), ask, body };
    const giveUpAtMs = clock.now() + timeoutMs;
    let cancel = (): void => {};
    let isFirst = true;
    const result = await new Promise<ResultLine | PeerError>((settle) => {
      this.#open.set(line.id, { node, settle });
      const ask = (): void => {
        const leftMs = giveUpAtMs - clock.now();
        if (leftMs <= 0) {
          settle(new PeerError('unanswered', node));
          return;
        }
        void this.#send(line, leftMs, isFirst).then((outcome) => outcome && settle(outcome));
        isFirst = false;
        cancel = clock.setTimer(ask, Math.min(RESEND_MS, leftMs));
      };
      ask();
    });
    cancel();
    this.#open.delete(line.id);
    if (isPeerError(result)) throw result;
    if (!result.isReady) throw new PeerError('unreachable', node);
    if (result.isFailed) throw new PeerError('failed', node);
    return result.value;
  }

  onResult(line: ResultLine): void {
    this.#open.get(line.id)?.settle(line);
  }

  /** Handles a request that arrived as a line, and responds with a line. */
  onCall(from: string, line: CallLine): void {
    const { send } = this.#options;
    const handler = this.#handlers.get(line.ask);
    if (handler === undefined) {
      send(notReady(from, line));
      return;
    }
    const known = this.#answered.get(`${from} ${line.id}`);
    if (known === undefined) void this.#answer(from, line, handler).result.then(send);
    // The caller repeated the request: the response was lost or is still pending.
    else if (known.isSettled) void known.result.then(send);
  }

  /** Handles a request that arrived through the medium. */
  async onRequest(question: string): Promise<string> {
    const at = question.indexOf(' ');
    const from = question.slice(0, at);
    const line = decodeNodeMessage(question.slice(at + 1));
    if (line?.kind !== 'call') return '';
    const handler = this.#handlers.get(line.ask);
    if (handler === undefined) return encodeNodeMessage(notReady(from, line));
    const known = this.#answered.get(`${from} ${line.id}`) ?? this.#answer(from, line, handler);
    return encodeNodeMessage(await known.result);
  }

  /** Resolves with the outcome of a request, or `null` when the response is still pending or was lost. */
  async #send(line: CallLine, timeoutMs: number, isFirst: boolean): Promise<ResultLine | PeerError | null> {
    const { node, send, request } = this.#options;
    if (request === null) {
      send(line);
      return null;
    }
    const outcome = await request(line.to, `${node} ${encodeNodeMessage(line)}`, timeoutMs);
    switch (outcome.status) {
      case 'answered': {
        const answer = decodeNodeMessage(outcome.answer);
        return answer?.kind === 'result' ? answer : null;
      }
      case 'no_responder':
        return new PeerError(isFirst ? 'unreachable' : 'unanswered', line.to);
      case 'unanswered':
        return null;
    }
  }

  #answer(from: string, { id, body }: CallLine, handler: Handler): Answered {
    const { clock, onFailure } = this.#options;
    const key = `${from} ${id}`;
    const result = handler(body).then(
      (value): ResultLine => ({ kind: 'result', to: from, id, isFailed: false, isReady: true, value }),
      (error: unknown): ResultLine => {
        onFailure(error);
        return { kind: 'result', to: from, id, isFailed: true, isReady: true, value: null };
      },
    );
    const answered: Answered = { result, isSettled: false };
    this.#answered.set(key, answered);
    void result.then(() => {
      answered.isSettled = true;
      clock.setTimer(() => this.#answered.delete(key), KEEP_ANSWERS_MS);
    });
    return answered;
  }

  /** Fails all pending calls to a node that is gone. */
  forget(node: string): void {
    for (const { node: asked, settle } of this.#open.values()) {
      if (asked === node) settle(new PeerError('unanswered', node));
    }
  }

  close(): void {
    for (const { node, settle } of this.#open.values()) settle(new PeerError('unanswered', node));
  }
}

/**
 * Response while this node starts, and to requests of another release. Not cached, because a later call may find the
 * handler.
 */
const notReady = (from: string, { id }: CallLine): ResultLine => ({
  ...{ kind: 'result', to: from, id },
  ...{ isFailed: true, isReady: false, value: null },
});
