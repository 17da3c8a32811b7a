import type { OutgoingEvent } from 'natter/protocol';
import { isPeerError } from '../bus/index.ts';
import { loadSession, lookAtSessions } from '../db/index.ts';
import type { LiveSession } from './live-session.ts';
import type { ForwardedInput, InputResult } from './session-relay.ts';
import type { SessionServices } from './session-services.ts';

/** The sessions of this node, as its peers may ask for them. */
export interface OwnSessions {
  get(sessionId: string): LiveSession | undefined;
  /** Sockets of the session on this node. */
  socketCount(sessionId: string): number;
}

// A handshake waits for nobody longer than this.
const COUNT_MS = 500;
const ASK_MS = 5_000;

/** What nodes ask each other about sessions, both sides of it. */
export class SessionPeers {
  readonly #services: SessionServices;
  readonly #sessions: OwnSessions;

  constructor(services: SessionServices, sessions: OwnSessions) {
    this.#services = services;
    this.#sessions = sessions;
  }

  /** Begins to answer. */
  start(): void {
    const { peers, database } = this.#services;
    const owned = (body: unknown): LiveSession | null => {
      const live = this.#sessions.get(readSessionId(body));
      return live?.isOwned === true ? live : null;
    };
    peers.answer('input', async (body): Promise<InputResult> => {
      // Written by a `SessionRelay` on another node.
      const input = body as ForwardedInput;
      return (await this.#sessions.get(input.sessionId)?.receive(input)) ?? { status: 'not_owner' };
    });
    peers.answer('sockets', async (body) => this.#sessions.socketCount(readSessionId(body)));
    peers.answer('sticky', async (body) => owned(body)?.stickyEvents ?? []);
    peers.answer('external events', async (body) => {
      await owned(body)?.readExternalEvents();
      return null;
    });
    peers.answer('context', async (body) => {
      const live = owned(body);
      const stored = live === null ? null : await loadSession(database, live.id);
      if (stored?.contextVault) live?.setContextVault(stored.contextVault);
      return null;
    });
  }

  /** Sockets of the session on the other nodes, as far as they answer. Source: WS-3. */
  async countSockets(sessionId: string): Promise<number> {
    const { peers } = this.#services;
    const counts = await Promise.all(
      peers.names.map(async (node) => {
        try {
          const count = await peers.call(node, 'sockets', { sessionId }, COUNT_MS);
          return typeof count === 'number' ? count : 0;
        } catch (error) {
          // Nobody is turned away because a node does not answer.
          if (isPeerError(error)) return 0;
          throw error;
        }
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** What a new socket is sent after its replay, from whoever owns the session (5.5). */
  async stickyEvents(live: LiveSession): Promise<readonly OutgoingEvent[]> {
    const { owner } = live;
    if (owner === null || live.facts.state !== 'handoff') return live.stickyEvents;
    try {
      const events = await this.#services.peers.call(owner, 'sticky', { sessionId: live.id }, ASK_MS);
      // The other node's `stickyEvents`.
      return events as readonly OutgoingEvent[];
    } catch (error) {
      // Transient: the next one comes over the bus.
      if (isPeerError(error)) return [];
      throw error;
    }
  }

  /** The other node that owns a session; null: this one does, or nobody. */
  async ownerOf(sessionId: string): Promise<string | null> {
    const { peers, database, lease } = this.#services;
    if (peers.isAlone || this.#sessions.get(sessionId)?.isOwned === true) return null;
    const [sight] = await lookAtSessions(database, [sessionId]);
    return sight === undefined || sight.owner === lease.node ? null : sight.owner;
  }

  /** Tells the owner that something of its session has changed in the database. Rejects with a `PeerError`. */
  async tellOwner(sessionId: string, what: 'external events' | 'context'): Promise<void> {
    const owner = await this.ownerOf(sessionId);
    if (owner !== null) await this.#services.peers.call(owner, what, { sessionId }, ASK_MS);
  }
}

function readSessionId(body: unknown): string {
  const sessionId = typeof body === 'object' && body !== null ? Reflect.get(body, 'sessionId') : null;
  return typeof sessionId === 'string' ? sessionId : '';
}
