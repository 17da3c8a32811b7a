import type { SessionTraceEvent } from './session-trace-event.ts';

/** Consecutive equal facts, merged. */
export interface TraceEntry {
  /** The first fact. */
  readonly fact: SessionTraceEvent;
  readonly atMs: number;
  /** When the last fact happened. */
  readonly lastAtMs: number;
  readonly count: number;
  /** Total bytes of the frames; 0 for other facts. */
  readonly bytes: number;
  /** Sequence of the last event of the commits; null for other facts. */
  readonly lastSequence: number | null;
  /** Duration of the slowest commit; null for other facts. */
  readonly slowestMs: number | null;
}

/** A node's trace of a session, oldest entry first. */
export interface SessionTrace {
  readonly entries: readonly TraceEntry[];
  /** Number of entries dropped from the middle because the session reached its limit. */
  readonly droppedEntries: number;
}

/** Limits of traces in memory. */
export interface TraceLimits {
  readonly maxEntriesOfSession: number;
  /** First entries that are never dropped: the handshake and the steps to the first answer. */
  readonly firstEntriesKept: number;
  readonly maxEntries: number;
}

// An entry takes at most 300 bytes: 77 kB per session, 10 MB per node.
const TRACE_LIMITS: TraceLimits = {
  maxEntriesOfSession: 256,
  firstEntriesKept: 32,
  maxEntries: 32_768,
};

// A fact is merged with an equal one among this many recent entries: a streamed answer alternates commits and frames,
// for each part and each socket.
const LOOK_BACK = 6;

type Entry = { -readonly [Field in keyof TraceEntry]: TraceEntry[Field] };
type Trace = { readonly entries: Entry[]; dropped: number };

/**
 * Facts about this node's sessions, bounded and in memory only, because frames, handshakes and closes are not stored. A
 * flooding session drops its own entries; when all sessions together exceed the limit, the session whose last socket
 * opened longest ago is dropped.
 */
export class SessionTraces {
  readonly #limits: TraceLimits;
  /** Ordered by when the last socket opened, longest ago first. */
  readonly #traces = new Map<string, Trace>();
  #size = 0;

  constructor(limits: TraceLimits = TRACE_LIMITS) {
    this.#limits = limits;
  }

  /** Number of entries of all sessions. */
  get size(): number {
    return this.#size;
  }

  has(sessionId: string): boolean {
    return this.#traces.has(sessionId);
  }

  /** Adds a fact. Callers must pass ids of existing sessions only, because strangers can make ids up. */
  add(sessionId: string, fact: SessionTraceEvent, atMs: number): void {
    const trace = this.#traceFor(sessionId, fact.kind === 'socket_opened');
    const known = findEqual(trace.entries, fact);
    if (known === undefined) this.#push(trace, toEntry(fact, atMs));
    else join(known, fact, atMs);
    if (this.#size > this.#limits.maxEntries) this.#forgetOldest(sessionId);
  }

  /** Returns a session's trace; null if unknown. */
  read(sessionId: string): SessionTrace | null {
    const trace = this.#traces.get(sessionId);
    if (trace === undefined) return null;
    return { entries: trace.entries.map((entry) => ({ ...entry })), droppedEntries: trace.dropped };
  }

  /** Forgets a session that was erased. */
  forget(sessionId: string): void {
    this.#size -= this.#traces.get(sessionId)?.entries.length ?? 0;
    this.#traces.delete(sessionId);
  }

  #traceFor(sessionId: string, isOpening: boolean): Trace {
    const known = this.#traces.get(sessionId);
    if (known !== undefined && !isOpening) return known;
    const trace = known ?? { entries: [], dropped: 0 };
    this.#traces.delete(sessionId);
    this.#traces.set(sessionId, trace);
    return trace;
  }

  #push(trace: Trace, entry: Entry): void {
    const { maxEntriesOfSession, firstEntriesKept } = this.#limits;
    trace.entries.push(entry);
    this.#size += 1;
    if (trace.entries.length <= maxEntriesOfSession) return;
    trace.entries.splice(firstEntriesKept, 1);
    trace.dropped += 1;
    this.#size -= 1;
  }

  #forgetOldest(except: string): void {
    for (const sessionId of this.#traces.keys()) {
      if (sessionId === except) continue;
      this.forget(sessionId);
      return;
    }
  }
}

function toEntry(fact: SessionTraceEvent, atMs: number): Entry {
  const isCommit = fact.kind === 'committed';
  return {
    fact,
    atMs,
    lastAtMs: atMs,
    count: 1,
    bytes: 'bytes' in fact ? fact.bytes : 0,
    lastSequence: isCommit ? fact.last : null,
    slowestMs: isCommit ? fact.ms : null,
  };
}

function join(entry: Entry, fact: SessionTraceEvent, atMs: number): void {
  entry.lastAtMs = atMs;
  entry.count += 1;
  if ('bytes' in fact) entry.bytes += fact.bytes;
  if (fact.kind !== 'committed') return;
  entry.lastSequence = fact.last;
  entry.slowestMs = Math.max(entry.slowestMs ?? 0, fact.ms);
}

function findEqual(entries: readonly Entry[], fact: SessionTraceEvent): Entry | undefined {
  for (let back = 1; back <= LOOK_BACK; back += 1) {
    const entry = entries.at(-back);
    if (entry === undefined) return undefined;
    if (isEqual(entry, fact)) return entry;
  }
  return undefined;
}

/** Whether two facts are equal and can be merged. Facts that happen once, such as the start of a turn, never are. */
function isEqual({ fact: one, lastSequence }: Entry, other: SessionTraceEvent): boolean {
  switch (other.kind) {
    case 'frame_received':
      return (
        one.kind === other.kind &&
        one.socket === other.socket &&
        one.type === other.type &&
        one.outcome === other.outcome
      );
    case 'frame_sent':
      return one.kind === other.kind && one.socket === other.socket && one.type === other.type;
    case 'committed':
      return (
        one.kind === other.kind &&
        one.types.length <= 1 &&
        other.types.length <= 1 &&
        one.types[0] === other.types[0] &&
        (other.first === null || other.first - 1 === lastSequence)
      );
    case 'handshake_refused':
      return one.kind === other.kind && one.code === other.code;
    case 'failed':
      return one.kind === other.kind && one.what === other.what && one.code === other.code;
    case 'warned':
      return one.kind === other.kind && one.what === other.what;
    default:
      return false;
  }
}
