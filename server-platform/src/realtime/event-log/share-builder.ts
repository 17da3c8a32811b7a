import type { Share } from './append-group.ts';
import { type AppendRequest, keyOf } from './append-request.ts';

/** Collects what one session contributes to a group, as far as one statement can write it. */
export class ShareBuilder {
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

  /** Whether the request can follow those there are in the same statement. */
  mayTake(request: AppendRequest): boolean {
    const { record } = request.effects ?? {};
    const key = keyOf(request);
    if (this.#isClosed || request.epoch !== this.#epoch) return false;
    // The log does not have the original of a repetition that is written by the same statement.
    if (key !== null && this.#keys.has(key)) return false;
    // A statement changes a row once, and does not see the rows that it adds.
    if (turnsOf(request).some((id) => this.#turns.has(id))) return false;
    if (record === undefined || this.#recorded === null) return true;
    // Changes of one conversation become one, which all of its requests must then have a part in: a request with a key
    // may turn out to be a repetition.
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

  build(): Share {
    return { sessionId: this.#sessionId, epoch: this.#epoch, requests: this.#requests };
  }
}

/** Ids of the turns that a request adds, changes or removes. */
function turnsOf({ effects }: AppendRequest): readonly string[] {
  const { queueTurn, beginTurn, endTurn } = effects ?? {};
  return [queueTurn, beginTurn, endTurn].flatMap((turn) => turn?.id ?? []);
}

/** What sets fields of the session may end it, and other statements belong to one request: nothing follows them. */
function isLast({ effects }: AppendRequest): boolean {
  const { lastActivityMs: _, ...fields } = effects?.session ?? {};
  return effects?.also !== undefined || Object.values(fields).some((value) => value !== undefined);
}
