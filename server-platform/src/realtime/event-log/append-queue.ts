import { TraceContext } from '@natter/server-kit/trace-context';
import type { Database, Sql } from '../../db/index.ts';
import { DatabaseError, isDatabaseError, retryAfterDeadlock } from '../../db/index.ts';
import { appendGroup, type SessionBatch } from './append-group.ts';
import type { AppendRequest, AppendResult } from './append-request.ts';
import { SessionBatchBuilder } from './session-batch-builder.ts';

/** Limits and observation of the queue. */
export type AppendQueueOptions = {
  /** Queued rows above which requests are refused with `overloaded`. Default 10,000. */
  readonly maxQueuedRows?: number | undefined;
  /** The same limit in characters of text. Default 33,554,432. */
  readonly maxQueuedCharacters?: number | undefined;
  /** Rows written by one statement. Default 1,000. */
  readonly maxGroupRows?: number | undefined;
  /**
   * Groups in flight at a time, each with different sessions. With two, the database writes one while this process
   * prepares the next and publishes the events of the previous one. Default 1.
   */
  readonly writers?: number | undefined;
  /** Called after every commit, for metrics. */
  readonly onCommit?:
    | ((commit: { readonly requests: number; readonly rows: number; readonly durationMs: number }) => void)
    | undefined;
};

type Pending = {
  readonly request: AppendRequest;
  readonly rows: number;
  readonly bytes: number;
  readonly sinceMs: number;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
  /** The caller's span; `null` when none is recorded. */
  readonly trace: TraceContext | null;
};

/** A partition of sessions by a hash of their ids: requests keep their order, and only one group locks their rows. */
type Writer = {
  waiting: Pending[];
  running: Promise<void> | null;
  /** Set while every queued request can wait. */
  timer: NodeJS.Timeout | null;
  /** Everything queued must be written now. */
  isDue: boolean;
  /** Whether the last group had a long text. */
  hadLongText: boolean;
};

type Group = { readonly batches: readonly SessionBatch[]; readonly members: readonly (readonly Pending[])[] };

/** Default limit of queued rows. Requests above it are refused as overload. */
export const MAX_QUEUED_ROWS = 10_000;
const MAX_QUEUED_CHARACTERS = 33_554_432;
// A statement of this size takes about 20 ms on the embedded database; larger ones would delay small appends.
const DEFAULT_MAX_GROUP_ROWS = 1_000;
// For the same reason: a megabyte takes the embedded database 40 ms. Equals the size of the largest message.
const MAX_GROUP_BYTES = 131_072;
// Groups with and without such a text alternate while both kinds are queued, so that even a flood of long texts delays
// a short message by one long text at most.
const LONG_TEXT = 16_384;
// Most busy sessions have sent their next message by then; a message without a successor is acknowledged long before.
const MAX_WAIT_MS = 50;

/**
 * Collects appends while a commit is in flight and writes them with the next one. Only requests that can wait are held
 * briefly: they join the next append of their session, so that its row is written once for both. Otherwise the first
 * message after a commit would bring along everything that waits in all sessions, and later messages would wait for
 * this large group.
 */
export class AppendQueue {
  readonly #database: Database;
  readonly #options: AppendQueueOptions;
  readonly #writers: readonly [Writer, ...Writer[]];
  #queuedRows = 0;
  #queuedCharacters = 0;

  constructor(database: Database, options: AppendQueueOptions) {
    this.#database = database;
    this.#options = options;
    const others = Array.from({ length: (options.writers ?? 1) - 1 }, createWriter);
    this.#writers = [createWriter(), ...others];
  }

  get queuedRows(): number {
    return this.#queuedRows;
  }

  append(request: AppendRequest): Promise<AppendResult> {
    // An append with effects only counts as one row, because it occupies the queue too.
    const rows = Math.max(1, request.events.length);
    if (request.events.filter((event) => typeof event.clientEventId === 'string').length > 1) {
      return Promise.reject(
        new TypeError('append: at most one event of a request may carry a clientEventId'),
      );
    }
    const bytes = textLengthOf(request);
    const { maxQueuedRows = MAX_QUEUED_ROWS, maxQueuedCharacters = MAX_QUEUED_CHARACTERS } = this.#options;
    if (this.#queuedRows + rows > maxQueuedRows || this.#queuedCharacters + bytes > maxQueuedCharacters) {
      return Promise.reject(
        new DatabaseError(
          'overloaded',
          'Too many events wait to be written. Nothing was stored; try again in a moment.',
        ),
      );
    }
    return new Promise((resolve, reject) => {
      const writer = this.#writerOf(request.sessionId);
      const sinceMs = performance.now();
      const trace = TraceContext.recorded();
      writer.waiting.push({ request, rows, bytes, sinceMs, resolve, reject, trace });
      this.#queuedRows += rows;
      this.#queuedCharacters += bytes;
      if (canWait(request)) this.#schedule(writer);
      else writer.running ??= this.#run(writer);
    });
  }

  async drain(): Promise<void> {
    for (const writer of this.#writers) if (writer.waiting.length > 0) this.#writeAll(writer);
    for (const writer of this.#writers) while (writer.running !== null) await writer.running;
  }

  #schedule(writer: Writer): void {
    const [oldest] = writer.waiting;
    if (writer.running !== null || oldest === undefined) return;
    const leftMs = Math.max(0, oldest.sinceMs + MAX_WAIT_MS - performance.now());
    writer.timer ??= setTimeout(() => this.#writeAll(writer), leftMs);
  }

  #writeAll(writer: Writer): void {
    writer.isDue = true;
    writer.running ??= this.#run(writer);
  }

  #writerOf(sessionId: string): Writer {
    // The last digit of a UUID is random.
    return (
      this.#writers[sessionId.charCodeAt(sessionId.length - 1) % this.#writers.length] ?? this.#writers[0]
    );
  }

  async #run(writer: Writer): Promise<void> {
    if (writer.timer !== null) clearTimeout(writer.timer);
    writer.timer = null;
    // Lets other calls of this tick join the first group.
    await Promise.resolve();
    while (isAnyReady(writer)) {
      const group = this.#takeGroup(writer);
      await this.#write(group);
      // Lets callers that waited for this commit queue their next event before the next group is taken. Otherwise
      // writers in lockstep would split into two halves, each waiting for the other's commit.
      await new Promise((resolve) => setImmediate(resolve));
    }
    writer.running = null;
    writer.isDue = false;
    if (writer.waiting.length > 0) this.#schedule(writer);
  }

  #takeGroup(writer: Writer): Group {
    const short = writer.hadLongText ? this.#collect(writer, LONG_TEXT) : null;
    const group =
      short !== null && short.members.length > 0 ? short : this.#collect(writer, Number.POSITIVE_INFINITY);
    writer.hadLongText = group.members.some((pendings) => pendings.some(({ bytes }) => bytes >= LONG_TEXT));
    return group;
  }

  /** Takes as many requests as fit into one group, in order, skipping requests of `longText` or more characters. */
  #collect(writer: Writer, longText: number): Group {
    const maxRows = this.#options.maxGroupRows ?? DEFAULT_MAX_GROUP_ROWS;
    const open = new Map<string, { readonly share: SessionBatchBuilder; readonly members: Pending[] }>();
    const left: Pending[] = [];
    const held = new Set<string>();
    const written = findWritten(writer);
    let rows = 0;
    let bytes = 0;
    for (const pending of writer.waiting) {
      const { request } = pending;
      const { sessionId } = request;
      const known = open.get(sessionId);
      const isWithin = rows + pending.rows <= maxRows && bytes + pending.bytes <= MAX_GROUP_BYTES;
      const fits = pending.bytes < longText && (rows === 0 || isWithin);
      if (
        !written.has(sessionId) ||
        !fits ||
        held.has(sessionId) ||
        known?.share.mayTake(request) === false
      ) {
        // All later requests of this session must wait too, to keep their order.
        held.add(sessionId);
        left.push(pending);
        continue;
      }
      const { share, members } = known ?? { share: new SessionBatchBuilder(request), members: [] };
      share.take(request);
      members.push(pending);
      open.set(sessionId, { share, members });
      rows += pending.rows;
      bytes += pending.bytes;
    }
    writer.waiting = left;
    const taken = [...open.values()];
    return { batches: taken.map(({ share }) => share.build()), members: taken.map(({ members }) => members) };
  }

  async #write(group: Group): Promise<void> {
    const startedAt = performance.now();
    const members = group.members.flat();
    const rows = members.reduce((sum, pending) => sum + pending.rows, 0);
    try {
      const results = await retryAfterDeadlock(() => this.#commit(group.batches));
      for (const [index, pendings] of group.members.entries()) settle(pendings, results[index]);
    } catch (error) {
      if (members.length > 1 && isOneRequestsFault(error)) await this.#writeOneByOne(members);
      else for (const pending of members) pending.reject(error);
    }
    this.#queuedRows -= rows;
    this.#queuedCharacters -= members.reduce((sum, { bytes }) => sum + bytes, 0);
    const endedAt = performance.now();
    const attributes = { 'natter.commit.requests': members.length, 'natter.commit.rows': rows };
    for (const { trace } of members) trace?.record('commit', attributes, startedAt, endedAt);
    this.#options.onCommit?.({ requests: members.length, rows, durationMs: endedAt - startedAt });
  }

  // A statement fails as a whole. Retries each request in a separate statement, in order, so that only the faulty one
  // fails.
  async #writeOneByOne(members: readonly Pending[]): Promise<void> {
    for (const pending of members) {
      const { request } = pending;
      const share = { sessionId: request.sessionId, epoch: request.epoch, requests: [request] };
      try {
        const [result] = await retryAfterDeadlock(() => this.#commit([share]));
        settle([pending], result);
      } catch (error) {
        pending.reject(error);
      }
    }
  }

  async #commit(shares: readonly SessionBatch[]): Promise<readonly (readonly AppendResult[])[]> {
    const hasMore = shares.some(({ requests }) => requests.at(-1)?.effects?.also !== undefined);
    if (!hasMore) return await appendGroup(this.#database, shares);
    return await this.#database.tx(async (sql) => {
      const results = await appendGroup(sql, shares);
      for (const [index, { requests }] of shares.entries())
        await runAlso(sql, requests.at(-1), results[index]?.at(-1));
      return results;
    });
  }
}

function createWriter(): Writer {
  return { waiting: [], running: null, timer: null, isDue: false, hadLongText: false };
}

function isAnyReady(writer: Writer): boolean {
  const dueMs = performance.now() - MAX_WAIT_MS;
  return writer.waiting.some((pending) => isReady(pending, writer, dueMs));
}

/** Sessions with a request that is due. Their waiting requests are written with it, in order. */
function findWritten(writer: Writer): ReadonlySet<string> {
  const dueMs = performance.now() - MAX_WAIT_MS;
  const ready = writer.waiting.filter((pending) => isReady(pending, writer, dueMs));
  return new Set(ready.map(({ request }) => request.sessionId));
}

function isReady({ request, sinceMs }: Pending, { isDue }: Writer, dueMs: number): boolean {
  return isDue || !canWait(request) || sinceMs <= dueMs;
}

function canWait({ effects }: AppendRequest): boolean {
  return effects?.canWait === true;
}

/** Returns the number of text characters in payloads and record; large requests are large because of one of them. */
function textLengthOf({ events, effects }: AppendRequest): number {
  const turns = effects?.record?.turns ?? [];
  const texts = [
    ...events.flatMap(({ payload }) => Object.values(payload)),
    ...turns.flatMap(({ userInput, agentResponse }) => [userInput, agentResponse]),
  ];
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
}

async function runAlso(
  sql: Sql,
  request: AppendRequest | undefined,
  result: AppendResult | undefined,
): Promise<void> {
  const also = request?.effects?.also;
  if (also !== undefined && result?.status === 'appended') await also(sql, result.events);
}

// Other statement errors are caused by one request, and the rest can still be written. If the database does not answer,
// the group may have been committed, and another write could store it twice. If the disk is full, no request fits.
function isOneRequestsFault(error: unknown): boolean {
  return !isDatabaseError(error) || !['unavailable', 'overloaded', 'closed'].includes(error.code);
}

function settle(pendings: readonly Pending[], results: readonly AppendResult[] = []): void {
  pendings.forEach((pending, index) => {
    const own = results[index];
    if (own === undefined)
      pending.reject(new DatabaseError('rejected', 'The statement returned no result for a request.'));
    else pending.resolve(own);
  });
}
