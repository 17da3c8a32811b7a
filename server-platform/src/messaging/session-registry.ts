import { CLOSE_CODES } from 'natter/protocol';
import {
  GroupReads,
  loadSession,
  loadSessionsToJoin,
  releaseSessions,
  type Session,
  type SessionToJoin,
} from '../db/index.ts';
import { pause } from './clock.ts';
import type { MessagingConnector } from './connector.ts';
import { ErasedSessions } from './erased-sessions.ts';
import { FollowedSessions } from './followed-sessions.ts';
import type { SocketPlace } from './handshake.ts';
import { LiveSession } from './live-session.ts';
import { OwnedSessions } from './owned-sessions.ts';
import { repeatEvery } from './repeat-every.ts';
import { SessionPeers } from './session-peers.ts';
import type { SessionServices } from './session-services.ts';
import { SessionSweeps } from './session-sweeps.ts';
import { isSessionLoss } from './session-writer.ts';

/** A session that a socket may join. */
export interface JoinedSession {
  readonly id: string;
  readonly identity: string;
  readonly live: LiveSession;
  /** Highest sequence in the log when the session was looked up. */
  readonly lastSequence: number;
  /** After SESSION_END: replay, then close. Source: WS-4. */
  readonly isEnded: boolean;
}

/** How often the registry looks after its sessions. */
export interface RegistryPace {
  /** Renewal of the node's lease; a third of the lease at most. */
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

// An erased session is gone from the memory of every node within two seconds.
const ERASURES_EVERY_MS = 1_000;
// Handshakes that share a statement.
const JOINS_AT_ONCE = 100;
// A session without sockets is kept this long for a client that is about to come back.
const UNUSED_MS = 15_000;

/** The sessions of this node: finds, claims, renews, recovers, expires and lets go of them. */
export class SessionRegistry {
  readonly #services: SessionServices;
  readonly #entries = new Map<string, Entry>();
  readonly #owned: OwnedSessions;
  readonly #toJoin: GroupReads<string, SessionToJoin | null>;
  readonly #followed: FollowedSessions;
  readonly #sweeps: SessionSweeps;
  readonly #erased: ErasedSessions;
  /** What other nodes are asked, and ask. */
  readonly peers: SessionPeers;
  #stops: (() => void)[] = [];
  #isClosing = false;

  constructor(services: SessionServices) {
    this.#services = services;
    this.#owned = new OwnedSessions(services, (id) => this.get(id));
    this.#erased = new ErasedSessions(services.database, {
      has: (sessionId) => this.#entries.has(sessionId),
      forget: (sessionId) => this.#erase(sessionId),
    });
    this.#sweeps = new SessionSweeps({
      services,
      isClosing: () => this.#isClosing,
      load: async (id) => (await this.#toJoin.get(id))?.session ?? null,
      adopt: (facts) => this.#adopt(facts),
      releaseUnused: () => this.#dropUnused(),
    });
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
    this.#every(pace.renewalMs, 'renew the lease', () => this.#renew(pace.renewalMs));
    this.#every(pace.sweepMs, 'look after sessions', () => this.#sweeps.run());
    this.#every(ERASURES_EVERY_MS, 'look for erased sessions', () => this.#erased.look());
    void this.#attempt('recover sessions', this.#sweeps.recover());
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
      void this.#attempt('expire a session', this.#expire(facts));
      return null;
    }
    const live = await this.#adopt(facts);
    if (live === null) return null;
    if (!live.isOver && !live.isOwned && facts.conversationStatus === 'running') {
      // Its owner may have died, or doubted its log, in the middle of an answer that somebody waits for now.
      const isHandedOff = facts.state === 'handoff' || facts.state === 'live';
      if (hasUnfinishedTurns || isHandedOff) void this.#attempt('carry on with a session', live.recover());
    }
    const { id, identity, lastSequence, endedAtMs } = facts;
    return { id, identity, live, lastSequence, isEnded: endedAtMs !== null };
  }

  /** Takes one of a session's places for sockets; null when all are taken, on all nodes together. Source: WS-3. */
  async takePlace(sessionId: string): Promise<SocketPlace | null> {
    const { limits, peers } = this.#services;
    const entry = this.#entries.get(sessionId);
    if (entry === undefined || entry.sockets >= limits.maxSocketsPerSession) return null;
    // Taken before the others are asked: of two that ask at once, neither overlooks the other.
    const place = this.#placeIn(entry);
    if (peers.isAlone) return place;
    try {
      const elsewhere = await this.peers.countSockets(sessionId);
      if (entry.sockets + elsewhere <= limits.maxSocketsPerSession) return place;
    } catch (error) {
      place.leave();
      throw error;
    }
    place.leave();
    return null;
  }

  #placeIn(entry: Entry): SocketPlace {
    let isHeld = true;
    entry.sockets += 1;
    return {
      leave: () => {
        if (!isHeld) return;
        isHeld = false;
        entry.sockets -= 1;
        entry.unusedSinceMs = this.#services.clock.now();
      },
    };
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

  /** Stops all regular work and every session. Resolves when nothing is being written any more. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const stop of this.#stops) stop();
    this.#stops = [];
    const released = [...this.#entries.values()].map(({ live }) => live.release());
    this.#entries.clear();
    await Promise.all([...released, this.#followed.stop()]);
    await this.#services.log.drain();
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
      onOwned: ({ id }, epoch) => this.#owned.add(id, epoch),
      onReleased: ({ id }) => this.#owned.delete(id),
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

  async #renew(renewalMs: number): Promise<void> {
    const nextExpiryMs = await this.#owned.renew();
    if (nextExpiryMs === null || nextExpiryMs >= renewalMs) return;
    // A node misses its renewals. Its users have waited long enough: the next sweep may be seconds away.
    this.#services.clock.setTimer(
      () => void this.#attempt('recover sessions', this.#sweeps.recover()),
      Math.max(nextExpiryMs, 0),
    );
  }

  /**
   * Something from outside is on record for a session: its agent is told by the node that owns it, or here when nobody
   * does. An owner that cannot be reached finds it when it looks after its sessions.
   */
  async tellAgent(sessionId: string): Promise<void> {
    await this.#sweeps.tellAgents(sessionId);
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

  /** An operator has erased the session: closes its sockets here and forgets it. Source: 4.5. */
  async #erase(sessionId: string): Promise<void> {
    const message = { kind: 'close', code: CLOSE_CODES.sessionRejected, reason: 'session deleted' } as const;
    this.#services.bus.deliverHere(sessionId, message);
    const live = this.get(sessionId);
    this.#entries.delete(sessionId);
    this.#owned.delete(sessionId);
    await live?.erase();
  }

  async #dropUnused(): Promise<void> {
    const { database, lease, clock } = this.#services;
    const released = new Map<string, number>();
    for (const [id, entry] of this.#entries) {
      if (entry.sockets > 0 || entry.live.isBusy) {
        entry.unusedSinceMs = clock.now();
        continue;
      }
      if (clock.now() - entry.unusedSinceMs < UNUSED_MS) continue;
      const epoch = this.#owned.epochOf(id);
      if (epoch !== undefined) released.set(id, epoch);
      this.#entries.delete(id);
      void entry.live.release();
    }
    await releaseSessions(database, lease.node, released);
  }

  #every(delayMs: number, what: string, work: () => Promise<void>): void {
    this.#stops.push(repeatEvery(this.#services.clock, delayMs, () => this.#attempt(what, work())));
  }

  /** Reports what fails. Never rejects. */
  async #attempt(what: string, work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!isSessionLoss(error)) this.#services.observer.failed(what, error);
    }
  }
}
