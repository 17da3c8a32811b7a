import {
  GroupReads,
  listIdleSessions,
  listSessionsToRecover,
  loadSession,
  loadSessionsToJoin,
  releaseLeases,
  renewLeases,
  type Session,
  type SessionToJoin,
} from '../db/index.ts';
import { listSessionsToTell } from '../external-events/index.ts';
import { pause } from './clock.ts';
import type { MessagingConnector } from './connector.ts';
import { FollowedSessions } from './followed-sessions.ts';
import { LiveSession } from './live-session.ts';
import { SessionPeers } from './session-peers.ts';
import type { SessionServices } from './session-services.ts';
import { isSessionLoss } from './session-writer.ts';

/** A session that a socket may join. */
export interface JoinedSession {
  readonly identity: string;
  readonly live: LiveSession;
  /** Highest sequence in the log when the session was looked up. */
  readonly lastSequence: number;
  /** After SESSION_END: replay, then close. Source: WS-4. */
  readonly isEnded: boolean;
}

/** How often the registry looks after its sessions. */
export interface RegistryPace {
  /** Renewal of leases; a third of the lease at most. */
  readonly renewalMs: number;
  /** Search for idle sessions, for those another node left behind, and for those nobody needs any more. */
  readonly sweepMs: number;
}

/** Where a session is to be found. */
export type SessionPlace =
  | { readonly status: 'here' }
  /** `owner`: the node that has it; null when nobody can say. */
  | { readonly status: 'elsewhere'; readonly owner: string | null };

interface Entry {
  readonly live: LiveSession;
  sockets: number;
  /** When the last socket left or something last went on. */
  unusedSinceMs: number;
}

// Handshakes that share a statement.
const JOINS_AT_ONCE = 100;
// A session without sockets is kept this long for a client that is about to come back.
const UNUSED_MS = 15_000;
const RECOVERIES_AT_ONCE = 20;

/** The sessions of this node: finds, claims, renews, recovers, expires and lets go of them. */
export class SessionRegistry {
  readonly #services: SessionServices;
  readonly #entries = new Map<string, Entry>();
  readonly #epochs = new Map<string, number>();
  readonly #toJoin: GroupReads<string, SessionToJoin | null>;
  readonly #followed: FollowedSessions;
  /** What other nodes are asked, and ask. */
  readonly peers: SessionPeers;
  #stops: (() => void)[] = [];
  #isClosing = false;

  constructor(services: SessionServices) {
    this.#services = services;
    this.#toJoin = new GroupReads({
      read: (ids) => loadSessionsToJoin(services.database, ids),
      maxKeys: JOINS_AT_ONCE,
    });
    this.peers = new SessionPeers(services, {
      get: (id) => this.get(id),
      socketCount: (id) => this.#entries.get(id)?.sockets ?? 0,
    });
    this.#followed = new FollowedSessions({
      ...services,
      list: () =>
        [...this.#entries.values()]
          .filter(({ live, sockets }) => sockets > 0 && !live.isOwned && !live.isOver)
          .map(({ live }) => live),
      onFailure: (error) => services.observer.failed('follow the sessions of other nodes', error),
    });
  }

  get sessionCount(): number {
    return this.#entries.size;
  }

  get(sessionId: string): LiveSession | undefined {
    return this.#entries.get(sessionId)?.live;
  }

  /** Starts the regular work, and takes up at once what an earlier process left unfinished. */
  start(pace: RegistryPace): void {
    this.#every(pace.renewalMs, 'renew leases', () => this.#renew());
    this.#every(pace.sweepMs, 'look after sessions', () => this.#sweep());
    this.#attempt('recover sessions', this.#recover());
    this.peers.start();
    this.#followed.start();
  }

  /** The session for a handshake; null when it is unknown, expired or ended too long ago. Source: WS-2 row 3. */
  async join(sessionId: string): Promise<JoinedSession | null> {
    const { clock, limits } = this.#services;
    const found = await this.#toJoin.get(sessionId);
    if (found === null || found.session.state === 'expired') return null;
    const { session: facts, hasUnfinishedTurns } = found;
    if (facts.endedAtMs !== null) {
      if (clock.now() >= facts.endedAtMs + limits.endedReplayMs) return null;
    } else if (this.#idleMs(facts) >= limits.inactivityMs) {
      // Its time is up, though nobody has written it down yet.
      this.#attempt('expire a session', this.#expire(facts));
      return null;
    }
    const live = await this.#adopt(facts);
    if (live === null) return null;
    if (!live.isOver && !live.isOwned && facts.conversationStatus === 'running') {
      // Its owner may have died, or doubted its log, in the middle of an answer that somebody waits for now.
      const isHandedOff = facts.state === 'handoff' || facts.state === 'live';
      if (hasUnfinishedTurns || isHandedOff) this.#attempt('carry on with a session', live.recover());
    }
    const { identity, lastSequence, endedAtMs } = facts;
    return { identity, live, lastSequence, isEnded: endedAtMs !== null };
  }

  /** Takes one of a session's places for sockets; false when all are taken, on all nodes together. Source: WS-3. */
  async takePlace(sessionId: string): Promise<boolean> {
    const { limits, peers } = this.#services;
    const entry = this.#entries.get(sessionId);
    if (entry === undefined || entry.sockets >= limits.maxSocketsPerSession) return false;
    // Taken before the others are asked: of two that ask at once, neither overlooks the other.
    entry.sockets += 1;
    if (peers.isAlone) return true;
    const elsewhere = await this.peers.countSockets(sessionId);
    if (entry.sockets + elsewhere <= limits.maxSocketsPerSession) return true;
    this.leavePlace(sessionId);
    return false;
  }

  /** Gives the place back. */
  leavePlace(sessionId: string): void {
    const entry = this.#entries.get(sessionId);
    if (entry === undefined) return;
    entry.sockets -= 1;
    entry.unusedSinceMs = this.#services.clock.now();
  }

  /** Ends every open session of this node as abandoned, and gives their number. */
  async expireAll(): Promise<number> {
    const open = [...this.#entries.values()].filter(({ live }) => !live.isOver && live.owner === null);
    await Promise.all(open.map(({ live }) => live.expire()));
    return open.length;
  }

  /** Begins no more turns and waits for those that run, at most `graceMs`. */
  async finishTurns(graceMs: number): Promise<void> {
    this.#isClosing = true;
    const finished = Promise.all([...this.#entries.values()].map(({ live }) => live.finishTurns()));
    const stop = new AbortController();
    await Promise.race([finished, pause(this.#services.clock, graceMs, stop.signal)]);
    stop.abort();
  }

  /** Lets go of every session, so that the next node or process need not wait. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const stop of this.#stops) stop();
    this.#stops = [];
    await this.#followed.stop();
    const epochs = new Map(this.#epochs);
    const released = [...this.#entries.values()].map(({ live }) => live.release());
    this.#entries.clear();
    await Promise.all(released);
    for (const [id, epoch] of this.#epochs) epochs.set(id, epoch);
    await this.#services.log.drain();
    await releaseLeases(this.#services.database, this.#services.node, epochs);
  }

  /** The session on this node; null when its connector is gone. */
  async #adopt(facts: Session): Promise<LiveSession | null> {
    const known = this.#entries.get(facts.id);
    if (known !== undefined) {
      // Whoever asks is about to use it.
      known.unusedSinceMs = this.#services.clock.now();
      known.live.noteFacts(facts);
      return known.live;
    }
    const connector = await this.#services.connectors.findById(facts.connectorId);
    // Two handshakes at once: the second finds what the first has made while it waited.
    const meanwhile = this.#entries.get(facts.id);
    if (meanwhile !== undefined) return meanwhile.live;
    return connector === null ? null : this.#create(facts, connector);
  }

  #create(facts: Session, connector: MessagingConnector): LiveSession {
    const live = new LiveSession(this.#services, facts, connector, {
      onOwned: ({ id }, epoch) => this.#epochs.set(id, epoch),
      onReleased: ({ id }) => this.#epochs.delete(id),
    });
    this.#entries.set(facts.id, { live, sockets: 0, unusedSinceMs: this.#services.clock.now() });
    return live;
  }

  async #expire(facts: Session): Promise<void> {
    await (await this.#adopt(facts))?.expireIfIdle();
  }

  #idleMs(facts: Session): number {
    const heardMs = this.#entries.get(facts.id)?.live.lastActivityMs ?? 0;
    return this.#services.clock.now() - Math.max(facts.lastActivityMs, heardMs);
  }

  async #renew(): Promise<void> {
    const { database, node, leaseMs } = this.#services;
    const lost = await renewLeases(database, node, new Map(this.#epochs), leaseMs);
    for (const id of lost) this.#entries.get(id)?.live.loseLease();
  }

  /**
   * Something from outside is on record for a session: its agent is told by the node that owns it, or here when nobody
   * does. An owner that cannot be reached finds it when it looks after its sessions.
   */
  async tellAgent(sessionId: string): Promise<void> {
    await this.#tellAgents(sessionId);
    await this.peers.tellOwner(sessionId, 'external events');
  }

  /** Takes an open session up on this node, unless another one has it, or this one is about to go. */
  async wake(sessionId: string): Promise<SessionPlace> {
    if (this.#isClosing) return { status: 'elsewhere', owner: null };
    const { database } = this.#services;
    const facts = this.#entries.get(sessionId)?.live.facts ?? (await loadSession(database, sessionId));
    if (facts === null || facts.endedAtMs !== null) return { status: 'here' };
    const live = await this.#adopt(facts);
    try {
      await live?.recover();
      return { status: 'here' };
    } catch (error) {
      if (isSessionLoss(error)) return { status: 'elsewhere', owner: error.owner };
      throw error;
    }
  }

  async #sweep(): Promise<void> {
    await this.#recover();
    await this.#tellAgents();
    await this.#expireIdle();
    await this.#dropUnused();
  }

  /** Takes up sessions whose owner died in the middle of a turn. */
  async #recover(): Promise<void> {
    if (this.#isClosing) return;
    const { database, observer } = this.#services;
    for (const id of await listSessionsToRecover(database, RECOVERIES_AT_ONCE)) {
      const facts = await loadSession(database, id);
      const live = facts === null ? null : await this.#adopt(facts);
      await live?.recover().catch((error: unknown) => {
        // Somebody else was faster, or it ended: then there is nothing left to do here.
        if (!isSessionLoss(error)) observer.failed('recover a session', error, { sessionId: id });
      });
    }
  }

  /** Source: `rest.md`, EE-6. */
  async #tellAgents(sessionId?: string): Promise<void> {
    if (this.#isClosing) return;
    const { database, node, clock, observer } = this.#services;
    for (const id of await listSessionsToTell(database, node, clock.now(), { sessionId })) {
      const facts = this.#entries.get(id)?.live.facts ?? (await loadSession(database, id));
      const live = facts === null ? null : await this.#adopt(facts);
      await live?.readExternalEvents().catch((error: unknown) => {
        if (!isSessionLoss(error))
          observer.failed('tell the agent what it waited for', error, { sessionId: id });
      });
    }
  }

  /** Sessions with a place on this node have a timer of their own; this finds the others. */
  async #expireIdle(): Promise<void> {
    if (this.#isClosing) return;
    const { database, clock, limits } = this.#services;
    for (const facts of await listIdleSessions(database, clock.now() - limits.inactivityMs)) {
      if (this.#idleMs(facts) >= limits.inactivityMs) await this.#expire(facts);
    }
  }

  async #dropUnused(): Promise<void> {
    const { database, node, clock } = this.#services;
    const released = new Map<string, number>();
    for (const [id, entry] of this.#entries) {
      if (entry.sockets > 0 || entry.live.isBusy) {
        entry.unusedSinceMs = clock.now();
        continue;
      }
      if (clock.now() - entry.unusedSinceMs < UNUSED_MS) continue;
      const epoch = this.#epochs.get(id);
      if (epoch !== undefined) released.set(id, epoch);
      this.#entries.delete(id);
      void entry.live.release();
    }
    await releaseLeases(database, node, released);
  }

  #every(delayMs: number, what: string, work: () => Promise<void>): void {
    let isStopped = false;
    let cancel: () => void = () => {};
    const schedule = (): void => {
      cancel = this.#services.clock.setTimer(() => {
        this.#attempt(
          what,
          work().finally(() => {
            if (!isStopped) schedule();
          }),
        );
      }, delayMs);
    };
    schedule();
    this.#stops.push(() => {
      isStopped = true;
      cancel();
    });
  }

  #attempt(what: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (!isSessionLoss(error)) this.#services.observer.failed(what, error);
    });
  }
}
