/**
 * Why a call to another node came to nothing:
 * - `unreachable`: it was not sent, or the other node does not answer such calls, or not yet; it did nothing.
 * - `unanswered`: it was sent, and it is unknown whether the other node carried it out.
 * - `failed`: the other node tried and could not.
 */
export type PeerErrorCode = 'unreachable' | 'unanswered' | 'failed';

/** A call to another node came to nothing. Recognise it with {@link isPeerError}. */
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

/** The other nodes of the platform, as far as the bus reaches them. */
export interface Peers {
  /** Whether there can be other nodes at all. */
  readonly isShared: boolean;
  /** Whether messages of other nodes arrive here, as far as this node knows. */
  readonly isUp: boolean;
  /** True while the bus works and no other node has sent anything: this node is the only writer. */
  readonly isAlone: boolean;
  /** Nodes that sent a message recently. */
  readonly names: readonly string[];
  /** Whether a node can be called. */
  canReach(node: string): boolean;
  /**
   * Asks another node and resolves with its answer, a JSON value. The question is sent again until the answer is there,
   * and carried out once however often it arrives. Rejects with a {@link PeerError}.
   */
  call(node: string, ask: string, body: unknown, timeoutMs: number): Promise<unknown>;
  /** Answers one kind of question; a rejection is the caller's `failed`. */
  answer(ask: string, handler: (body: unknown) => Promise<unknown>): void;
  /** Called when messages may have been lost, so that followers of sessions on other nodes read the log. */
  onPossibleLoss(listener: () => void): void;
}

/** The peers of a process that has its database to itself: none. */
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
