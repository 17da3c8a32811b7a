import { type AppendRequest, type AppendResult, isPlain } from './append-request.ts';
import { appendGroup, type Share, type ShareResult } from './append-statement.ts';
import type { ConversationChange } from './conversation-change.ts';
import { DatabaseError, isDatabaseError } from './database-error.ts';
import type { Database, Sql } from './sql.ts';
import { writeConversations } from './write-conversations.ts';

/** Limits and observation of the queue. */
export type AppendQueueOptions = {
  /** Rows that may wait before requests are refused with `overloaded`. Default 10,000. */
  readonly maxQueuedRows?: number | undefined;
  /** Rows written by one statement. Default 1,000. */
  readonly maxGroupRows?: number | undefined;
  /** Called after every commit, for metrics. */
  readonly onCommit?:
    | ((commit: { readonly requests: number; readonly rows: number; readonly durationMs: number }) => void)
    | undefined;
};

type Pending = {
  readonly request: AppendRequest;
  readonly rows: number;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
};

type Group = { readonly shares: readonly Share[]; readonly members: readonly (readonly Pending[])[] };

/** Rows that may wait to be written, unless an option says otherwise. More is overload. */
export const MAX_QUEUED_ROWS = 10_000;
// A statement of this size takes some 20 ms on the embedded database; larger ones would hold up small appends.
const DEFAULT_MAX_GROUP_ROWS = 1_000;

/** Collects appends while a commit is under way and writes them with the next one. There is no timer. */
export class AppendQueue {
  readonly #database: Database;
  readonly #options: AppendQueueOptions;
  #waiting: Pending[] = [];
  #queuedRows = 0;
  #running: Promise<void> | null = null;

  constructor(database: Database, options: AppendQueueOptions) {
    this.#database = database;
    this.#options = options;
  }

  get queuedRows(): number {
    return this.#queuedRows;
  }

  append(request: AppendRequest): Promise<AppendResult> {
    // An append of effects alone counts as a row: it occupies the queue all the same.
    const rows = Math.max(1, request.events.length);
    if (request.events.filter((event) => typeof event.clientEventId === 'string').length > 1) {
      return Promise.reject(
        new TypeError('append: at most one event of a request may carry a clientEventId'),
      );
    }
    if (this.#queuedRows + rows > (this.#options.maxQueuedRows ?? MAX_QUEUED_ROWS)) {
      return Promise.reject(
        new DatabaseError(
          'overloaded',
          'Too many events wait to be written. Nothing was stored; try again in a moment.',
        ),
      );
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, rows, resolve, reject });
      this.#queuedRows += rows;
      this.#running ??= this.#run();
    });
  }

  async drain(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  async #run(): Promise<void> {
    // Lets the calls of the same tick join the first group.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      await this.#write(group);
      // Lets those who waited for this commit queue their next event before the next group is taken; otherwise
      // writers in lockstep would fall into two halves, each waiting for the other's commit.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#running = null;
  }

  #takeGroup(): Group {
    const maxRows = this.#options.maxGroupRows ?? DEFAULT_MAX_GROUP_ROWS;
    const open = new Map<string, { epoch: number; plain: Pending[]; tail: Pending | null }>();
    const left: Pending[] = [];
    const held = new Set<string>();
    let rows = 0;
    for (const pending of this.#waiting) {
      const { sessionId, epoch } = pending.request;
      const share = open.get(sessionId);
      const fits = rows === 0 || rows + pending.rows <= maxRows;
      if (
        !fits ||
        held.has(sessionId) ||
        (share !== undefined && (share.tail !== null || share.epoch !== epoch))
      ) {
        // Everything later of the same session has to wait as well, or it would overtake.
        held.add(sessionId);
        left.push(pending);
        continue;
      }
      const target = share ?? { epoch, plain: [], tail: null };
      if (isPlain(pending.request)) target.plain.push(pending);
      else target.tail = pending;
      open.set(sessionId, target);
      rows += pending.rows;
    }
    this.#waiting = left;
    const shares: Share[] = [];
    const members: Pending[][] = [];
    for (const [sessionId, { epoch, plain, tail }] of open) {
      shares.push({
        sessionId,
        epoch,
        plain: plain.map(({ request }) => request),
        tail: tail?.request ?? null,
      });
      members.push(tail === null ? plain : [...plain, tail]);
    }
    return { shares, members };
  }

  async #write(group: Group): Promise<void> {
    const startedAt = performance.now();
    const members = group.members.flat();
    const rows = members.reduce((sum, pending) => sum + pending.rows, 0);
    try {
      const results = await this.#commit(group.shares);
      for (const [index, pendings] of group.members.entries()) settle(pendings, results[index]);
    } catch (error) {
      if (members.length > 1 && isOneRequestsFault(error)) await this.#writeOneByOne(members);
      else for (const pending of members) pending.reject(error);
    }
    this.#queuedRows -= rows;
    this.#options.onCommit?.({ requests: members.length, rows, durationMs: performance.now() - startedAt });
  }

  // A statement fails as a whole. Each request then gets a statement of its own, in order, so that only the bad one
  // fails.
  async #writeOneByOne(members: readonly Pending[]): Promise<void> {
    for (const pending of members) {
      const { request } = pending;
      const isAlone = isPlain(request);
      const share: Share = {
        sessionId: request.sessionId,
        epoch: request.epoch,
        plain: isAlone ? [request] : [],
        tail: isAlone ? null : request,
      };
      try {
        const [result] = await this.#commit([share]);
        settle([pending], result);
      } catch (error) {
        pending.reject(error);
      }
    }
  }

  async #commit(shares: readonly Share[]): Promise<readonly ShareResult[]> {
    const hasMore = shares.some(
      ({ tail }) => tail?.effects?.also !== undefined || tail?.effects?.record !== undefined,
    );
    if (!hasMore) return await appendGroup(this.#database, shares);
    return await this.#database.tx(async (sql) => {
      const results = await appendGroup(sql, shares);
      await writeConversations(sql, selectRecords(shares, results));
      for (const [index, share] of shares.entries()) await runAlso(sql, share, results[index]);
      return results;
    });
  }
}

/** What the appended requests add to the record. One conversation has one session, which has one share of a group. */
function selectRecords(
  shares: readonly Share[],
  results: readonly ShareResult[],
): readonly ConversationChange[] {
  return shares.flatMap(({ tail }, index) => {
    const isAppended = results[index]?.tail?.status === 'appended';
    return isAppended ? (tail?.effects?.record ?? []) : [];
  });
}

async function runAlso(sql: Sql, share: Share, result: ShareResult | undefined): Promise<void> {
  const also = share.tail?.effects?.also;
  if (also !== undefined && result?.tail?.status === 'appended') await also(sql, result.tail.events);
}

// An error of the statement is somebody's fault and the others can still be written. When the database does not
// answer, the group may have been committed: writing it again could store it twice. When it has no room, none fits.
function isOneRequestsFault(error: unknown): boolean {
  return !isDatabaseError(error) || !['unavailable', 'overloaded', 'closed'].includes(error.code);
}

function settle(pendings: readonly Pending[], result: ShareResult | undefined): void {
  const results =
    result === undefined ? [] : [...result.plain, ...(result.tail === null ? [] : [result.tail])];
  pendings.forEach((pending, index) => {
    const own = results[index];
    if (own === undefined)
      pending.reject(new DatabaseError('rejected', 'The statement gave no answer for a request.'));
    else pending.resolve(own);
  });
}
