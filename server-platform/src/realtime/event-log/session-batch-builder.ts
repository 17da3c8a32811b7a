import type { SessionBatch } from './append-group.ts';
import { type AppendRequest, keyOf } from './append-request.ts';

/** Collects the requests of one session for a group, as long as one statement can write them. */
export class SessionBatchBuilder {
  readonly #sessionId: string;
  readonly #epoch: number;
  readonly #requests: AppendRequest[] = [];
  readonly #keys = new Set<string>();
  readonly #turns = new Set<string>();
  #recorded: { readonly conversationId: string; readonly hasKey: boolean } | null = null;
  #isClosed = false;

  constructor({ sessionId, epoch }: AppendRequest) {
    this.#sessionId = sessionId;
    this.#epoch = epoch;
  }

  /** Whether the request can join the collected ones in the same statement. */
  mayTake(request: AppendRequest): boolean {
    const { record } = request.effects ?? {};
    const key = keyOf(request);
    if (this.#isClosed || request.epoch !== this.#epoch) return false;
    // The original of a duplicate must already be stored, not written by the same statement.
    if (key !== null && this.#keys.has(key)) return false;
    // A statement can change a row only once, and does not see rows that it adds.
    if (turnsOf(request).some((id) => this.#turns.has(id))) return false;
    if (record === undefined || this.#recorded === null) return true;
    // Changes of one conversation are merged into one, which all of its requests must then share: a request with a key
    // may turn out to be a duplicate.
    const hasKey = key !== null || this.#recorded.hasKey;
    return !hasKey && record.start === undefined && record.id === this.#recorded.conversationId;
  }

  take(request: AppendRequest): void {
    const { record } = request.effects ?? {};
    const key = keyOf(request);
    this.#requests.push(request);
    if (key !== null) this.#keys.add(key);
    for (const id of turnsOf(request)) this.#turns.add(id);
    if (record !== undefined) this.#recorded = { conversationId: record.id, hasKey: key !== null };
    this.#isClosed = isLast(request);
  }

  build(): SessionBatch {
    return { sessionId: this.#sessionId, epoch: this.#epoch, requests: this.#requests };
  }
}

/** Ids of the turns that a request adds, changes or removes. */
function turnsOf({ effects }: AppendRequest): readonly string[] {
  const { queueTurn, beginTurn, endTurn } = effects ?? {};
  return [queueTurn, beginTurn, endTurn].flatMap((turn) => turn?.id ?? []);
}

/** Session fields may end the session, and custom statements belong to one request: no request may follow. */
function isLast({ effects }: AppendRequest): boolean {
  const { lastActivityMs: _, ...fields } = effects?.session ?? {};
  return effects?.also !== undefined || Object.values(fields).some((value) => value !== undefined);
}
