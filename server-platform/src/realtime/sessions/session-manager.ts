import { CLOSE_CODES } from 'natter/protocol';
import { BatchLoader } from '../../db/index.ts';
import type { Scheduled } from '../../jobs/index.ts';
import type { MessagingConnector } from '../conversation/index.ts';
import {
  loadSession,
  loadSessionsToJoin,
  type SessionToJoin,
  type StoredSession,
} from '../event-log/index.ts';
import type { MessagingContext } from '../messaging-context.ts';
import { releaseSessions } from '../ownership/index.ts';
import { isSessionLoss } from '../session-loss.ts';
import { type ConnectionSlot, reserveSlot } from './connection-slot.ts';
import { type DrainOptions, drainSessions } from './drain-sessions.ts';
import { listErasedSessions } from './list-erased-sessions.ts';
import { NodeRpc } from './node-rpc.ts';
import { OwnedSessions } from './owned-sessions.ts';
import { RemoteSessionPoller } from './remote-session-poller.ts';
import { Session } from './session.ts';
import { SessionSweeps } from './session-sweeps.ts';

/** A session that a connection may join. */
export interface JoinedSession {
  readonly id: string;
  readonly identity: string;
  readonly session: Session;
  /** Highest sequence in the log when the session was read. */
  readonly lastSequence: number;
  /** After SESSION_END: replays, then closes. Source: WS-4. */
  readonly isEnded: boolean;
}

/** Intervals of the session manager's background work. */
export interface SessionIntervals {
  /** Interval of lease renewals; at most a third of the lease. */
  readonly renewalMs: number;
  /** Interval of sweeps for idle, abandoned and unused sessions. */
  readonly sweepMs: number;
}

/** Where a session runs. */
export type SessionLocation =
  | { readonly status: 'here' }
  /** `owner`: the owner node; `null` if unknown. */
  | { readonly status: 'elsewhere'; readonly owner: string | null };

// An erased session leaves the memory of every node within two seconds.
const ERASURES_EVERY_MS = 1_000;
// Handshakes per statement.
const JOINS_AT_ONCE = 100;
// A session without connections stays loaded this long, because its client may reconnect.
const UNUSED_MS = 15_000;

/** The sessions in this node's memory: loads each once, renews, recovers, expires and unloads them. */
export class SessionManager {
  readonly #context: MessagingContext;
  readonly #sessions = new Map<string, Session>();
  readonly #owned: OwnedSessions;
  readonly #toJoin: BatchLoader<string, SessionToJoin | null>;
  readonly #poller: RemoteSessionPoller;
  readonly #sweeps: SessionSweeps;
  /** Requests between nodes. */
  readonly rpc: NodeRpc;
  #tasks: readonly Scheduled[] = [];
  #isClosing = false;

  constructor(context: MessagingContext) {
    this.#context = context;
    this.#owned = new OwnedSessions(context, this.#sessions, () => this.#poller.poll());
    this.#sweeps = new SessionSweeps(context, this);
    this.#toJoin = new BatchLoader({
      read: (ids) => loadSessionsToJoin(context.database, ids),
      maxKeys: JOINS_AT_ONCE,
    });
    this.rpc = new NodeRpc(context, this.#sessions);
    this.#poller = new RemoteSessionPoller(context, this.#sessions);
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** True once this node accepts no more work. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Sessions that this node must resume, because no other node does. */
  get leftOpen(): readonly string[] {
    return [...this.#sessions].filter(([, { isLeftOpen }]) => isLeftOpen).map(([id]) => id);
  }

  get(sessionId: string): Session | undefined {
    return this.#sessions.get(sessionId);
  }

  /** Starts the background work, and immediately resumes unfinished work of an earlier process. */
  start({ renewalMs, sweepMs }: SessionIntervals): void {
    const every = (everyMs: number, what: string, work: () => Promise<void>): Scheduled =>
      this.#context.scheduler.every({ what, everyMs, run: () => work().catch(throwUnlessLost) });
    this.#tasks = [
      every(renewalMs, 'renew the lease', () => this.#renew(renewalMs)),
      every(sweepMs, 'sweep sessions', () => this.#sweeps.run()),
      every(ERASURES_EVERY_MS, 'check for erased sessions', () => this.#unloadErased()),
    ];
    void this.#attempt('recover sessions', this.#sweeps.recover());
    this.rpc.start();
    this.#poller.start();
  }

  /**
   * The session for a handshake, whose connector was just read; `null` when the session is unknown, expired or ended
   * too long ago. Source: WS-2 row 3.
   */
  async join(sessionId: string, connector: MessagingConnector): Promise<JoinedSession | null> {
    const { clock, limits } = this.#context;
    const found = await this.#toJoin.get(sessionId);
    if (found === null || found.session.state === 'expired') return null;
    const { session: row, hasOpenTurns } = found;
    if (row.endedAtMs !== null) {
      if (clock.now() >= row.endedAtMs + limits.endedReplayMs) return null;
    } else if (this.#idleMs(row) >= limits.inactivityMs) {
      // The session has expired, but no node has stored that yet.
      void this.#attempt('expire a session', this.#expire(row));
      return null;
    }
    const session = await this.load(row, connector);
    if (session === null) return null;
    if (!session.isOver && !session.isOwned && row.conversationStatus === 'running') {
      // Its owner may have died or lost its lease during an answer that the visitor waits for.
      const isHandedOff = row.state === 'handoff' || row.state === 'live';
      if (hasOpenTurns || isHandedOff) void this.#attempt('resume a session', session.recover());
    }
    const { id, identity, lastSequence, endedAtMs } = row;
    return { id, identity, session, lastSequence, isEnded: endedAtMs !== null };
  }

  /** Reserves one of a session's slots for connections; `null` when all nodes together have used them up. Source: WS-3. */
  async reserveSlot(sessionId: string): Promise<ConnectionSlot | null> {
    const session = this.#sessions.get(sessionId);
    return session === undefined ? null : await reserveSlot(this.#context, this.rpc, session);
  }

  /** The sessions that have a socket, on any node; null: not every node has answered. */
  async listConnected(sessionIds: readonly string[]): Promise<ReadonlySet<string> | null> {
    return await this.rpc.listConnected(sessionIds);
  }

  /** Ends every open session of this node as abandoned, and returns their number. */
  async expireAll(): Promise<number> {
    const open = [...this.#sessions.values()].filter((session) => !session.isOver && session.owner === null);
    await Promise.all(open.map((session) => session.expire()));
    return open.length;
  }

  /** Releases all sessions, see {@link drainSessions}. This node then loads no more sessions. */
  async drain(options: DrainOptions): Promise<void> {
    this.#isClosing = true;
    await drainSessions(this.#context, this.#sessions, options);
  }

  /** Stops all background work and every session. Resolves once no write is in flight. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const stopped = this.#tasks.map((task) => task.stop());
    const released = [...this.#sessions.values()].map((session) => session.release());
    this.#sessions.clear();
    await Promise.all([...released, ...stopped, this.#poller.stop()]);
    await this.#context.log.drain();
  }

  /** Reads one session from the database; concurrent reads share a statement. */
  async read(sessionId: string): Promise<StoredSession | null> {
    return (await this.#toJoin.get(sessionId))?.session ?? null;
  }

  /**
   * The session on this node; `null` when its connector is gone. `connector` is one that was just read: if it is the
   * session's, it is not read again.
   */
  async load(row: StoredSession, connector?: MessagingConnector): Promise<Session | null> {
    const known = this.#sessions.get(row.id);
    if (known !== undefined) {
      // Keeps the session loaded for the caller.
      known.usage.unusedSinceMs = this.#context.clock.now();
      known.applyRow(row);
      return known;
    }
    const own =
      connector?.id === row.connectorId
        ? connector
        : await this.#context.connectors.findById(row.connectorId);
    // Of two concurrent handshakes, the second finds the session that the first one has loaded.
    const meanwhile = this.#sessions.get(row.id);
    if (meanwhile !== undefined || own === null) return meanwhile ?? null;
    const session = new Session(this.#context, row, own);
    this.#sessions.set(row.id, session);
    return session;
  }

  /**
   * Notifies a session of a stored external event: on its owner node, or here if it has none. An unreachable owner
   * finds the event with its next sweep.
   */
  async notifyAgent(sessionId: string): Promise<void> {
    await this.#sweeps.notifyAgents(sessionId);
    await this.rpc.notifyOwner(sessionId, 'external events');
  }

  /** Loads and acquires an open session, unless another node owns it or this node is closing. */
  async ensureLoaded(sessionId: string): Promise<SessionLocation> {
    if (this.#isClosing) return { status: 'elsewhere', owner: null };
    const row = this.#sessions.get(sessionId)?.row ?? (await loadSession(this.#context.database, sessionId));
    if (row === null || row.endedAtMs !== null) return { status: 'here' };
    const session = await this.load(row);
    try {
      await session?.recover();
      return { status: 'here' };
    } catch (error) {
      if (isSessionLoss(error)) return { status: 'elsewhere', owner: error.owner };
      throw error;
    }
  }

  /** Releases and unloads sessions that have been unused for a while, so that any node may acquire them. */
  async unloadUnused(): Promise<void> {
    const { database, lease, clock } = this.#context;
    const released = new Map<string, number>();
    for (const [id, session] of this.#sessions) {
      if (session.usage.connections > 0 || session.isBusy) {
        session.usage.unusedSinceMs = clock.now();
        continue;
      }
      if (clock.now() - session.usage.unusedSinceMs < UNUSED_MS) continue;
      if (session.epoch !== null) released.set(id, session.epoch);
      this.#sessions.delete(id);
      void session.release();
    }
    await releaseSessions(database, lease.node, released);
  }

  async #expire(row: StoredSession): Promise<void> {
    await (await this.load(row))?.expireIfIdle();
  }

  #idleMs(row: StoredSession): number {
    const activeMs = this.#sessions.get(row.id)?.lastActivityMs ?? 0;
    return this.#context.clock.now() - Math.max(row.lastActivityMs, activeMs);
  }

  async #renew(renewalMs: number): Promise<void> {
    const nextExpiryMs = await this.#owned.renew();
    if (nextExpiryMs === null || nextExpiryMs >= renewalMs) return;
    // Another node's lease is about to expire. Recover its sessions then instead of at the next sweep.
    this.#context.clock.setTimer(
      () => void this.#attempt('recover sessions', this.#sweeps.recover()),
      Math.max(nextExpiryMs, 0),
    );
  }

  /** Closes the connections of erased sessions and unloads them, including reconnected ones. Source: 4.5. */
  async #unloadErased(): Promise<void> {
    const erased = await listErasedSessions(this.#context.database);
    const message = { kind: 'close', code: CLOSE_CODES.sessionRejected, reason: 'session deleted' } as const;
    await Promise.all(
      erased.map(async (sessionId) => {
        this.#context.observer.erased(sessionId);
        const session = this.#sessions.get(sessionId);
        if (session === undefined) return;
        this.#context.bus.deliverLocal(sessionId, message);
        this.#sessions.delete(sessionId);
        await session.erase();
      }),
    );
  }

  /** Reports a failure. Never rejects. */
  async #attempt(what: string, work: Promise<unknown>): Promise<void> {
    const report = (error: unknown): void => this.#context.observer.failed(what, error);
    await work.catch(throwUnlessLost).catch(report);
  }
}

/** Ignores the loss of a session to another node; rethrows other errors. */
function throwUnlessLost(error: unknown): void {
  if (!isSessionLoss(error)) throw error;
}
