/**
 * Why a call to another node failed:
 * - `unreachable`: not sent, or the other node has no handler for it yet; it did nothing.
 * - `unanswered`: sent, but it is unknown whether the other node executed it.
 * - `failed`: the other node tried and failed.
 */
export type PeerErrorCode = 'unreachable' | 'unanswered' | 'failed';

/** A call to another node failed. Recognise it with {@link isPeerError}. */
export class PeerError extends Error {
  override readonly name = 'PeerError';
  readonly code: PeerErrorCode;

  constructor(code: PeerErrorCode, node: string) {
    super(`Node ${node}: the call is ${code}.`);
    this.code = code;
  }
}

/** Whether a caught value is a {@link PeerError}. */
export function isPeerError(error: unknown): error is PeerError {
  return error instanceof Error && error.name === 'PeerError';
}

/** The other nodes of the platform that are reachable over the bus. */
export interface Peers {
  /** Whether other nodes can exist at all. */
  readonly isShared: boolean;
  /** Whether this node receives messages from other nodes, to its knowledge. */
  readonly isUp: boolean;
  /** True while the bus works and no other node has sent anything: this node is the only writer. */
  readonly isAlone: boolean;
  /** Nodes that sent a message recently. */
  readonly names: readonly string[];
  /** Whether a node can be called. */
  canReach(node: string): boolean;
  /**
   * Calls another node and resolves with its response, a JSON value. The request is repeated until a response arrives,
   * and executed once. Rejects with a {@link PeerError}.
   */
  call(node: string, ask: string, body: unknown, timeoutMs: number): Promise<unknown>;
  /** Registers the handler for one kind of request. A rejection reaches the caller as `failed`. */
  answer(ask: string, handler: (body: unknown) => Promise<unknown>): void;
  /** Called when messages may have been lost, so that followers of sessions on other nodes read the log again. */
  onPossibleLoss(listener: () => void): void;
}

/** The peers of a single-process deployment: none. */
export const NO_PEERS: Peers = {
  isShared: false,
  isUp: true,
  isAlone: true,
  names: [],
  canReach: () => false,
  call: (node) => Promise.reject(new PeerError('unreachable', node)),
  answer() {},
  onPossibleLoss() {},
};
